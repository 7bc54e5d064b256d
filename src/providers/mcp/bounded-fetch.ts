/**
 * Requests to a server over HTTP: the account's header is put on, refusals are told in our words, and what comes back is
 * bounded in size and nesting before the library reads it. Redirects to another host are refused by the library.
 */
import { HelveError } from '../../domain/errors.js';
import { limits } from './limits.js';
import { createNestingGuard } from './nesting-guard.js';

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface BoundedFetchOptions {
  readonly fetch: FetchLike;
  readonly server: string;
  /** Asked before each request, so that a renewed secret is used at once. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}

export function createBoundedFetch({ fetch, server, headers }: BoundedFetchOptions): FetchLike {
  return async (url, init) => {
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(await headers())) sent.set(name, value);
    // Redirects are followed by the library, which stays within the origin.
    const response = await fetch(url, { ...init, headers: sent, redirect: 'manual' });
    const refusal = refusalOf(response, server);
    if (refusal) {
      await response.body?.cancel().catch(() => undefined);
      throw refusal;
    }
    return bounded(response, server);
  };
}

function refusalOf({ status, headers }: Response, server: string): HelveError | undefined {
  if (status === 401) {
    return new HelveError('connection_inaccessible', `${server} refused the account (401)`, {
      hint: 'The account must be connected anew; a person can do that.',
    });
  }
  if (status === 403) return new HelveError('forbidden', `${server} does not let this account do that (403)`);
  if (status !== 429) return undefined;
  const seconds = retryAfter(headers.get('retry-after'));
  return new HelveError('rate_limited', `${server} was asked too often (429)`, {
    ...(seconds === undefined ? {} : { details: { retryAfterSeconds: seconds } }),
  });
}

function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d{1,7}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function bounded(response: Response, server: string): Response {
  if (!response.body) return response;
  const streamed = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const guard = createNestingGuard(limits.messageDepth);
  let message = 0;
  let total = 0;
  let last = 0;
  const tooMuch = (what: string): HelveError =>
    new HelveError('too_large', `${server} answered with ${what}`, {
      hint: 'It may have done what was asked. Ask for less.',
    });
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        total += chunk.length;
        for (let from = 0; from < chunk.length; ) {
          const end = streamed ? endOfLine(chunk, from) : chunk.length;
          message += end - from;
          if (message > limits.messageBytes) throw tooMuch(`a message of more than ${limits.messageBytes} bytes`);
          if (!guard.take(chunk.subarray(from, end)))
            throw tooMuch(`more than ${limits.messageDepth} levels of nesting`);
          // An empty line ends an event.
          if (streamed && chunk[end - 1] === 0x0a) {
            if (end - from === 1 && last === 0x0a) message = 0;
            guard.reset();
          }
          last = chunk[end - 1] === 0x0d ? last : (chunk[end - 1] ?? 0);
          from = end;
        }
        // A stream that stays open for notices may carry much in a long life; an answer may not.
        if (total > limits.streamBytes) throw tooMuch(`more than ${limits.streamBytes} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}

function endOfLine(chunk: Uint8Array, from: number): number {
  const index = chunk.indexOf(0x0a, from);
  return index < 0 ? chunk.length : index + 1;
}
