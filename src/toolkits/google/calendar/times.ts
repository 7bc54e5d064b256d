/** The times that callers write: a date for whole days, or a time with an offset or in a named zone. */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import { checkedZone, isoIn, toInstant, type WallTime } from './zones.js';

export const timeInput = z
  .string()
  .min(10)
  .max(40)
  .describe('2026-01-31T14:30:00+01:00; without offset in time_zone; 2026-01-31 alone for whole days');
export const zoneInput = z.string().min(1).max(100).describe('IANA name: Europe/Berlin');

/** As Calendar takes it. */
export interface EventTime {
  readonly date?: string | null;
  readonly dateTime?: string | null;
  readonly timeZone?: string | null;
}

export interface GivenTime {
  readonly allDay: boolean;
  /** To compare: milliseconds since 1970; whole days as if they were in UTC. */
  readonly instant: number;
  readonly event: EventTime;
}

const shape = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)?)?$/;

interface Parsed {
  readonly wall: WallTime;
  readonly allDay: boolean;
  readonly offset: string | undefined;
}

function parse(field: string, text: string): Parsed {
  const [whole, year = '', month = '', day = '', hour, minute = '0', second = '0', offset] =
    shape.exec(text.trim()) ?? [];
  const numbers = [year, month, day, hour ?? '0', minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(Date.UTC(...utcArguments(numbers)));
  const exists = date.getUTCMonth() + 1 === numbers[1] && date.getUTCDate() === numbers[2];
  if (whole === undefined || !exists || numbers[3] > 23 || numbers[4] > 59 || numbers[5] > 59) {
    throw new HelveError('invalid_input', `${field}: ${JSON.stringify(text.slice(0, 60))} is not a date or a time`, {
      hint: 'Write 2026-01-31T14:30:00+01:00, 2026-01-31T14:30:00 with time_zone, or 2026-01-31 for whole days.',
    });
  }
  const [y, m, d, h, min, s] = numbers;
  return {
    wall: { year: y, month: m, day: d, hour: h, minute: min, second: s },
    allDay: hour === undefined,
    offset: offset?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2'),
  };
}

const utcArguments = ([year, month, day]: readonly number[]): [number, number, number] => [
  year ?? 0,
  (month ?? 1) - 1,
  day ?? 1,
];

const digits = (value: number): string => String(value).padStart(2, '0');
const dateText = ({ year, month, day }: WallTime): string =>
  `${String(year).padStart(4, '0')}-${digits(month)}-${digits(day)}`;
const clockText = ({ hour, minute, second }: WallTime): string => `${digits(hour)}:${digits(minute)}:${digits(second)}`;

/** Start or end of an event. `fallback`: the zone in which a time is meant that comes with no other. */
export function eventTime(field: string, text: string, zone?: string, fallback?: string): GivenTime {
  const { wall, allDay, offset } = parse(field, text);
  if (allDay) return { allDay, instant: toInstant(wall, 'UTC'), event: { date: dateText(wall) } };
  const dateTime = `${dateText(wall)}T${clockText(wall)}${offset ?? ''}`;
  const timeZone = zone === undefined ? {} : { timeZone: checkedZone(zone) };
  if (offset !== undefined)
    return { allDay, instant: offsetInstant(field, dateTime), event: { dateTime, ...timeZone } };
  const meant = zone ?? fallback;
  if (meant === undefined) throw zoneMissing(field, text);
  return { allDay, instant: toInstant(wall, checkedZone(meant)), event: { dateTime, timeZone: meant } };
}

/** A point in time for queries; a date alone is its midnight in the zone. */
export function instantInput(field: string, text: string, zone: string | undefined): number {
  const { wall, offset } = parse(field, text);
  if (offset !== undefined) return offsetInstant(field, `${dateText(wall)}T${clockText(wall)}${offset}`);
  if (zone === undefined) throw zoneMissing(field, text);
  return toInstant(wall, checkedZone(zone));
}

/** As queries take it. */
export const queryTime = (instant: number, zone = 'UTC'): string => isoIn(instant, zone);

/** End comes after start and both are of a kind; for whole days the end is the day after the last one. */
export function checkOrder(start: GivenTime, end: GivenTime): void {
  if (start.allDay !== end.allDay) {
    throw new HelveError('invalid_input', 'end: start and end must both be dates or both be times', {
      hint: 'For whole days send two dates, else two times.',
    });
  }
  if (end.instant > start.instant) return;
  const nextDay = new Date(start.instant + 86_400_000).toISOString().slice(0, 10);
  throw new HelveError('invalid_input', 'end: it is not after start', {
    hint: start.allDay
      ? `The end of whole days is exclusive: for one day send end = ${nextDay}.`
      : 'Send a later end. Do both have the offset or zone that is meant?',
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
  new HelveError('invalid_input', `${field}: it is not said in which time zone ${JSON.stringify(text)} is meant`, {
    hint: 'Send time_zone, for example Europe/Berlin, or write the offset: 2026-01-31T14:30:00+01:00.',
  });
