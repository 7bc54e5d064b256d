/** Changes the start and end of an existing event: a value that is not given stays, and the two must fit together. */
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import type { CalendarEvent } from './events.js';
import { checkOrder, type EventTime, type GivenTime, readEventTime } from './times.js';

interface Given {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly time_zone?: string | undefined;
}

export function changeTimes(given: Given, now: CalendarEvent): { start?: EventTime; end?: EventTime } {
  if (given.start === undefined && given.end === undefined) return {};
  const readGiven = (field: 'start' | 'end'): GivenTime | undefined => {
    const text = given[field];
    // A time without offset is in the event's own zone.
    const zones = { zone: given.time_zone, fallback: now[field]?.timeZone };
    return text === undefined ? undefined : readEventTime(field, text, zones);
  };
  const [start, end] = [readGiven('start'), readGiven('end')];
  const [first, last] = [start ?? readTime(now.start), end ?? readTime(now.end)];
  if (first && last) {
    if (first.allDay !== last.allDay && (start === undefined || end === undefined)) {
      throw new HelveError('invalid_input', 'start and end must both be dates or both be times', {
        hint: 'To turn times into whole days, or whole days into times, send both.',
      });
    }
    checkOrder(first, last);
  }
  return defined({ start: start && replaceTime(start, now.start), end: end && replaceTime(end, now.end) });
}

/** A patch is merged into the event, so the other kind of time must be set to null. */
function replaceTime({ allDay, event }: GivenTime, now: EventTime | undefined): EventTime {
  const wasAllDay = Boolean(now?.date) && !now?.dateTime;
  if (allDay === wasAllDay) return event;
  return allDay ? { ...event, dateTime: null, timeZone: null } : { ...event, date: null };
}

function readTime(now: EventTime | undefined): GivenTime | undefined {
  const text = now?.dateTime ?? now?.date;
  if (!text) return undefined;
  try {
    return readEventTime('event', text, { fallback: now?.timeZone ?? 'UTC' });
  } catch (thrown) {
    // The stored time has an unknown form, so the check is left to Calendar.
    if (thrown instanceof HelveError) return undefined;
    throw thrown;
  }
}
