/**
 * Decides which URLs a webhook may go to. A URL is accepted only in a spelling that every parser reads in the same way;
 * then scheme, host, port and path are compared with a pattern segment by segment, not as text.
 */
import { HelveError } from '../../domain/errors.js';
import { parseUrl } from '../../util/parse-url.js';

export interface UrlPattern {
  readonly scheme: string;
  /** `*`: any; `*.example.com`: its subdomains. */
  readonly host: string;
  readonly port: string;
  /** `*` stands for one segment that is not empty. */
  readonly segments: readonly string[];
  /** The pattern ends in `/*`: anything may follow, including a query. */
  readonly open: boolean;
  readonly query: string;
}

/** For configuration schemas; `parseUrlPattern` checks the rest. */
export const urlPatternShape =
  /^https?:\/\/(?:\*|(?:\*\.)?[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:[/?][!-~]*)?$/;

const parts = /^(https?):\/\/([^/?#]+?)(?::(\d{1,5}))?(\/[^?#]*)?(\?[^#]*)?$/i;
const hostName = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const literalIPv6 = /^\[[0-9A-Fa-f:.]+\]$/;

/** Returns undefined if the pattern is malformed. */
export function parseUrlPattern(text: string): UrlPattern | undefined {
  if (/[^!-~]/.test(text)) return undefined;
  const [, scheme, host, port = '', path = '/', query = ''] = parts.exec(text) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  const name = host.startsWith('*.') ? host.slice(2) : host;
  if (name !== '*' && !hostName.test(name) && !literalIPv6.test(name)) return undefined;
  // The host as the URL parser writes it, because an address in an unusual notation would never match.
  const stand = name === '*' ? 'any.example' : name;
  const url = parseUrl(`${scheme}://${stand}:${port}`);
  if (!url) return undefined;
  const steps = getSteps(path);
  return (
    steps && {
      scheme: url.protocol,
      host: name === '*' ? '*' : host.startsWith('*.') ? `*.${url.hostname}` : url.hostname,
      port: url.port,
      ...steps,
      query,
    }
  );
}

function getSteps(path: string): Pick<UrlPattern, 'segments' | 'open'> | undefined {
  const segments = path.slice(1).split('/');
  const open = segments.at(-1) === '*';
  if (open) segments.pop();
  if (pathProblem(`/${segments.join('/')}`) !== undefined) return undefined;
  if (segments.some((segment) => segment !== '*' && segment.includes('*'))) return undefined;
  return { segments: segments.map(canonicalSegment), open };
}

export function matchesUrl(pattern: UrlPattern, url: URL): boolean {
  if (url.protocol !== pattern.scheme || url.port !== pattern.port || !matchesHost(pattern.host, url.hostname))
    return false;
  const segments = url.pathname.slice(1).split('/').map(canonicalSegment);
  const { segments: wanted, open, query } = pattern;
  if (open ? segments.length <= wanted.length : segments.length !== wanted.length) return false;
  if (!open && url.search !== query) return false;
  return wanted.every((segment, index) => (segment === '*' ? segments[index] !== '' : segment === segments[index]));
}

/** The host alone, for `allowedDomains` of the egress wall. */
export const findHost = ({ host }: UrlPattern): string => host;

function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** Throws `invalid_input` for a URL that parsers could read in different ways. */
export function readUrl(raw: string): URL {
  const wrong = (why: string): HelveError =>
    new HelveError('invalid_input', `url: ${why}`, {
      hint: 'Send a plain URL such as https://hooks.example.com/path, without user name, fragment, `..` or encoded dots and slashes.',
    });
  if (/[^!-~]/.test(raw)) throw wrong('it holds a space, a control character or a letter that is not ASCII');
  if (raw.includes('\\')) throw wrong('it holds a backslash');
  if (raw.includes('#')) throw wrong('it holds a fragment');
  if (!/^https?:\/\//i.test(raw)) throw wrong('it does not begin with https:// or http://');
  const [, , host, port, path = '/'] = parts.exec(raw) ?? [];
  if (host === undefined) throw wrong('it cannot be parsed');
  if (host.includes('@')) throw wrong('it holds a user name or password');
  if (!hostName.test(host) && !literalIPv6.test(host)) throw wrong('its host is malformed');
  const problem = pathProblem(path);
  if (problem !== undefined) throw wrong(problem);
  const url = parseUrl(raw);
  if (!url || port === '0') throw wrong('it cannot be parsed');
  if (url.hostname !== host.toLowerCase() || url.pathname !== path) throw wrong('it is not in its normal spelling');
  return url;
}

function pathProblem(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'its path holds a % that encodes nothing';
  // Includes %25, because decoding twice would reveal the other sequences behind it; %c0 and %c1 begin overlong
  // encodings of ASCII.
  if (/%(?:2e|2f|5c|25|[01][0-9a-f]|7f|c[01])/i.test(path))
    return 'its path holds an encoded dot, slash, percent or control character';
  const segments = path.slice(1).split('/');
  if (segments.some((segment) => /^\.{1,2}(?:;|$)/.test(segment))) return 'its path holds . or .. as a segment';
  if (segments.slice(0, -1).includes('')) return 'its path holds an empty segment';
  return undefined;
}

const canonicalSegment = (segment: string): string => segment.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
