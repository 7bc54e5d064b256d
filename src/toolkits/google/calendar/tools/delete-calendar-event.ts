import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { calendarInput, common, eventInput, eventsPath, sendUpdates, updatesParameter } from '../events.js';

export const deleteCalendarEvent = defineTool({
  ...common,
  name: 'delete_calendar_event',
  title: 'Delete a calendar event',
  description: 'Delete an event for all its guests. Of a recurring event the id says: once, or the whole series.',
  inputSchema: z.strictObject({ calendar_id: calendarInput, event_id: eventInput, send_updates: sendUpdates }),
  outputSchema: z.strictObject({
    event_id: z.string(),
    was_there: z.boolean().describe('false: it was deleted already'),
  }),
  annotations: effects.replaces,
  idempotency: { by: 'repeatable', how: 'Calendar deletes an event once and mails its guests once' },
  risk: 'destructive',
  scopes: [scopes.events],
  capabilities: ['delete event', 'cancel meeting'],
  examples: [{ input: { event_id: 'q7h3k5d0v2m1' } }],
  async execute({ calendar_id, event_id, send_updates }, { service }) {
    const request = service.request({
      method: 'DELETE',
      server: 'calendar',
      path: eventsPath(calendar_id, event_id),
      query: { sendUpdates: updatesParameter[send_updates] },
      // A second request finds nothing to delete and mails nobody.
      repeatable: true,
    });
    const wasThere = await request.then(
      () => true,
      (thrown: unknown) => {
        if (thrown instanceof HelveError && thrown.details?.reason === 'deleted') return false;
        throw thrown;
      },
    );
    return { event_id, was_there: wasThere };
  },
});
