/**
 * Host names: the patterns of allow and block lists, and the names that never mean a public host.
 *
 * A pattern goes through the same WHATWG parser as a URL, so both sides compare the same spelling of a name.
 */
import { isIPv6 } from 'node:net';
import { parseUrl } from '../../util/parse-url.js';

export interface DomainPattern {
  readonly kind: 'any' | 'exact' | 'subdomains';
  /** Canonical; empty for `any`. */
  readonly host: string;
}

/** Parses `api.example.com`, `*.github.com`, `*` or an address; undefined if malformed. */
export function parseDomainPattern(text: string): DomainPattern | undefined {
  if (text === '*') return { kind: 'any', host: '' };
  const kind = text.startsWith('*.') ? 'subdomains' : 'exact';
  const name = kind === 'subdomains' ? text.slice(2) : text;
  const bracketed = isIPv6(name) ? `[${name}]` : name;
  if (/[\s/\\?#@*%\u0000-\u001f\u007f]/.test(bracketed)) return undefined;
  if (bracketed.replace(/^\[[^\]]*\]$/, '').includes(':')) return undefined;
  const url = parseUrl(`http://${bracketed}/`);
  if (!url) return undefined;
  const host = withoutTrailingDot(url.hostname);
  return hasEmptyLabel(host) ? undefined : { kind, host };
}

export const withoutTrailingDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

export const hasEmptyLabel = (host: string): boolean => host.split('.').includes('');

export function matchesDomain(patterns: readonly DomainPattern[], host: string): boolean {
  return patterns.some((pattern) => pattern.kind === 'any' || matchesByName(pattern, host));
}

/** Whether a pattern other than `*` names the host. */
export function namesDomain(patterns: readonly DomainPattern[], host: string): boolean {
  return patterns.some((pattern) => matchesByName(pattern, host));
}

/** `*` names no host: its `host` is empty. */
const matchesByName = (pattern: DomainPattern, host: string): boolean =>
  pattern.kind === 'subdomains' ? host.endsWith(`.${pattern.host}`) : host === pattern.host;

const localSuffixes = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

/**
 * Returns patterns that match exactly what both lists match. Malformed entries are kept, so that the policy refuses
 * them by name.
 */
export function commonDomains(one: readonly string[], other: readonly string[]): string[] {
  const malformed = [...one, ...other].filter((text) => parseDomainPattern(text) === undefined);
  const common = one.flatMap((left) => other.flatMap((right) => narrower(left, right)));
  return [...malformed, ...common];
}

function narrower(left: string, right: string): string[] {
  const [one, other] = [parseDomainPattern(left), parseDomainPattern(right)];
  if (one === undefined || other === undefined) return [];
  if (covers(one, other)) return [right];
  return covers(other, one) ? [left] : [];
}

function covers(wide: DomainPattern, narrow: DomainPattern): boolean {
  if (wide.kind === 'any') return true;
  if (narrow.kind === 'exact') return matchesByName(wide, narrow.host);
  return wide.kind === 'subdomains' && (wide.host === narrow.host || narrow.host.endsWith(`.${wide.host}`));
}

/** Whether a name has a meaning only in a private network or on this machine; a single label always counts. */
export function isLocalName(host: string): boolean {
  return !host.includes('.') || localSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
