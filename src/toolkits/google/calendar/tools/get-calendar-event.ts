import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { calendarInput, common, eventInput, eventRecord, fetchEvent } from '../events.js';

export const getCalendarEvent = defineTool({
  ...common,
  name: 'get_calendar_event',
  title: 'Get a calendar event',
  description: 'Read one event with its guests and their answers.',
  inputSchema: z.strictObject({ calendar_id: calendarInput, event_id: eventInput }),
  outputSchema: eventRecord.shape,
  annotations: effects.reads,
  scopes: [scopes.eventsRead],
  capabilities: ['get event', 'read event'],
  examples: [{ input: { event_id: 'q7h3k5d0v2m1' } }],
  execute: async ({ calendar_id, event_id }, { service }) =>
    eventRecord.read(await fetchEvent(service, calendar_id, event_id)),
});
