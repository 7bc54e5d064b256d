import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { nextPageToken } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { calendarInput, common, eventsPath, listedEventRecord } from '../events.js';
import { queryTime, readInstant, timeInput, zoneInput } from '../times.js';
import { checkZone } from '../zones.js';

interface Answer {
  readonly items?: readonly object[];
  readonly nextPageToken?: string;
  readonly timeZone?: string;
}

/** The rows are an agenda, not the complete events. */
export const listCalendarEvents = defineTool({
  ...common,
  name: 'list_calendar_events',
  title: 'List calendar events',
  description: 'List the events of a calendar in a span of time; those that recur appear each time they happen.',
  inputSchema: z.strictObject({
    calendar_id: calendarInput,
    time_min: timeInput.optional().describe('Only what ends after this. Default: now'),
    time_max: timeInput.optional().describe('Only what begins before this'),
    time_zone: zoneInput.optional().describe('Of times given without offset, and of the times in the answer'),
    query: z.string().max(500).optional().describe('Words in summary, description, location or guests'),
    single_events: z.boolean().default(true).describe('false: each series once, with its rule'),
    max_results: z.int().min(1).max(250).default(50),
    page_token: z.string().max(2_000).optional().describe('next_page_token of the previous page, all else unchanged'),
  }),
  outputSchema: z.strictObject({
    events: z.array(listedEventRecord.shape),
    time_zone: z.string().optional(),
    time_min: z.string().describe('Send it with page_token'),
    next_page_token: nextPageToken,
  }),
  annotations: effects.reads,
  scopes: [scopes.eventsRead],
  capabilities: ['list events', 'search events'],
  examples: [{ input: { time_min: '2026-01-05', time_max: '2026-01-12', time_zone: 'Europe/Berlin' } }],
  async execute(input, { service }) {
    const zone = input.time_zone === undefined ? undefined : checkZone(input.time_zone);
    const from = input.time_min === undefined ? Date.now() : readInstant('time_min', input.time_min, zone);
    const until = input.time_max === undefined ? undefined : readInstant('time_max', input.time_max, zone);
    const page = await service.json<Answer>({
      server: 'calendar',
      path: eventsPath(input.calendar_id),
      query: {
        timeMin: queryTime(from, zone),
        timeMax: until === undefined ? undefined : queryTime(until, zone),
        timeZone: zone,
        q: input.query,
        singleEvents: input.single_events,
        orderBy: input.single_events ? 'startTime' : undefined,
        maxResults: input.max_results,
        pageToken: input.page_token,
      },
    });
    return {
      events: (page.items ?? []).map(listedEventRecord.read),
      time_min: queryTime(from, zone),
      ...defined({ time_zone: page.timeZone, next_page_token: page.nextPageToken }),
    };
  },
});
