/**
 * The typed client: `client.call('POST /api/tools/execute', { body: { tool: 'calculate', input: { … } } })`.
 * It throws problems as `HelveError`; a tool call that was refused or failed is returned as a result.
 */

import type { ChainProgress } from '../domain/chain.js';
import type { CodeVerdict } from '../domain/code-acts.js';
import { type ErrorCode, errorTable, HelveError } from '../domain/errors.js';
import type { ExecutionEvent } from '../domain/execution.js';
import type { Run, RunEvent } from '../domain/run.js';
import { defined } from '../util/defined.js';
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
      const response = await send(route, sent as Sent | undefined, 'application/json', signal);
      return (response.status === 204 ? undefined : await response.json()) as never;
    },
    async *execute(body, signal) {
      yield* events(await send('POST /api/tools/execute', { body }, eventStream, signal), 'tool-data');
    },
    async *follow(executionId, signal) {
      const route = 'GET /api/tools/executions/:executionId/events';
      yield* events(await send(route, { params: { executionId } }, eventStream, signal), 'tool-data');
    },
    async checkCode(program, signal) {
      const response = await send(
        'POST /api/runs',
        { body: { ...program, mode: 'check' } },
        'application/json',
        signal,
      );
      return (await response.json()) as CodeVerdict;
    },
    async runCode(program, signal) {
      return (await (await send('POST /api/runs', { body: program }, 'application/json', signal)).json()) as Run;
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
      const response = await send('GET /api/audit/export', defined({ query: filter }), 'application/x-ndjson', signal);
      for await (const line of textLines(response)) if (line !== '') yield line;
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

type Sender = (route: keyof Api, sent: Sent | undefined, accept: string, signal?: AbortSignal) => Promise<Response>;

function sender({ url, token, fetch = globalThis.fetch }: ClientOptions): Sender {
  return async (route, sent, accept, signal) => {
    const [method, path = ''] = route.split(' ');
    const response = await fetch(getAddress(url, path, sent), {
      method: method ?? 'GET',
      headers: {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sent?.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(sent?.ifMatch === undefined ? {} : { 'if-match': `"${sent.ifMatch}"` }),
      },
      ...(sent?.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      ...defined({ signal }),
    });
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
    if (isProblem) throw toError((await response.json()) as Record<string, unknown>);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (!response.ok && !isJson) throw new HelveError('upstream_failed', `Helve answered ${response.status}`);
    return response;
  };
}

function getAddress(base: string, path: string, sent: Sent | undefined): URL['href'] {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = sent?.params?.[name] ?? '';
    // An empty or dotted segment would change the path.
    if (/^\.{0,2}$/.test(value)) throw new HelveError('invalid_input', `${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  const url = new URL(base.replace(/\/$/, '') + filled);
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
async function* events<Event>(response: Response, wanted: string): AsyncGenerator<Event> {
  let name = '';
  for await (const line of textLines(response)) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line === '') name = '';
    else if (line.startsWith('data: ')) {
      const data: unknown = JSON.parse(line.slice(6));
      if (name === 'error') throw toError(data as Record<string, unknown>);
      if (name === wanted) yield data as Event;
    }
  }
}
