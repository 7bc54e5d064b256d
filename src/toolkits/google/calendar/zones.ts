/**
 * Converts wall-clock times of IANA zones to instants and back, with the zone tables of the runtime. As in calendars, a
 * time that the clocks skip moves forward by as much as the clocks do, and a time that occurs twice means the first
 * one.
 */
import { HelveError } from '../../../domain/errors.js';

export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** By lower-case name: upper and lower case can be mixed in many ways, but the number of zones is limited. */
const formats = new Map<string, Intl.DateTimeFormat>();

function findFormat(zone: string): Intl.DateTimeFormat {
  const key = zone.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(key, format);
  return format;
}

/**
 * Returns the zone. Throws `invalid_input` if it is not an IANA zone. Offsets are refused, since they have no summer
 * time; newer runtimes would also accept thousands of offsets with the minus sign U+2212.
 */
export function checkZone(zone: string): string {
  try {
    if (!/^[A-Za-z][\w+/-]*$/.test(zone)) throw new RangeError('Not the form of a zone name');
    findFormat(zone);
  } catch (cause) {
    throw new HelveError('invalid_input', `time_zone: ${JSON.stringify(zone.slice(0, 100))} is not a time zone`, {
      hint: 'Write an IANA name such as Europe/Berlin, America/New_York or UTC.',
      cause,
    });
  }
  return zone;
}

/** Returns milliseconds since 1970. */
export function toInstant(wall: WallTime, zone: string): number {
  const asUtc = toUtc(wall);
  const day = 86_400_000;
  const before = offsetAt(asUtc - day, zone);
  const after = offsetAt(asUtc + day, zone);
  const fits = [asUtc - before, asUtc - after].filter((instant) => instant + offsetAt(instant, zone) === asUtc);
  return fits.length > 0 ? Math.min(...fits) : asUtc - before;
}

export function toWallTime(instant: number, zone: string): WallTime {
  const shifted = new Date(instant + offsetAt(instant, zone));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

/** Returns RFC 3339 with the zone's offset at that time. */
export function toIso(instant: number, zone: string): string {
  const offset = Math.round(offsetAt(instant, zone) / 60_000);
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const digits = (value: number): string => String(value).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

function offsetAt(instant: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of findFormat(zone).formatToParts(instant)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return toUtc({ year, month, day, hour, minute, second }) - Math.floor(instant / 1_000) * 1_000;
}

const toUtc = ({ year, month, day, hour, minute, second }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);
