/**
 * The typed client: `client.call('POST /api/tools/execute', { body: { tool: 'calculate', input: { … } } })`.
 * It throws problems as `HelveError`; a tool call that was refused or failed is returned as a result. It repeats no request.
 */

import type { ChainProgress } from '../domain/chain.js';
import type { CodeVerdict } from '../domain/code-acts.js';
import { type ErrorCode, errorTable, HelveError } from '../domain/errors.js';
import type { ExecutionEvent } from '../domain/execution.js';
import type { Run, RunEvent } from '../domain/run.js';
import { defined } from '../util/defined.js';
import { parseUrl } from '../util/parse-url.js';
import { wasSent } from '../util/was-sent.js';
import type { Api } from './api.js';
import { textLines } from './lines.js';

export interface ClientOptions {
  /** The address of Helve: `http://127.0.0.1:4870`. */
  readonly url: string;
  /** An agent token or an API key. */
  readonly token?: string;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The `version` that was read; the request is refused with `precondition_failed` if it has changed. */
  readonly ifMatch?: string | number;
}

type Part<Key extends keyof Api, Name extends string> = Name extends keyof Api[Key]
  ? Record<never, never> extends Api[Key][Name]
    ? { readonly [N in Name]?: Api[Key][Name] }
    : { readonly [N in Name]: Api[Key][Name] }
  : unknown;
type Options<Key extends keyof Api> = Part<Key, 'params'> &
  Part<Key, 'query'> &
  Part<Key, 'body'> &
  (Key extends `PUT ${string}` ? Pick<Sent, 'ifMatch'> : unknown);
/** Options without required members are optional. */
type Rest<Key extends keyof Api> =
  Record<never, never> extends Options<Key>
    ? [options?: Options<Key>, signal?: AbortSignal]
    : [options: Options<Key>, signal?: AbortSignal];

type StartedRun = Omit<Api['POST /api/runs']['body'], 'mode'> & { readonly mode?: 'plan' | 'run' };

/**
 * Its methods throw a `HelveError`: a refusal of the server; `upstream_failed` if it does not respond, or a stream of it is cut, and
 * the request can be sent again; `outcome_unknown` if the connection was lost and the request may have had an effect. If the signal
 * was aborted they throw its reason.
 */
export interface HelveClient {
  /** Sends one request and returns its JSON reply. Throws a `HelveError` if it is refused or fails. */
  call<Key extends keyof Api>(route: Key, ...rest: Rest<Key>): Promise<Api[Key]['reply']>;
  /** Calls a tool and yields its events. Leaving the loop, or aborting the signal, cancels the call. */
  execute(body: Api['POST /api/tools/execute']['body'], signal?: AbortSignal): AsyncIterable<ExecutionEvent>;
  /** Follows a call that another request started. */
  follow(executionId: string, signal?: AbortSignal): AsyncIterable<ExecutionEvent>;
  /** Checks a program and runs nothing. */
  checkCode(program: Pick<StartedRun, 'code' | 'agent'>, signal?: AbortSignal): Promise<CodeVerdict>;
  /** Starts a program; returns when it has ended or waits, or with `wait: false` at once. Aborting leaves it running. */
  runCode(program: StartedRun, signal?: AbortSignal): Promise<Run>;
  /** Follows a run to its end, also while it waits. */
  followRun(run: { readonly id: string; readonly agent?: string }, signal?: AbortSignal): AsyncIterable<RunEvent>;
  /**
   * Checks the record and says how far it is; ends with `done`. `checkpoint`: the one of an earlier check, after which this
   * one begins. Leaving the loop, or aborting the signal, stops it.
   */
  checkRecord(checkpoint?: string, signal?: AbortSignal): AsyncIterable<ChainProgress>;
  /** Yields the lines of an export of the record as they come. */
  exportRecord(filter?: Api['GET /api/audit/export']['query'], signal?: AbortSignal): AsyncIterable<string>;
  /** Follows an issue: as it is, and again after every event. */
  followIssue(id: string, signal?: AbortSignal): AsyncIterable<Api['GET /api/issues/:id']['reply']>;
  /** Follows a synchronisation of the catalogue to its end. */
  followSync(jobId: string, signal?: AbortSignal): AsyncIterable<Api['POST /api/tools/sync']['reply']>;
}

