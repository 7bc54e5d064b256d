/**
 * Sends requests to a service with an account's credentials: retries only if that can do no harm, never before the
 * service allows it, at most five times.
 *
 * A retry is allowed for what the service refused to do (429, an expired token, a 503 that names a time), what was
 * never sent, and what changes nothing the second time. Any other effect whose answer is lost is `outcome_unknown`.
 */

import type { CredentialPlacement } from '../domain/connection.js';
import type { HttpResponse } from '../domain/context.js';
import { HelveError, toHelveError } from '../domain/errors.js';
import type {
  Explained,
  ServiceClient,
  ServiceDefinition,
  ServiceRequest,
  ServiceResponse,
} from '../domain/service.js';
import { defined } from '../util/defined.js';
import type { Gate } from './gate.js';
import { type OutgoingRequest, placeCredentials } from './placement.js';
import type { CallScrub } from './scrub.js';
import { getCode, judge, readAnswer, retryAfter, unreadable } from './service-answer.js';
import { isHarmless, isRepeatable, type PreparedRequest, prepareRequest, type Servers } from './service-request.js';

export interface AttachedCredentials {
  readonly placements: readonly CredentialPlacement[];
  readonly values: Readonly<Record<string, string>>;
  /** The token in these credentials, to report which one was refused. */
  readonly accessToken?: string | undefined;
  readonly secrets: readonly string[];
}

export interface ServiceClientParts {
  readonly definition: ServiceDefinition;
  readonly servers: Servers;
  /** Goes through the egress wall, narrowed to the servers. */
  readonly fetch: (request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
    readonly secretHeaders: readonly string[];
  }) => Promise<HttpResponse>;
  readonly credentials: {
    /** `refused`: the token that the service did not accept. */
    get(refused?: string): Promise<AttachedCredentials>;
    /** Called when the service refuses even fresh credentials. Throws `connection_inaccessible`. */
    rejected(reason: string): Promise<never>;
  };
  readonly gate: Gate;
  /** Key of the account: a pause that the service asks for applies to all its calls. */
  readonly gateKey: string;
  /** Returns the key of one request of the call: called once for each request that carries a key, not for its retries. */
  readonly idempotencyKey: () => string;
  readonly scrub: CallScrub;
  /** Called when the service has carried out a request that another call must not repeat. */
  readonly onEffect?: (() => void) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const maxAttempts = 5;
/** Maximum total wait of a call for a service that asks for time; a longer wait is for the caller to plan. */
const patienceMs = 20_000;
const firstBackoffMs = 250;
/** However long a service asks not to be called, it is tried once in this time. */
const maxPauseMs = 60 * 60_000;
/** Failures before a byte was sent. */
const neverSent = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);
const final = new Set(['egress_blocked', 'cancelled', 'too_large', 'invalid_input', 'shutting_down']);

type Verdict =
  | { readonly done: ServiceResponse }
  | { readonly again: 'now' | 'later'; readonly waitMs?: number; readonly error: HelveError };

/** Creates the client for one call with one account. */
export function createServiceClient(parts: ServiceClientParts): ServiceClient {
  async function request(wanted: ServiceRequest): Promise<ServiceResponse> {
    const prepared = prepareRequest(wanted, parts.definition, parts.servers, parts.idempotencyKey);
    const state: Attempts = { refused: undefined, waitedMs: 0, doubtful: false };
    try {
      return await attempts(wanted, prepared, state);
    } catch (thrown) {
      // The key that made it repeatable belonged to this call: the next call has another key and would repeat the
      // effect. A clear refusal is an answer, since under the same key the service would have confirmed an effect.
      const error = toHelveError(thrown);
      throw state.doubtful && !isHarmless(wanted) && noAnswer.has(error.code) ? doubted(error) : thrown;
    }
  }

  async function attempts(
    wanted: ServiceRequest,
    prepared: PreparedRequest,
    state: Attempts,
  ): Promise<ServiceResponse> {
    let last: HelveError | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      await waitForTurn(parts, state);
      const verdict = await attemptOnce(parts, wanted, prepared, state);
      if ('done' in verdict) return verdict.done;
      last = verdict.error;
      if (attempt === maxAttempts) break;
      if (verdict.again === 'now') continue;
      const wait = verdict.waitMs ?? firstBackoffMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      if (state.waitedMs + wait > patienceMs) break;
      state.waitedMs += wait;
      await parts.sleep(wait, parts.signal);
    }
    throw last ?? new HelveError('internal', 'No request was made');
  }

  return {
    request,
    async json<T>(wanted: ServiceRequest): Promise<T> {
      return (await request(wanted)).json<T>();
    },
  };
}

interface Attempts {
  /** The token that the service refused, once. */
  refused: string | undefined;
  waitedMs: number;
  /** An answer was lost, or was not a clear refusal: the effect may have happened. */
  doubtful: boolean;
}

const noAnswer = new Set(['upstream_failed', 'timeout', 'rate_limited']);

function doubted(error: HelveError): HelveError {
  return new HelveError('outcome_unknown', `It is not known whether the request took effect: ${error.message}`, {
    hint: 'It may have taken effect. Check before you repeat it.',
    ...defined({ details: error.details }),
  });
}

function pauseFor({ gate, gateKey, now }: ServiceClientParts, seconds: number): void {
  gate.pause(gateKey, now().getTime() + Math.min(seconds * 1_000, maxPauseMs));
}

