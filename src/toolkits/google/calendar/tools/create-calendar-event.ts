import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import { attendeesInput, readAttendees } from '../attendees.js';
import { deriveEventId } from '../event-id.js';
import {
  type CalendarEvent,
  calendarInput,
  common,
  eventRecord,
  eventsPath,
  fetchEvent,
  sendUpdates,
  updatesParameter,
} from '../events.js';
import { checkRecurrence } from '../recurrence.js';
import { checkOrder, readEventTime, timeInput, zoneInput } from '../times.js';

/** The id is chosen here, so that an insert whose answer is lost can be sent again. */
export const createCalendarEvent = defineTool({
  ...common,
  name: 'create_calendar_event',
  title: 'Create a calendar event',
  description: 'Create an event, with guests, whole days or recurrence if wanted.',
  inputSchema: z.strictObject({
    calendar_id: calendarInput,
    summary: z.string().min(1).max(1_000),
    start: timeInput,
    end: timeInput.describe('As start. Exclusive: for whole days, the day after the last'),
    time_zone: zoneInput.optional(),
    description: z.string().max(8_000).optional(),
    location: z.string().max(1_000).optional(),
    attendees: attendeesInput.optional(),
    recurrence: z.array(z.string().max(500)).max(20).optional().describe('RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10'),
    show_as: z.enum(['busy', 'free']).default('busy'),
    send_updates: sendUpdates,
  }),
  outputSchema: eventRecord.shape,
  annotations: effects.creates,
  idempotency: {
    by: 'key',
    how: 'Helve chooses the id of the event, and Calendar creates nothing under an id that is taken',
  },
  scopes: [scopes.events],
  capabilities: ['create event', 'schedule meeting'],
  examples: [
    {
      input: {
        summary: 'Review',
        start: '2026-01-31T14:30:00',
        end: '2026-01-31T15:00:00',
        time_zone: 'Europe/Berlin',
      },
    },
  ],
  async execute(input, { service, effectKey }) {
    const start = readEventTime('start', input.start, { zone: input.time_zone });
    const end = readEventTime('end', input.end, { zone: input.time_zone });
    checkOrder(start, end);
    const recurrence = input.recurrence && checkRecurrence(input.recurrence);
    if (recurrence && !start.allDay && input.time_zone === undefined) {
      throw new HelveError('invalid_input', 'time_zone: an event that recurs at a time needs it', {
        hint: 'An offset does not say when daylight saving time applies. Send an IANA name such as Europe/Berlin.',
      });
    }
    const id = deriveEventId(effectKey);
    const insert = service.json<CalendarEvent>({
      method: 'POST',
      server: 'calendar',
      path: eventsPath(input.calendar_id),
      query: { sendUpdates: updatesParameter[input.send_updates] },
      json: defined({
        id,
        summary: input.summary,
        description: input.description,
        location: input.location,
        start: start.event,
        end: end.event,
        attendees: input.attendees && readAttendees('attendees', input.attendees),
        recurrence,
        transparency: input.show_as === 'free' ? 'transparent' : undefined,
      }),
      repeatable: 'within_call',
    });
    const event = await insert.catch((thrown: unknown) => {
      // The id belongs to this effect: an event that has it was created by an earlier sending of this very request.
      if (!(thrown instanceof HelveError) || thrown.code !== 'conflict') throw thrown;
      return fetchEvent(service, input.calendar_id, id).catch((cause: unknown) => {
        throw new HelveError('outcome_unknown', `The event ${id} was created, but cannot be read`, {
          hint: 'Do not create it again.',
          cause,
        });
      });
    });
    return eventRecord.read(event);
  },
});
