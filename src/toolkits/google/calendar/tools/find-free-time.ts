import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { common } from '../events.js';
import { freeSpans, type Span, weekdays, workingSpans } from '../free-time.js';
import { queryTime, readInstant, timeInput, zoneInput } from '../times.js';
import { checkZone, toIso } from '../zones.js';

interface Answer {
  readonly calendars?: Readonly<
    Record<
      string,
      {
        readonly busy?: readonly { readonly start: string; readonly end: string }[];
        readonly errors?: readonly { readonly reason?: string }[];
      }
    >
  >;
}

const clock = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/);

/** Calendar answers for about two months at most. */
const mostDays = 60;

export const findFreeTime = defineTool({
  ...common,
  name: 'find_free_time',
  title: 'Find free time',
  description: 'Find when all of the given calendars or people are free at once, within working hours.',
  inputSchema: z.strictObject({
    calendars: z
      .array(z.string().min(1).max(300))
      .min(1)
      .max(50)
      .default(['primary'])
      .describe("Ids from list_calendars, or colleagues' e-mail addresses"),
    time_min: timeInput,
    time_max: timeInput,
    time_zone: zoneInput.describe('IANA name, for working hours and the answer: Europe/Berlin'),
    duration_minutes: z.int().min(1).max(1_440).default(30).describe('Shorter windows are left out'),
    day_start: clock.default('09:00'),
    day_end: clock.default('17:00').describe('24:00 for midnight'),
    days: z.array(z.enum(weekdays)).min(1).max(7).default(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']),
    max_windows: z.int().min(1).max(500).default(50),
  }),
  outputSchema: z.strictObject({
    windows: z.array(z.strictObject({ start: z.string(), end: z.string(), minutes: z.number() })),
    truncated: z.boolean().describe('There are more windows'),
    time_zone: z.string(),
    unread: z
      .array(z.strictObject({ calendar: z.string(), error: z.string() }))
      .describe('Calendars that Google did not answer for: their owners may be busy'),
  }),
  annotations: effects.reads,
  scopes: [scopes.freeBusy],
  capabilities: ['find free time', 'check availability'],
  examples: [{ input: { time_min: '2026-01-05', time_max: '2026-01-10', time_zone: 'Europe/Berlin' } }],
  async execute(input, { service }) {
    const zone = checkZone(input.time_zone);
    const within = readSpan(input, zone);
    const hours = readHours(input, zone);
    const ids = [...new Set(input.calendars)];
    const { calendars = {} } = await service.json<Answer>({
      method: 'POST',
      server: 'calendar',
      path: '/calendar/v3/freeBusy',
      json: {
        timeMin: queryTime(within.start),
        timeMax: queryTime(within.end),
        timeZone: zone,
        items: ids.map((id) => ({ id })),
      },
      // This request only reads.
      repeatable: true,
    });
    const unread = ids.flatMap((calendar) => {
      const answer = Object.hasOwn(calendars, calendar) ? calendars[calendar] : undefined;
      const reason = answer ? answer.errors?.[0]?.reason : 'notFound';
      return reason === undefined ? [] : [{ calendar, error: reason }];
    });
    if (unread.length === ids.length) throw noneRead(unread);
    const busy = Object.values(calendars).flatMap((one) => one.busy ?? []);
    const spans = busy.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) }));
    const free = freeSpans(workingSpans(within, hours), spans, input.duration_minutes * 60_000);
    return {
      windows: free.slice(0, input.max_windows).map(({ start, end }) => ({
        start: toIso(start, zone),
        end: toIso(end, zone),
        minutes: Math.floor((end - start) / 60_000),
      })),
      truncated: free.length > input.max_windows,
      time_zone: zone,
      unread,
    };
  },
});

type Hours = { readonly day_start: string; readonly day_end: string; readonly days: (typeof weekdays)[number][] };

function readHours({ day_start, day_end, days }: Hours, zone: string) {
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const [from, until] = [minutes(day_start), minutes(day_end)];
  if (until > from) return { zone, from, until, days };
  throw new HelveError('invalid_input', 'day_end: it is not after day_start', {
    hint: 'Both are of the same day: 09:00 and 17:00, or 00:00 and 24:00 for the whole day.',
  });
}

function readSpan(
  { time_min, time_max }: { readonly time_min: string; readonly time_max: string },
  zone: string,
): Span {
  const [start, end] = [readInstant('time_min', time_min, zone), readInstant('time_max', time_max, zone)];
  if (end > start && end - start <= mostDays * 86_400_000) return { start, end };
  throw new HelveError('invalid_input', `time_max: it must be after time_min, by at most ${mostDays} days`, {
    hint: 'Ask for a shorter period, and then for the next one.',
  });
}

function noneRead(unread: readonly { readonly calendar: string; readonly error: string }[]): HelveError {
  const named = unread.map(({ calendar, error }) => `${calendar} (${error})`).join(', ');
  return new HelveError('not_found', `None of the calendars could be read: ${named}`, {
    hint: 'list_calendars shows the ids of the calendars that the account can see.',
    details: { calendars: unread },
  });
}
