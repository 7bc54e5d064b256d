/** Events in Calendar's form and in that of the tools' answers. */
import { z } from 'zod';
import type { ServiceClient } from '../../../domain/service.js';
import { defined } from '../../../util/defined.js';
import { computed, defineRecord, from } from '../../../util/record.js';
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
  .describe('Whom Google notifies by e-mail. By default nobody, so guests get no invitation by mail');
export const updatesParameter = { all: 'all', external_only: 'externalOnly', none: 'none' } as const;

/** The members that are read here. All others are sent back unchanged. */
export interface CalendarAttendee {
  readonly email?: string;
  readonly displayName?: string;
  readonly optional?: boolean;
  readonly self?: boolean;
  readonly responseStatus?: string;
  readonly comment?: string;
}

export interface CalendarEvent {
  readonly id: string;
  readonly etag?: string;
  readonly summary?: string;
  readonly start?: EventTime;
  readonly end?: EventTime;
  readonly attendees?: readonly CalendarAttendee[];
  readonly attendeesOmitted?: boolean;
}

export const eventsPath = (calendar: string, event?: string): string =>
  `/calendar/v3/calendars/${encodeURIComponent(calendar)}/events${event === undefined ? '' : `/${encodeURIComponent(event)}`}`;

export const fetchEvent = (service: ServiceClient, calendar: string, event: string): Promise<CalendarEvent> =>
  service.json({ server: 'calendar', path: eventsPath(calendar, event) });

interface Patch {
  readonly calendar_id: string;
  readonly event_id: string;
  readonly send_updates: keyof typeof updatesParameter;
  /** Without it, changes that were made in the meantime may be overwritten. */
  readonly etag: string | undefined;
  readonly changes: object;
}

export const patchEvent = (service: ServiceClient, patch: Patch): Promise<object> =>
  service.json({
    method: 'PATCH',
    server: 'calendar',
    path: eventsPath(patch.calendar_id, patch.event_id),
    query: { sendUpdates: updatesParameter[patch.send_updates] },
    ...defined({ headers: patch.etag === undefined ? undefined : { 'if-match': patch.etag } }),
    json: patch.changes,
  });

const trueOrAbsent = (value: unknown): boolean | undefined => value === true || undefined;

const attendeeRecord = defineRecord({
  email: computed(z.string(), ({ email }: CalendarAttendee) => email ?? ''),
  name: from('displayName', z.string().optional()),
  response: from(
    'responseStatus',
    z.string().optional().describe('needs_action, declined, tentative, accepted'),
    (status: string) => (status === 'needsAction' ? 'needs_action' : status),
  ),
  optional: from('optional', z.boolean().optional(), trueOrAbsent),
  is_self: from('self', z.boolean().optional().describe('The owner of this calendar'), trueOrAbsent),
});

const readTime = (time: EventTime): string | undefined => time.dateTime ?? time.date ?? undefined;

interface Organizer {
  readonly email?: string;
  readonly displayName?: string;
}

export const eventRecord = defineRecord({
  id: z.string(),
  status: z.string().optional().describe('confirmed, tentative or cancelled'),
  summary: z.string().optional(),
  start: from('start', z.string().optional(), readTime),
  end: from('end', z.string().optional().describe('Exclusive: for whole days, the day after the last'), readTime),
  all_day: computed(z.boolean(), ({ start }: CalendarEvent) => !start?.dateTime && Boolean(start?.date)),
  time_zone: from('start.timeZone', z.string().optional()),
  location: z.string().optional(),
  description: z.string().optional(),
  attendees: from('attendees', z.array(attendeeRecord.shape).optional(), (all: object[]) =>
    all.map(attendeeRecord.read),
  ),
  attendees_omitted: from(
    'attendeesOmitted',
    z.boolean().optional().describe('There are more than those listed'),
    trueOrAbsent,
  ),
  organizer: from('organizer', z.string().optional(), ({ email, displayName }: Organizer) => email ?? displayName),
  recurrence: z.array(z.string()).optional(),
  recurring_event_id: from('recurringEventId', z.string().optional().describe('The series that it is one time of')),
  show_as: from('transparency', z.string().optional().describe('busy or free'), (transparency) =>
    transparency === 'transparent' ? 'free' : 'busy',
  ),
  meeting_url: from('hangoutLink', z.string().optional()),
  url: from('htmlLink', z.string().optional()),
  updated: z.string().optional(),
  etag: z.string().optional().describe('Send it with update_calendar_event to change just this state'),
});

const mostListed = 300;

/** For lists: long descriptions are cut, and of the attendees only the account itself is included. */
export const listedEventRecord = defineRecord({
  ...eventRecord.fields,
  description: from('description', z.string().optional(), (text: string) =>
    text.length <= mostListed ? text : `${text.slice(0, mostListed)}…`,
  ),
  attendees: from('attendees', z.array(attendeeRecord.shape).optional(), (all: CalendarAttendee[]) =>
    all.filter(({ self }) => self).map(attendeeRecord.read),
  ),
  attendee_count: from('attendees', z.number().optional(), ({ length }: object[]) => length),
});
