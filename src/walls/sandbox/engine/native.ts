/** The functions of the host that the code around a program can call: text in, text out, and none of them throws. */
import { nearest } from '../../../util/nearest.js';
import type { Native } from '../guest/kit.js';

const fields = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port'] as const;
const settable = new Set([
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
]);
const maxAddressLength = 65_536;

export function createNative(halt: (limit: string) => void): Record<keyof Native, Text> {
  return {
    halt(limit) {
      halt(limit);
      return '';
    },
    parseUrl: safely((address, base, change) => {
      if (address.length + base.length + change.length > maxAddressLength) return '';
      const url = base === '' ? new URL(address) : new URL(address, base);
      const [field, value] = change === '' ? [] : (JSON.parse(change) as string[]);
      if (field !== undefined && settable.has(field)) Reflect.set(url, field, String(value));
      const { pathname, search, hash } = url;
      const read = Object.fromEntries(fields.map((name) => [name, url[name]]));
      return JSON.stringify({ ...read, pathname, search, hash });
    }, ''),
    parseQuery: safely((query) => JSON.stringify([...new URLSearchParams(query)]), '[]'),
    formatQuery: safely((pairs) => new URLSearchParams(JSON.parse(pairs) as [string, string][]).toString(), ''),
    nearest: safely((name, known) => nearest(name, JSON.parse(known) as string[]) ?? '', ''),
  };
}

type Text = (first: string, second: string, third: string) => string;

function safely(work: Text, otherwise: string): Text {
  return (...given) => {
    try {
      return work(...given);
    } catch {
      return otherwise;
    }
  };
}
