/** Events as Calendar has them and as tools answer with them. */
import { z } from 'zod';
import type { ServiceClient } from '../../../domain/service.js';
import { defined } from '../../../util/defined.js';
import { googleSettings } from '../settings.js';
import type { EventTime } from './times.js';

export const common = { group: 'Calendar', settingsSchema: googleSettings } as const;

export const calendarInput = z
  .string()
  .min(1)
  .max(300)
  .default('primary')
  .describe("Id from list_calendars; primary is the account's own");
export const eventInput = z.string().min(1).max(1_100).describe('Of an event, or of one time of a recurring event');
export const sendUpdates = z
  .enum(['all', 'external_only', 'none'])
  .default('none')
  .describe('Whom Google mails about it');
export const updatesParameter = { all: 'all', external_only: 'externalOnly', none: 'none' } as const;

/** Everything else that Calendar sends is kept as it is, to be sent back as it came. */
export interface CalendarAttendee {
  readonly email?: string;
  readonly displayName?: string;
  readonly responseStatus?: string;
  readonly self?: boolean;
  readonly organizer?: boolean;
  readonly optional?: boolean;
  readonly comment?: string;
}

export interface CalendarEvent {
  readonly id: string;
  readonly etag?: string;
  readonly status?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly location?: string;
  readonly htmlLink?: string;
  readonly hangoutLink?: string;
  readonly start?: EventTime;
  readonly end?: EventTime;
  readonly attendees?: readonly CalendarAttendee[];
  readonly attendeesOmitted?: boolean;
  readonly organizer?: { readonly email?: string; readonly displayName?: string };
  readonly recurrence?: readonly string[];
  readonly recurringEventId?: string;
  readonly transparency?: string;
  readonly visibility?: string;
  readonly updated?: string;
}

export const eventsPath = (calendar: string, event?: string): string =>
  `/calendar/v3/calendars/${encodeURIComponent(calendar)}/events${event === undefined ? '' : `/${encodeURIComponent(event)}`}`;

export const fetchEvent = (service: ServiceClient, calendar: string, event: string): Promise<CalendarEvent> =>
  service.json({ server: 'calendar', path: eventsPath(calendar, event) });

const responses = ['needs_action', 'declined', 'tentative', 'accepted'] as const;

const attendee = z.strictObject({
  email: z.string(),
  name: z.string().optional(),
  response: z.string().optional().describe(responses.join(', ')),
  optional: z.boolean().optional(),
  is_self: z.boolean().optional().describe('The owner of this calendar'),
});

export const eventRow = z.strictObject({
  id: z.string(),
  status: z.string().optional().describe('confirmed, tentative or cancelled'),
  summary: z.string().optional(),
  start: z.string().optional(),
  end: z.string().optional().describe('Exclusive: of whole days the day after the last'),
  all_day: z.boolean(),
  time_zone: z.string().optional(),
  location: z.string().optional(),
  description: z.string().optional(),
  attendees: z.array(attendee).optional(),
  attendees_omitted: z.boolean().optional().describe('There are more than are listed'),
  organizer: z.string().optional(),
  recurrence: z.array(z.string()).optional(),
  recurring_event_id: z.string().optional().describe('The series that it is one time of'),
  show_as: z.string().optional().describe('busy or free'),
  meeting_url: z.string().optional(),
  url: z.string().optional(),
  updated: z.string().optional(),
  etag: z.string().optional().describe('Send it with update_calendar_event to change just this state'),
});

export type EventRow = z.infer<typeof eventRow>;

export function rowOf(event: CalendarEvent): EventRow {
  const { start, end } = event;
  return defined({
    id: event.id,
    status: event.status,
    summary: event.summary,
    start: start?.dateTime ?? start?.date ?? undefined,
    end: end?.dateTime ?? end?.date ?? undefined,
    all_day: !start?.dateTime && Boolean(start?.date),
    time_zone: start?.timeZone ?? undefined,
    location: event.location,
    description: event.description,
    attendees: event.attendees?.map((one) =>
      defined({
        email: one.email ?? '',
        name: one.displayName,
        response: one.responseStatus === 'needsAction' ? 'needs_action' : one.responseStatus,
        optional: one.optional || undefined,
        is_self: one.self || undefined,
      }),
    ),
    attendees_omitted: event.attendeesOmitted || undefined,
    organizer: event.organizer?.email ?? event.organizer?.displayName,
    recurrence: event.recurrence && [...event.recurrence],
    recurring_event_id: event.recurringEventId,
    show_as: event.transparency === undefined ? undefined : event.transparency === 'transparent' ? 'free' : 'busy',
    meeting_url: event.hangoutLink,
    url: event.htmlLink,
    updated: event.updated,
    etag: event.etag,
  });
}

const mostListed = 300;

/** In lists: long descriptions are cut and of the attendees only oneself is named. */
export function listRowOf(event: CalendarEvent): EventRow & { attendee_count?: number } {
  const { attendees, description, ...row } = rowOf(event);
  return {
    ...row,
    ...defined({
      description:
        description === undefined || description.length <= mostListed
          ? description
          : `${description.slice(0, mostListed)}…`,
      attendees: attendees?.filter(({ is_self }) => is_self),
      attendee_count: attendees?.length,
    }),
  };
}
