/**
 * Follows redirects ourselves: builds the next request, and drops what it must no longer carry.
 *
 * The target is not checked here: it passes the whole wall like a first URL.
 */
import { HelveError, toHelveError } from '../../domain/errors.js';
import { parseTarget } from './guard.js';
import { isSecretHeader } from './headers.js';
import type { ResolvedPolicy } from './policy.js';

/** One request that is sent. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | Uint8Array | undefined;
  /** Lower-case names that the caller declared secret. */
  readonly secretHeaders: ReadonlySet<string>;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export const isRedirect = (status: number, location: string | undefined): location is string =>
  redirectStatuses.has(status) && location !== undefined;

export function nextHop(policy: ResolvedPolicy, hop: Hop, status: number, location: string): Hop {
  const url = parseTarget(policy, location, hop.url);
  const becomesGet =
    status === 303 ? hop.method !== 'GET' && hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  const headers = new Map(hop.headers);
  for (const name of hop.headers.keys()) {
    if (becomesGet && name.startsWith('content-')) headers.delete(name);
    // Another scheme is another origin, so a downgrade to http drops secrets too.
    if (url.origin !== hop.url.origin && (isSecretHeader(name) || hop.secretHeaders.has(name))) headers.delete(name);
  }
  return { ...hop, url, headers, ...(becomesGet ? { method: 'GET', body: undefined } : {}) };
}

/** Counts the hops of one call and ends it at the limit or when a request repeats an earlier one. */
export function createRedirectTrail(policy: ResolvedPolicy, mode: 'follow' | 'error') {
  const urls: string[] = [];
  const seen = new Set<string>();
  return {
    urls,
    follow(hop: Hop, status: number, location: string): Hop {
      if (mode === 'error') {
        throw new HelveError('upstream_failed', `${hop.url.hostname} redirects, which this call does not follow`);
      }
      seen.add(`${hop.method} ${hop.url.href}`);
      if (urls.length >= policy.maxRedirects) throw stopped(`more than ${policy.maxRedirects} redirects`, hop);
      const next = redirected(policy, hop, status, location);
      if (seen.has(`${next.method} ${next.url.href}`)) throw stopped('redirects in a cycle', hop);
      urls.push(next.url.href);
      return next;
    },
  };
}

function redirected(policy: ResolvedPolicy, hop: Hop, status: number, location: string): Hop {
  try {
    return nextHop(policy, hop, status, location);
  } catch (thrown) {
    const error = toHelveError(thrown);
    if (error.code === 'egress_blocked') throw refusedRedirect(hop, error);
    throw new HelveError('upstream_failed', `${hop.url.hostname} redirects to a URL that cannot be parsed`);
  }
}

const refusedRedirect = (hop: Hop, { code, message, hint }: HelveError): HelveError =>
  new HelveError(code, `${hop.url.hostname} redirects: ${message}`, hint === undefined ? {} : { hint });

const stopped = (reason: string, hop: Hop): HelveError =>
  new HelveError('upstream_failed', `${hop.url.hostname}: ${reason}`);
