/** A service's answer, with secrets removed, and its refusals translated. */
import type { HttpResponse } from '../domain/context.js';
import { type ErrorCode, HelveError } from '../domain/errors.js';
import type { Explained, ServiceResponse } from '../domain/service.js';
import { parseExactJson } from '../util/json-text.js';
import type { Scrub } from './scrub.js';

const textTypes =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|graphql|x-www-form-urlencoded|problem))/i;

/** `mayHaveActed`: the request was to change something, so it must not be sent again because its answer cannot be read. */
export function readAnswer(
  response: HttpResponse,
  { scrub, mayHaveActed }: { readonly scrub: Scrub; readonly mayHaveActed: boolean },
): ServiceResponse {
  const type = response.headers['content-type'] ?? '';
  const isText = type === '' || textTypes.test(type);
  let text: string | undefined;
  const asText = (): string => {
    text ??= scrub(response.text());
    return text;
  };
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, scrub(value)]));
  return {
    status: response.status,
    headers,
    url: scrub(response.url),
    get body() {
      return isText ? Buffer.from(asText(), 'utf8') : response.body;
    },
    text: asText,
    json<T>(): T {
      const body = asText();
      if (body.trim() === '') return undefined as T;
      try {
        return parseExactJson(body) as T;
      } catch {
        const said = `The service answered ${response.status} with something that is not JSON`;
        throw mayHaveActed ? unreadable(said) : new HelveError('upstream_failed', said);
      }
    },
  };
}

/** For the answer to a request that was to change something. */
export function unreadable(why: string): HelveError {
  return new HelveError('outcome_unknown', `The service answered, but its answer cannot be read: ${why}`, {
    hint: 'The request may have taken effect. Check before you repeat it.',
  });
}

/** Undefined if the answer is not a refusal. */
export function judge(
  response: ServiceResponse,
  explained: Explained | undefined,
  accepted: readonly number[],
): Explained | undefined {
  const { status } = response;
  if (accepted.includes(status)) return undefined;
  const missing = status === 403 ? missingScopes(response) : undefined;
  if (missing) return missing;
  if (explained) return explained;
  if (status < 300 || status === 304) return undefined;
  if (status < 400) return { message: `The service redirects to another address (${status})`, code: 'upstream_failed' };
  return { message: `The service answered ${status}: ${firstWords(response.text())}` };
}

/** RFC 6750: the account could do more if it were connected with more scopes. */
function missingScopes({ headers }: ServiceResponse): Explained | undefined {
  const challenge = headers['www-authenticate'] ?? '';
  if (!/\berror="?insufficient_scope/.test(challenge)) return undefined;
  const scopes = /\bscope="([^"]*)"/.exec(challenge)?.[1]?.split(' ').filter(Boolean) ?? [];
  return {
    code: 'connection_inaccessible',
    message: 'Connection not accessible',
    hint: `The account must be connected again with more scopes${scopes.length === 0 ? '' : `: ${scopes.join(' ')}`}.`,
    details: { scopes },
  };
}

export function getCode({ code }: Explained, status: number): ErrorCode {
  if (code) return code;
  switch (status) {
    case 400:
    case 422:
      return 'invalid_input';
    case 401:
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'not_found';
    case 409:
    case 412:
      return 'conflict';
    case 413:
      return 'too_large';
    case 429:
      return 'rate_limited';
    default:
      return 'upstream_failed';
  }
}

/**
 * Returns seconds, from a number or a date (RFC 9110); undefined if there is no valid value. A date refers to the service's own
 * clock, if the answer says what that shows.
 */
export function retryAfter(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  const theirs = Date.parse(headers.date ?? '');
  const clock = Number.isNaN(theirs) ? now.getTime() : theirs;
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - clock) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function firstWords(body: string): string {
  const plain = body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? 'without saying why' : plain.slice(0, 300);
}
