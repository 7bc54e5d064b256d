/** Fields that Slack's records share. */
import { z } from 'zod';
import { computed, from } from '../../../util/record.js';

/** True only if the member is true. */
export const flag = (member: string) =>
  computed(z.boolean(), (raw: Readonly<Record<string, unknown>>) => raw[member] === true);

/** Slack writes an empty string for a value that is not set. */
export const textOrNone = (path: string) =>
  from(path, z.string().optional(), (text: string) => (text === '' ? undefined : text));

/** A time in seconds since 1970, which may also be a string with a fraction: `1503435956.000247`. */
export const time = (path: string) => from(path, z.string().optional(), toTime);

function toTime(seconds: number | string): string | undefined {
  const value = Number(seconds);
  if (!Number.isFinite(value) || value <= 0 || value > 8e12) return undefined;
  return new Date(value * 1_000).toISOString();
}
