/** What happens in the workspace, live: one stream for all topics. */
import { liveQuery, workspaceEvent } from '../../../api/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { WorkspaceEvent } from '../../../domain/events.js';
import { defined } from '../../../util/defined.js';
import { sequenceStream } from '../event-stream.js';
import { defineRoute } from '../route.js';

const kind = { name: 'record', getId: ({ seq }: WorkspaceEvent) => String(seq) };

export const followEvents = defineRoute({
  method: 'GET',
  path: '/api/events',
  summary: 'What happens in the workspace, as far as the caller may see it; Last-Event-ID continues without a gap',
  acts: ['events'],
  query: liveQuery,
  stream: { mediaType: 'text/event-stream', item: workspaceEvent },
  async handle({ plane, principal, query, request }) {
    const after = readLastId(request.headers.get('last-event-id')) ?? query.after;
    const live = query.live !== 'false';
    return sequenceStream(request, kind, (signal) => plane.events(principal, { live, ...defined({ after }) }, signal));
  },
});

/**
 * Throws `invalid_input` for an id that this stream cannot have sent, because continuing from elsewhere would lose
 * events.
 */
function readLastId(header: string | null): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new HelveError('invalid_input', 'Last-Event-ID is not the id of an event of this stream', {
    hint: 'Send the id of the last event that was received, or leave the header out.',
  });
}