/** Returns a client for the server at `options.url`. Nothing is sent until a method is called. */
export function createClient(options: ClientOptions): HelveClient {
  const send = sender(options);
  return {
    async call(route, ...[sent, signal]) {
      return (await readJson(await send(route, sent as Sent | undefined, 'application/json', signal))) as never;
    },
    async *execute(body, signal) {
      yield* events(await send('POST /api/tools/execute', { body }, eventStream, signal), 'tool-data');
    },
    async *follow(executionId, signal) {
      const route = 'GET /api/tools/executions/:executionId/events';
      yield* events(await send(route, { params: { executionId } }, eventStream, signal), 'tool-data');
    },
    async checkCode(program, signal) {
      const sent = { body: { ...program, mode: 'check' } };
      return (await readJson(await send('POST /api/runs', sent, 'application/json', signal))) as CodeVerdict;
    },
    async runCode(program, signal) {
      return (await readJson(await send('POST /api/runs', { body: program }, 'application/json', signal))) as Run;
    },
    async *followRun({ id, agent }, signal) {
      const sent = { params: { id }, query: { agent } };
      yield* events(await send('GET /api/runs/:id/events', sent, eventStream, signal), 'run');
    },
    async *checkRecord(checkpoint, signal) {
      yield* events(
        await send('GET /api/audit/verify/stream', { query: { checkpoint } }, eventStream, signal),
        'check',
      );
    },
    async *exportRecord(filter, signal) {
      const answer = await send('GET /api/audit/export', defined({ query: filter }), 'application/x-ndjson', signal);
      for await (const line of readLines(answer)) if (line !== '') yield line;
    },
    async *followIssue(id, signal) {
      yield* events(await send('GET /api/issues/:id/events', { params: { id } }, eventStream, signal), 'issue');
    },
    async *followSync(job, signal) {
      const route = 'GET /api/tools/sync/:job/events';
      yield* events(await send(route, { params: { job } }, eventStream, signal), 'sync');
    },
  };
}

const eventStream = 'text/event-stream';

interface Answer {
  readonly response: Response;
  /** The error for what was thrown while the answer was read. */
  readonly lost: (thrown: unknown) => unknown;
}

type Sender = (route: keyof Api, sent: Sent | undefined, accept: string, signal?: AbortSignal) => Promise<Answer>;

function sender({ url, token, fetch = globalThis.fetch }: ClientOptions): Sender {
  return async (route, sent, accept, signal) => {
    const [method = 'GET', path = ''] = route.split(' ');
    const address = getAddress(url, path, sent);
    const lost = (thrown: unknown) =>
      signal?.aborted || thrown instanceof HelveError ? thrown : describeLoss(thrown, { method, address });
    const request = {
      method,
      headers: {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sent?.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(sent?.ifMatch === undefined ? {} : { 'if-match': `"${sent.ifMatch}"` }),
      },
      ...(sent?.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      ...defined({ signal }),
    };
    try {
      const response = await fetch(address, request);
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
      if (isProblem) throw toError((await response.json()) as Record<string, unknown>);
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      if (!response.ok && !isJson) throw new HelveError('upstream_failed', `Helve answered ${response.status}`);
      return { response, lost };
    } catch (thrown) {
      throw lost(thrown);
    }
  };
}

/** What is known about a request that got no whole answer. */
function describeLoss(thrown: unknown, { method, address }: { readonly method: string; readonly address: string }) {
  const { origin } = new URL(address);
  if (thrown instanceof SyntaxError)
    return new HelveError('upstream_failed', `${origin} did not answer with JSON`, {
      hint: 'Check that it is the address of Helve.',
      cause: thrown,
    });
  const message = `Helve at ${origin} did not respond: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  if (method === 'GET' || !wasSent(thrown)) return new HelveError('upstream_failed', message, { cause: thrown });
  return new HelveError('outcome_unknown', message, {
    hint: 'The request may have had its effect: check before you repeat it.',
    cause: thrown,
  });
}

async function readJson({ response, lost }: Answer): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch (thrown) {
    throw lost(thrown);
  }
}

async function* readLines({ response, lost }: Answer): AsyncGenerator<string> {
  try {
    yield* textLines(response);
  } catch (thrown) {
    throw lost(thrown);
  }
}

function getAddress(base: string, path: string, sent: Sent | undefined): URL['href'] {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = sent?.params?.[name] ?? '';
    // An empty or dotted segment would change the path.
    if (/^\.{0,2}$/.test(value)) throw new HelveError('invalid_input', `${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  // Programs without types may have no address.
  const url = typeof base === 'string' ? parseUrl(base.replace(/\/$/, '') + filled) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new HelveError('invalid_input', `${JSON.stringify(base)} is not the address of a server`, {
      hint: 'Write it with http:// or https://, such as http://127.0.0.1:4870.',
    });
  for (const [name, value] of Object.entries(sent?.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function toError({ code, detail, hint, details }: Record<string, unknown>): HelveError {
  const known = typeof code === 'string' && Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'upstream_failed';
  return new HelveError(known, String(detail), {
    ...(typeof hint === 'string' ? { hint } : {}),
    ...(details === undefined ? {} : { details: details as Record<string, unknown> }),
  });
}

/** Reads server-sent events as Helve writes them: one line of data each. */
async function* events<Event>(answer: Answer, wanted: string): AsyncGenerator<Event> {
  let name = '';
  for await (const line of readLines(answer)) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line === '') name = '';
    else if (line.startsWith('data: ')) {
      const data: unknown = JSON.parse(line.slice(6));
      if (name === 'error') throw toError(data as Record<string, unknown>);
      if (name === wanted) yield data as Event;
    }
  }
}
