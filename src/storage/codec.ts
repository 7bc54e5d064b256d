/**
 * How values are written to columns and read back: JSON, times, booleans, and text that a database cannot store
 * directly.
 *
 * PostgreSQL refuses NUL in text, and UTF-8 has no lone surrogates. Both drivers therefore pass every string parameter
 * through `escapeText` and every result through `unescapeText`, so that every JavaScript string is read back unchanged
 * from either database. JSON text never needs it: `JSON.stringify` writes those characters as `\uXXXX`.
 */
import { HelveError } from '../domain/errors.js';
import type { PrincipalRef } from '../domain/principal.js';

const marker = '\u001a';
/** Fast and slightly too broad: also true for complete surrogate pairs. */
const mayNeedEscape = /[\0\u001a\ud800-\udfff]/;
const everyEscape = /[\0\u001a]|\p{Surrogate}/gu;
const everyMark = /\u001a([0-9a-f]{4})/g;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function escapeText(text: string): string {
  if (!mayNeedEscape.test(text)) return text;
  return text.replace(everyEscape, (unit) => marker + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

function unescapeText(text: string): string {
  if (!text.includes(marker)) return text;
  return text.replace(everyMark, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Changes the row in place: the driver created it for us. */
export function unescapeRow(row: Record<string, unknown>): void {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'string') row[column] = unescapeText(value);
  }
}

export function encodeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new HelveError('internal', 'A value that is not JSON cannot be stored');
  return text;
}

export function encodeOptionalJson(value: unknown): string | null {
  return value === undefined ? null : encodeJson(value);
}

export function decodeJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** A column of bytes: libsql reads it as an ArrayBuffer, `pg` as a Buffer. */
export function decodeBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  return bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
}

/** The text as `JSON.stringify` would write it inside a string, to search for it in stored JSON. */
export function jsonFragment(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Times are compared as text, so all are written in one form. */
export function encodeTime(time: string): string {
  if (isoTime.test(time)) return time;
  const parsed = new Date(time);
  if (Number.isNaN(parsed.getTime())) throw new HelveError('internal', `Not a time: ${JSON.stringify(time)}`);
  return parsed.toISOString();
}

export function encodeOptionalTime(time: string | undefined): string | null {
  return time === undefined ? null : encodeTime(time);
}

/** Writes only the three fields: callers may pass a whole principal. */
export function encodePrincipal(principal: PrincipalRef): string {
  return JSON.stringify({ kind: principal.kind, id: principal.id, name: principal.name });
}

type Compact<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>;
};

/** The object without its null members: a null column is an absent field. */
export function compact<T extends object>(value: T): Compact<T> {
  // One member after the other, so that rows of the same form share a hidden class: there can be very many.
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== null) kept[name] = member;
  return kept as Compact<T>;
}
