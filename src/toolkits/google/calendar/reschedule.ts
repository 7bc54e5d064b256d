/** Start and end of an event that is there already: what is not given stays, and the two must still fit. */
import { HelveError } from '../../../domain/errors.js';
import type { CalendarEvent } from './events.js';
import { checkOrder, type EventTime, eventTime, type GivenTime } from './times.js';

interface Given {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly time_zone?: string | undefined;
}

export function changedTimes(given: Given, now: CalendarEvent): { start?: EventTime; end?: EventTime } {
  if (given.start === undefined && given.end === undefined) return {};
  const start = given.start === undefined ? undefined : timeFrom('start', given.start, given, now.start);
  const end = given.end === undefined ? undefined : timeFrom('end', given.end, given, now.end);
  const [first, last] = [start ?? readTime(now.start), end ?? readTime(now.end)];
  if (first && last) {
    if (first.allDay !== last.allDay && (start === undefined || end === undefined)) {
      throw new HelveError('invalid_input', 'start and end must both be dates or both be times', {
        hint: 'To turn times into whole days, or whole days into times, send both.',
      });
    }
    checkOrder(first, last);
  }
  return {
    ...(start === undefined ? {} : { start: replacing(start, now.start) }),
    ...(end === undefined ? {} : { end: replacing(end, now.end) }),
  };
}

/** A time without offset is meant in the zone that the event has. */
const timeFrom = (field: string, text: string, { time_zone }: Given, now: EventTime | undefined): GivenTime =>
  eventTime(field, text, time_zone, now?.timeZone ?? undefined);

/** A patch is merged: the other kind of time has to be taken out by name. */
function replacing({ allDay, event }: GivenTime, now: EventTime | undefined): EventTime {
  const wasAllDay = Boolean(now?.date) && !now?.dateTime;
  if (allDay === wasAllDay) return event;
  return allDay ? { ...event, dateTime: null, timeZone: null } : { ...event, date: null };
}

function readTime(now: EventTime | undefined): GivenTime | undefined {
  const text = now?.dateTime ?? now?.date;
  if (!text) return undefined;
  try {
    return eventTime('event', text, undefined, now?.timeZone ?? 'UTC');
  } catch (thrown) {
    // What Calendar holds in a form that is not known here is Calendar's to judge.
    if (thrown instanceof HelveError) return undefined;
    throw thrown;
  }
}
