import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { computed, defineRecord, from, listFrom, orElse } from '../../../../util/record.js';
import { nextPageToken, pageToken } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { common } from '../events.js';

interface Names {
  readonly summary?: string;
  readonly summaryOverride?: string;
}

const calendarRecord = defineRecord({
  id: z.string(),
  name: computed(z.string().optional(), ({ summary, summaryOverride }: Names) => summaryOverride ?? summary),
  description: z.string().optional(),
  time_zone: from('timeZone', z.string().optional()),
  access: from('accessRole', z.string().optional().describe('owner, writer, reader or freeBusyReader')),
  primary: computed(z.boolean(), ({ primary }: { primary?: boolean }) => primary === true),
});

const pageRecord = defineRecord({
  calendars: orElse(listFrom('items', calendarRecord), []),
  next_page_token: from('nextPageToken', nextPageToken),
});

/** The other tools take the ids from this one. */
export const listCalendars = defineTool({
  ...common,
  name: 'list_calendars',
  title: 'List calendars',
  description: 'List the calendars that the account sees, with their time zones and what it may do there.',
  inputSchema: z.strictObject({
    max_results: z.int().min(1).max(250).default(100),
    page_token: pageToken,
  }),
  outputSchema: pageRecord.shape,
  annotations: effects.reads,
  scopes: [scopes.calendarListRead],
  capabilities: ['list calendars'],
  examples: [{ input: {} }],
  async execute({ max_results, page_token }, { service }) {
    const page = await service.json<object>({
      server: 'calendar',
      path: '/calendar/v3/users/me/calendarList',
      query: { maxResults: max_results, pageToken: page_token },
    });
    return pageRecord.read(page);
  },
});
