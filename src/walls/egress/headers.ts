/** Header fields: which the caller may set, which contain secrets, and how those of a response are returned. */
import { invalidInput } from './failures.js';

/** Framing and routing belong to the wall: with these a caller could smuggle a second request or name another host. */
const refused: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the caller's fields with lower-case names. Values never appear in a message. */
export function requestHeaders(entries: Iterable<readonly [string, string]>): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [field, value] of entries) {
    const name = field.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(field))
      throw invalidInput(`A header name is malformed: ${JSON.stringify(field)}`);
    if (refused.has(name)) throw invalidInput(`The header ${name} is set by Helve and cannot be given`);
    if (headers.has(name)) throw invalidInput(`The header ${name} is given twice`);
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw invalidInput(
        `The value of the header ${name} contains a line break or another character that is invalid in headers`,
      );
    }
    headers.set(name, value.trim());
  }
  return headers;
}

const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'x-api-key',
]);
const secretPattern =
  /token|secret|api-?key|access-?key|private|passw|auth|session|credential|signature|jwt|bearer|csrf|xsrf/i;

export const isSecretHeader = (name: string): boolean => secretNames.has(name) || secretPattern.test(name);

export function responseHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(name === 'set-cookie' ? '\n' : ', ') : value;
    entries.push([name.toLowerCase(), text]);
  }
  return Object.fromEntries(entries);
}
