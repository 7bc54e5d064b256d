/** The times that callers write: a date for whole days, or a time with an offset or in a named zone. */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import { checkZone, toInstant, toIso, type WallTime } from './zones.js';

export const timeInput = z
  .string()
  .min(10)
  .max(40)
  .describe('2026-01-31T14:30:00+01:00; without offset in time_zone; 2026-01-31 alone for whole days');
export const zoneInput = z.string().min(1).max(100).describe('IANA name: Europe/Berlin');

/** In Calendar's form. */
export interface EventTime {
  readonly date?: string | null;
  readonly dateTime?: string | null;
  readonly timeZone?: string | null;
}

export interface GivenTime {
  readonly allDay: boolean;
  /** For comparing: milliseconds since 1970; whole days count as days in UTC. */
  readonly instant: number;
  readonly event: EventTime;
}

const shape =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)?(?<offset>[Zz]|[+-]\d\d:?\d\d)?)?$/;

interface Parsed {
  readonly wall: WallTime;
  readonly allDay: boolean;
  readonly offset: string | undefined;
}

function parse(field: string, text: string): Parsed {
  const { hour, offset, ...rest }: Record<string, string | undefined> = shape.exec(text.trim())?.groups ?? {};
  const [year, month, day] = [Number(rest.year), Number(rest.month), Number(rest.day)];
  const clock = { hour: Number(hour ?? 0), minute: Number(rest.minute ?? 0), second: Number(rest.second ?? 0) };
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  if (!exists || clock.hour > 23 || clock.minute > 59 || clock.second > 59) {
    throw new HelveError('invalid_input', `${field}: ${JSON.stringify(text.slice(0, 60))} is not a date or a time`, {
      hint: 'Write 2026-01-31T14:30:00+01:00, 2026-01-31T14:30:00 with time_zone, or 2026-01-31 for whole days.',
    });
  }
  return {
    wall: { year, month, day, ...clock },
    allDay: hour === undefined,
    offset: offset?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2'),
  };
}

const digits = (value: number): string => String(value).padStart(2, '0');
const dateText = ({ year, month, day }: WallTime): string =>
  `${String(year).padStart(4, '0')}-${digits(month)}-${digits(day)}`;
const clockText = ({ hour, minute, second }: WallTime): string => `${digits(hour)}:${digits(minute)}:${digits(second)}`;

interface Zones {
  readonly zone?: string | undefined;
  /** The zone for a time that has neither a zone nor an offset. */
  readonly fallback?: string | null | undefined;
}

/** Reads the start or end of an event. */
export function readEventTime(field: string, text: string, { zone, fallback }: Zones = {}): GivenTime {
  const { wall, allDay, offset } = parse(field, text);
  if (allDay) return { allDay, instant: toInstant(wall, 'UTC'), event: { date: dateText(wall) } };
  const dateTime = `${dateText(wall)}T${clockText(wall)}${offset ?? ''}`;
  const timeZone = zone === undefined ? {} : { timeZone: checkZone(zone) };
  if (offset !== undefined)
    return { allDay, instant: offsetInstant(field, dateTime), event: { dateTime, ...timeZone } };
  const meant = zone ?? fallback;
  if (!meant) throw zoneMissing(field, text);
  return { allDay, instant: toInstant(wall, checkZone(meant)), event: { dateTime, timeZone: meant } };
}

/** Reads a point in time for queries; a date alone is its midnight in the zone. */
export function readInstant(field: string, text: string, zone: string | undefined): number {
  const { wall, offset } = parse(field, text);
  if (offset !== undefined) return offsetInstant(field, `${dateText(wall)}T${clockText(wall)}${offset}`);
  if (zone === undefined) throw zoneMissing(field, text);
  return toInstant(wall, checkZone(zone));
}

/** Writes a point in time for queries. */
export const queryTime = (instant: number, zone = 'UTC'): string => toIso(instant, zone);

/** Checks that the end comes after the start and both are of one kind; the end of whole days is exclusive. */
export function checkOrder(start: GivenTime, end: GivenTime): void {
  if (start.allDay !== end.allDay) {
    throw new HelveError('invalid_input', 'end: start and end must both be dates or both be times', {
      hint: 'Send two dates for whole days, otherwise two times.',
    });
  }
  if (end.instant > start.instant) return;
  const nextDay = new Date(start.instant + 86_400_000).toISOString().slice(0, 10);
  throw new HelveError('invalid_input', 'end: it is not after start', {
    hint: start.allDay
      ? `The end of whole days is exclusive: for one day send end = ${nextDay}.`
      : 'Send a later end. Check that both have the intended offset or zone.',
  });
}

function offsetInstant(field: string, text: string): number {
  const instant = Date.parse(text);
  if (Number.isFinite(instant)) return instant;
  throw new HelveError('invalid_input', `${field}: the offset of ${JSON.stringify(text)} does not exist`, {
    hint: 'Offsets go from -14:00 to +14:00.',
  });
}

const zoneMissing = (field: string, text: string): HelveError =>
  new HelveError('invalid_input', `${field}: the time zone of ${JSON.stringify(text)} is missing`, {
    hint: 'Send time_zone, for example Europe/Berlin, or write the offset: 2026-01-31T14:30:00+01:00.',
  });
