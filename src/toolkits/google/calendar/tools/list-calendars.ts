import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import { common } from '../events.js';

interface Answer {
  readonly items?: readonly {
    readonly id: string;
    readonly summary?: string;
    readonly summaryOverride?: string;
    readonly description?: string;
    readonly timeZone?: string;
    readonly accessRole?: string;
    readonly primary?: boolean;
  }[];
  readonly nextPageToken?: string;
}

/** Here the ids come from that the other tools take. */
export const listCalendars = defineTool({
  ...common,
  name: 'list_calendars',
  title: 'List calendars',
  description: 'List the calendars that the account sees, with their time zones and what it may do there.',
  inputSchema: z.strictObject({
    max_results: z.int().min(1).max(250).default(100),
    page_token: z.string().max(2_000).optional().describe('next_page_token of the page before'),
  }),
  outputSchema: z.strictObject({
    calendars: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().optional(),
        description: z.string().optional(),
        time_zone: z.string().optional(),
        access: z.string().optional().describe('owner, writer, reader or freeBusyReader'),
        primary: z.boolean(),
      }),
    ),
    next_page_token: z.string().optional().describe('Absent on the last page'),
  }),
  annotations: effects.reads,
  scopes: [scopes.calendarListRead],
  capabilities: ['list calendars'],
  examples: [{ input: {} }],
  async execute({ max_results, page_token }, { service }) {
    const { items = [], nextPageToken } = await service.json<Answer>({
      server: 'calendar',
      path: '/calendar/v3/users/me/calendarList',
      query: { maxResults: max_results, pageToken: page_token },
    });
    return {
      calendars: items.map((one) => ({
        id: one.id,
        primary: one.primary === true,
        ...defined({
          name: one.summaryOverride ?? one.summary,
          description: one.description,
          time_zone: one.timeZone,
          access: one.accessRole,
        }),
      })),
      ...defined({ next_page_token: nextPageToken }),
    };
  },
});