async function waitForTurn({ gate, gateKey, now, sleep, signal }: ServiceClientParts, state: Attempts): Promise<void> {
  for (;;) {
    const wait = gate.waitMs(gateKey, now().getTime());
    if (wait === 0) return;
    if (state.waitedMs + wait > patienceMs) throw limited('The service asked not to be called yet', wait / 1_000);
    state.waitedMs += wait;
    await sleep(wait, signal);
  }
}

async function attemptOnce(
  parts: ServiceClientParts,
  wanted: ServiceRequest,
  prepared: PreparedRequest,
  state: Attempts,
): Promise<Verdict> {
  const credentials = await parts.credentials.get(state.refused);
  const scrub = parts.scrub.text;
  parts.scrub.see(credentials.secrets);
  let response: ServiceResponse;
  try {
    response = readAnswer(await send(parts, prepared, credentials), { scrub, mayHaveActed: !isHarmless(wanted) });
  } catch (thrown) {
    const error = toHelveError(thrown, 'upstream_failed');
    if (!wasNeverSent(error)) state.doubtful = true;
    // It came, so sending the request again would not help.
    if (error.code === 'too_large' && !isHarmless(wanted)) throw unreadable(scrub(error.message));
    return afterFailure(error, isRepeatable(wanted, parts.definition), scrub);
  }
  const refusal = judge(response, parts.definition.explain?.(response), wanted.accept ?? []);
  const pause = parts.definition.pause?.(response, parts.now());
  if (pause !== undefined && pause > 0) pauseFor(parts, pause);
  if (!refusal) {
    if (!isHarmless(wanted)) parts.onEffect?.();
    return { done: response };
  }
  if (refusal.tokenRefused || response.status === 401) {
    if (state.refused !== undefined || credentials.accessToken === undefined)
      return parts.credentials.rejected(scrub(refusal.message));
    state.refused = credentials.accessToken;
    return { again: 'now', error: new HelveError('connection_inaccessible', scrub(refusal.message)) };
  }
  if (response.status >= 500) state.doubtful = true;
  return afterRefusal(parts, response, refusal, wanted);
}

async function send(
  parts: ServiceClientParts,
  prepared: PreparedRequest,
  { placements, values }: AttachedCredentials,
): Promise<HttpResponse> {
  const placed: OutgoingRequest = placeCredentials(prepared, placements, values, prepared.serverPath);
  const secretHeaders = Object.keys(placed.headers).filter((name) => placed.headers[name] !== prepared.headers[name]);
  const answer = await parts.fetch({
    url: placed.url.href,
    method: prepared.method,
    headers: placed.headers,
    secretHeaders,
    ...defined({ body: prepared.body }),
  });
  if (answer.truncated)
    throw new HelveError('too_large', 'The answer of the service is larger than the limit', { hint: 'Ask for less.' });
  return answer;
}

function afterFailure(error: HelveError, repeatable: boolean, scrub: (text: string) => string): Verdict {
  const cleaned = new HelveError(
    error.code,
    scrub(error.message),
    error.hint === undefined ? {} : { hint: error.hint },
  );
  if (final.has(error.code)) throw cleaned;
  if (repeatable || wasNeverSent(error)) return { again: 'later', error: cleaned };
  throw new HelveError('outcome_unknown', `The service's answer was lost: ${cleaned.message}`, {
    hint: 'It may have taken effect. Check before you repeat it.',
  });
}

function wasNeverSent({ cause }: HelveError): boolean {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && neverSent.has(code);
}

function afterRefusal(
  parts: ServiceClientParts,
  response: ServiceResponse,
  refusal: Explained,
  wanted: ServiceRequest,
): Verdict {
  const { status } = response;
  const code = getCode(refusal, status);
  const seconds = refusal.retryAfterSeconds ?? retryAfter(response.headers, parts.now());
  const refusedForNow = code === 'rate_limited' || (status === 503 && seconds !== undefined);
  if (refusedForNow) {
    if (seconds !== undefined) pauseFor(parts, seconds);
    const error = code === 'rate_limited' ? limited(refusal.message, seconds, refusal) : refused(code, refusal, status);
    if (seconds !== undefined && seconds * 1_000 > patienceMs) throw error;
    // The gate delays the next attempt until then. A service that names no time, or none to wait, is not asked at once.
    return { again: seconds ? 'now' : 'later', error };
  }
  const error = refused(code, refusal, status);
  if (status >= 500 && isRepeatable(wanted, parts.definition)) return { again: 'later', error };
  if (status < 500 && !isUnexplainedRedirect(status, code)) throw error;
  if (isHarmless(wanted)) throw error;
  throw new HelveError('outcome_unknown', `${refusal.message}`, {
    hint: 'It may have taken effect anyway. Check before you repeat it.',
    details: { status },
  });
}

/** Effects are not redirected, so the redirect is the answer, and may mean that the effect has happened. */
function isUnexplainedRedirect(status: number, code: HelveError['code']): boolean {
  return status >= 300 && status < 400 && code === 'upstream_failed';
}

function refused(code: HelveError['code'], { message, hint, details }: Explained, status: number): HelveError {
  return new HelveError(code, message, {
    ...defined({ hint }),
    details: { status, ...details },
  });
}

function limited(message: string, seconds: number | undefined, of?: Explained): HelveError {
  const wait = seconds === undefined ? undefined : Math.ceil(seconds);
  return new HelveError('rate_limited', message, {
    hint: of?.hint ?? (wait === undefined ? 'Try again later.' : `Try again in ${wait} seconds.`),
    details: { ...of?.details, ...defined({ retryAfterSeconds: wait }) },
  });
}
