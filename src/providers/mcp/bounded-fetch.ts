/**
 * Requests to a server over HTTP: adds the account's header, translates refusals, and limits the size and nesting of
 * responses before the library reads them. The library refuses redirects to another host.
 */
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { limits } from './limits.js';
import { createNestingGuard } from './nesting-guard.js';

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface BoundedFetchOptions {
  readonly fetch: FetchLike;
  readonly server: string;
  /** Called before each request, so that a renewed secret is used immediately. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}

/** Returns a `fetch` with these limits. It throws `HelveError` for refusals that concern the account. */
export function createBoundedFetch({ fetch, server, headers }: BoundedFetchOptions): FetchLike {
  return async (url, init) => {
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(await headers())) sent.set(name, value);
    // The library follows redirects within the origin.
    const response = await fetch(url, { ...init, headers: sent, redirect: 'manual' });
    const refusal = explainRefusal(response, server);
    if (refusal) {
      await response.body?.cancel().catch(() => undefined);
      throw refusal;
    }
    return bounded(response, server);
  };
}

function explainRefusal({ status, headers }: Response, server: string): HelveError | undefined {
  if (status === 401) {
    return new HelveError('connection_inaccessible', `${server} refused the account (401)`, {
      hint: 'The account must be connected again; a person can do that.',
    });
  }
  if (status === 403) return new HelveError('forbidden', `${server} does not let this account do that (403)`);
  if (status !== 429) return undefined;
  const retryAfterSeconds = retryAfter(headers.get('retry-after'));
  const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
  return new HelveError('rate_limited', `${server} received too many requests (429)`, defined({ details }));
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
  /** Whether the present line is empty so far. */
  let isEmpty = true;
  const tooMuch = (what: string): HelveError =>
    new HelveError('too_large', `${server} answered with ${what}`, {
      hint: 'The call may have had its effect. Request less data.',
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
          isEmpty &&= chunk.subarray(from, end).every((byte) => byte === 0x0a || byte === 0x0d);
          if (streamed && chunk[end - 1] === 0x0a) {
            // An empty line ends an event.
            if (isEmpty) message = 0;
            guard.reset();
            isEmpty = true;
          }
          from = end;
        }
        // A stream for notifications may carry much over a long life; a response may not.
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
