/**
 * Converts what a caller may pass (a URL, a `Request`, an object) to one form, and checks it before anything is sent.
 */
import { acceptEncoding } from './body.js';
import { invalidInput } from './failures.js';
import { parseTarget } from './guard.js';
import { requestHeaders } from './headers.js';
import type { ResolvedPolicy } from './policy.js';
import type { Hop } from './redirects.js';
import type { EgressRequest } from './types.js';

/** A call whose first hop has passed all checks that are possible before the look-up. */
export interface Call {
  readonly hop: Hop;
  readonly redirect: 'follow' | 'manual' | 'error';
  readonly maxBytes: number;
  readonly truncate: boolean;
}

type Input = EgressRequest | Request | URL | string;

/** An object with `url` and a readable body; not `instanceof`, because another copy of undici has another class. */
const isWebRequest = (input: EgressRequest | Request): input is Request =>
  typeof (input as Request).arrayBuffer === 'function';

const getRequest = (input: Input): EgressRequest | Request =>
  typeof input === 'string' || input instanceof URL ? { url: input } : input;

/** Returns the signal and the time limit, which are needed before the rest is read. */
export function getLimits(
  policy: ResolvedPolicy,
  input: Input,
): { timeoutMs: number; signal: AbortSignal | undefined } {
  const request = getRequest(input);
  if (!request) throw invalidInput('A request is a URL, a Request or an object');
  const { timeoutMs } = isWebRequest(request) ? {} : request;
  return { timeoutMs: lowered('timeoutMs', timeoutMs, policy.timeoutMs, 1), signal: request.signal };
}

export async function readCall(policy: ResolvedPolicy, input: Input): Promise<Call> {
  const request = await plain(getRequest(input));
  const url = parseTarget(policy, typeof request.url === 'string' ? request.url : String(request.url));
  const headers = requestHeaders(Object.entries(request.headers ?? {}));
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value);
  const secretHeaders = new Set((request.secretHeaders ?? []).map((name) => name.toLowerCase()));
  return {
    hop: { url, method: getMethod(request.method), headers, body: buildBody(request.body), secretHeaders },
    redirect: request.redirect ?? 'follow',
    maxBytes: lowered('maxBytes', request.maxBytes, policy.maxBytes, 0),
    truncate: request.truncate ?? policy.truncate,
  };
}

const defaults: readonly (readonly [string, string])[] = [
  ['accept', '*/*'],
  ['accept-encoding', acceptEncoding],
  ['user-agent', 'helve'],
];

async function plain(input: EgressRequest | Request): Promise<EgressRequest> {
  if (!isWebRequest(input)) return input;
  if (input.bodyUsed) throw invalidInput('The body of the Request was already read');
  const body = input.body === null ? {} : { body: new Uint8Array(await input.arrayBuffer()) };
  const headers: Record<string, string> = Object.fromEntries(input.headers.entries());
  return { url: input.url, method: input.method, headers, redirect: input.redirect, ...body };
}

function getMethod(method: string | undefined): string {
  const name = method ?? 'GET';
  if (typeof name !== 'string' || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw invalidInput('The method is malformed');
  const upper = name.toUpperCase();
  if (['CONNECT', 'TRACE', 'TRACK'].includes(upper)) throw invalidInput(`The method ${upper} is not allowed`);
  return upper;
}

function buildBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  throw invalidInput('The body is neither a string nor bytes');
}

function lowered(name: string, value: number | undefined, most: number, least: number): number {
  if (value === undefined) return most;
  if (Number.isInteger(value) && value >= least) return Math.min(value, most);
  throw invalidInput(`${name} must be a whole number of at least ${least}`);
}
