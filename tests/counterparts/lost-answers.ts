/**
 * A call of a program whose answer is lost, as if the process had died in it, and the same call again by the next owner of
 * the run. The counterpart is behind a server of ours that loses the answer, so that it can count what happened to it.
 */
import type { ServerResponse } from 'node:http';
import { HelveError } from '../../src/domain/errors.js';
import type { CallInRun, ToolResult } from '../../src/domain/execution.js';
import type { Principal } from '../../src/domain/principal.js';
import type { ToolDefinition } from '../../src/domain/tool.js';
import type { TestHelve } from '../../src/testing/index.js';
import { newId } from '../../src/util/hash.js';
import { thisProcess } from '../../src/util/process-identity.js';
import type { Scripted, Seen } from './scripted.js';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is bytes. */
  readonly body?: unknown;
}

/** What a counterpart does with a request. */
export type Act = (seen: Seen) => Reply | Promise<Reply>;

export interface ProgramCall {
  readonly helve: TestHelve;
  /** As models see it. */
  readonly tool: string;
  readonly input: object;
  /** Default: the agent of the test, for nobody. */
  readonly principal?: Principal;
  /** The loop of an agent makes it, and not a program. */
  readonly isLoop?: boolean;
}

type FirstPlace = { readonly runId: string } & Pick<CallInRun, 'replaces' | 'doubtfulSince'>;

/**
 * Makes the call in the first place of a run: the first time alone, and then with the attempt whose answer was lost.
 * `isLost`: the answer is not written.
 */
export async function callInRun(
  { helve, tool, input, principal = helve.agent, isLoop = false }: ProgramCall,
  { runId, isLost = false, ...place }: FirstPlace & { readonly isLost?: boolean },
  signal?: AbortSignal,
): Promise<ToolResult> {
  await startRun(helve, runId);
  if (place.replaces !== undefined) await plantAttempt(helve, runId, place.replaces);
  let position = 0;
  const run: CallInRun = {
    ...place,
    runId,
    number: 1,
    // Read for each write: the start is this owner's.
    get lease() {
      return isLost && position > 0 ? 0 : 1;
    },
    maxAnswerChars: 1_000_000,
    argumentsHash: 'h',
    isLoop,
    nextPosition: () => ++position,
    onRecorded: () => {},
  };
  return helve.call(tool, input, { principal, run, ...(signal ? { signal } : {}) });
}

/** Puts a run in the store, as if this process executed it. */
async function startRun({ storage, workspaceId, agent }: TestHelve, id: string): Promise<void> {
  const { runs } = storage.workspace(workspaceId);
  if (await runs.find(id)) return;
  // A run whose owner is not alive would be taken over.
  await storage.system.touchInstance({ id: 'tests', ...thisProcess() });
  const facts = { code: '', tools: {}, declarations: '', replayVersion: 1, policyVersion: 1, seed: 1, limits: {} };
  const startedAt = new Date().toISOString();
  const run = {
    ...facts,
    id,
    principal: agent,
    mode: 'run',
    status: 'running',
    owner: 'tests',
    lease: 1,
    takeovers: [],
    startedAt,
  } as const;
  await runs.insert({ ...run, waits: [], logs: [] }, []);
}

/** Puts an attempt without an answer in the ledger, unless it is there. */
async function plantAttempt({ storage, workspaceId }: TestHelve, runId: string, executionId: string): Promise<void> {
  const at = new Date().toISOString();
  const place = { runId, lease: 1, kind: 'call', number: 1, executionId } as const;
  await storage.commit([
    { workspaceId, events: [], step: { ...place, write: 'start', at, tool: 'earlier', inputHash: 'h' } },
  ]);
}

export interface CalledTwice<State> {
  readonly first: ToolResult;
  /** What `look` saw between the two calls. */
  readonly between: State;
  readonly second: ToolResult;
}

/**
 * The same call a second time. The first has its effect, but another process owned the run when its answer was to be
 * written. For what needs no counterpart.
 */
export async function callTwice<State = undefined>(
  call: ProgramCall,
  look?: () => State | Promise<State>,
): Promise<CalledTwice<State | undefined>> {
  const runId = newId();
  const startedAt = new Date().toISOString();
  const first = await callInRun(call, { runId, isLost: true });
  const between = await look?.();
  const second = await callInRun(call, { runId, replaces: first.executionId, doubtfulSince: startedAt });
  return { first, between, second };
}

export interface LosingCounterpart {
  readonly server: Scripted;
  readonly act: Act;
  /** Which request has the effect. Default: the first that is not GET. */
  readonly isEffect?: (seen: Seen) => boolean;
}

export interface Repeated {
  /** The result of the second call. */
  readonly result: ToolResult;
  /** What the counterpart was asked during the second call. */
  readonly seen: readonly Seen[];
}

export type Lost = 'before' | 'after';

/**
 * Makes the call, and loses its answer: after the counterpart acted, or before the request reached it. Then makes it again
 * in the same place of the run, as the next owner does.
 */
export async function repeatAfterLoss(
  call: ProgramCall,
  { server, act, isEffect = ({ method }) => method !== 'GET' }: LosingCounterpart,
  how: Lost | { readonly lost: Lost; readonly hoursAgo: number },
): Promise<Repeated> {
  const { lost, hoursAgo } = typeof how === 'string' ? { lost: how, hoursAgo: 0 } : how;
  const runId = newId();
  const death = new AbortController();
  const startedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  server.answer = async (seen, response) => {
    if (death.signal.aborted) return void response.destroy();
    if (!isEffect(seen)) return send(response, await act(seen));
    if (lost === 'after') await act(seen);
    death.abort(new HelveError('shutting_down', 'The process died'));
    response.destroy();
  };
  const first = await callInRun(call, { runId }, death.signal);
  const { executionId } = first;
  if (!death.signal.aborted)
    throw new Error(`${call.tool} made no request that has an effect: ${JSON.stringify(first).slice(0, 500)}`);
  server.seen.length = 0;
  server.answer = async (seen, response) => send(response, await act(seen));
  const result = await callInRun(call, { runId, replaces: executionId, doubtfulSince: startedAt });
  return { result, seen: [...server.seen] };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const bytes = body instanceof Uint8Array;
  response.writeHead(status, { ...(bytes ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(body === undefined ? undefined : bytes ? body : JSON.stringify(body));
}

/** A counterpart at an address. */
export function forwardTo(target: string): Act {
  return async ({ method, url, headers, body }) => {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...rest } = headers;
    const sent = { method, headers: rest as Record<string, string>, ...(body === '' ? {} : { body }) };
    const answer = await fetch(target + url, sent);
    const type = answer.headers.get('content-type') ?? 'application/json';
    return {
      status: answer.status,
      headers: { 'content-type': type },
      body: new Uint8Array(await answer.arrayBuffer()),
    };
  };
}

/** Names of the tools that a table of effects must have: all that may change something. */
export function namesWithEffects(tools: readonly Pick<ToolDefinition, 'name' | 'annotations'>[]): string[] {
  return tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
}
