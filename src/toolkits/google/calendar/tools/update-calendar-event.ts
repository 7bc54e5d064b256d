import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import { attendeeEmails, attendeesInput, changeAttendees } from '../attendees.js';
import {
  type CalendarEvent,
  calendarInput,
  common,
  eventInput,
  eventRecord,
  fetchEvent,
  patchEvent,
  sendUpdates,
} from '../events.js';
import { checkRecurrence } from '../recurrence.js';
import { changeTimes } from '../reschedule.js';
import { timeInput, zoneInput } from '../times.js';

const inputSchema = z.strictObject({
  calendar_id: calendarInput,
  event_id: eventInput,
  summary: z.string().max(1_000).optional(),
  start: timeInput.optional(),
  end: timeInput.optional().describe('As start. Exclusive: for whole days, the day after the last'),
  time_zone: zoneInput.optional(),
  description: z.string().max(8_000).optional(),
  location: z.string().max(1_000).optional(),
  add_attendees: attendeesInput.optional(),
  remove_attendees: attendeeEmails.optional(),
  recurrence: z.array(z.string().max(500)).max(20).optional().describe('Replaces the rules; [] ends the recurrence'),
  show_as: z.enum(['busy', 'free']).optional(),
  etag: z.string().max(200).optional().describe('As read: the change is refused if the event was changed since'),
  send_updates: sendUpdates,
});

type Input = z.infer<typeof inputSchema>;

/** These fields change parts of the event, so it must be read first, and must not change in the meantime. */
const needsPresent = (input: Input): boolean =>
  [input.start, input.end, input.add_attendees, input.remove_attendees].some((field) => field !== undefined);

export const updateCalendarEvent = defineTool({
  ...common,
  name: 'update_calendar_event',
  title: 'Update a calendar event',
  description:
    'Change the given fields of an event and leave all others. Of a recurring event the id says: once, or the series.',
  inputSchema,
  outputSchema: eventRecord.shape,
  annotations: effects.replaces,
  idempotency: { by: 'probe', how: 'An event that already has the wanted values is not changed again' },
  risk: 'write',
  scopes: [scopes.events],
  capabilities: ['update event', 'reschedule meeting'],
  examples: [{ input: { event_id: 'q7h3k5d0v2m1', location: 'Room 4' } }],
  async execute(input, { service }) {
    const now = needsPresent(input) ? await fetchEvent(service, input.calendar_id, input.event_id) : undefined;
    const changes = toChanges(input, now);
    if (Object.keys(changes).length === 0) {
      throw new HelveError('invalid_input', 'No field to change is given', {
        hint: 'Send at least one of summary, start, end, description, location, add_attendees, remove_attendees, recurrence, show_as.',
      });
    }
    const updated = await patchEvent(service, { ...input, etag: input.etag ?? now?.etag, changes });
    return eventRecord.read(updated);
  },
  async probe(input, { service }) {
    const now = await fetchEvent(service, input.calendar_id, input.event_id);
    return has(now, toChanges(input, now)) ? eventRecord.read(now) : undefined;
  },
});

const toChanges = (input: Input, now: CalendarEvent | undefined): object => ({
  ...toPatch(input),
  ...(now && changeTimes(input, now)),
  ...(now && changeGuests(input, now)),
});

/** A time in Calendar's own spelling counts as different, in which case the same values are sent again. */
const has = (event: CalendarEvent, changes: object): boolean =>
  Object.entries(changes).every(([name, value]) => isDeepStrictEqual(event[name as keyof CalendarEvent], value));

function toPatch({ summary, description, location, recurrence, show_as }: Input) {
  return defined({
    summary,
    description,
    location,
    recurrence: recurrence && checkRecurrence(recurrence),
    transparency: show_as === undefined ? undefined : show_as === 'free' ? 'transparent' : 'opaque',
  });
}

function changeGuests({ add_attendees, remove_attendees }: Input, now: CalendarEvent) {
  if (add_attendees === undefined && remove_attendees === undefined) return {};
  if (now.attendeesOmitted) {
    throw new HelveError('conflict', 'The guest list cannot be changed: Calendar did not show all guests', {
      hint: 'A person can change it in Google Calendar.',
    });
  }
  return { attendees: changeAttendees(now.attendees ?? [], add_attendees, remove_attendees) };
}
