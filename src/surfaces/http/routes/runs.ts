/** Runs: programs that are started, followed, decided and ended. */
import {
  asAgentQuery,
  idParams,
  run,
  runBody,
  runCalls,
  runDecisionBody,
  runEvent,
  runList,
  runReply,
  runsQuery,
} from '../../../api/index.js';
import type { Run, RunDecision, RunEvent, StartRun } from '../../../domain/run.js';
import { defined } from '../../../util/defined.js';
import { type EventKind, followStream } from '../event-stream.js';
import { readIdempotencyKey } from '../idempotency-key.js';
import { defineRoute } from '../route.js';
import { getActor } from './tools.js';

/** A client that is far behind can miss single calls: the run at the end has them all. */
const runData: EventKind<RunEvent> = { name: 'run', isPassing: ({ type }) => type === 'call' };
const defaultListed = 50;

export const startRun = defineRoute({
  method: 'POST',
  path: '/api/runs',
  summary: 'Check, plan or run a TypeScript program over the tools that the caller may use',
  acts: ['checkCode', 'runCode', 'actAs'],
  body: runBody,
  reply: runReply,
  async handle({ plane, principal, body, request }) {
    const { agent, wait, code, mode, limits, intent, plan } = body;
    const actor = await getActor(plane, principal, agent);
    if (mode === 'check') return plane.checkCode(actor, code, request.signal);
    const idempotencyKey = readIdempotencyKey(body.idempotencyKey, request);
    const start: StartRun = {
      code,
      ...defined({ mode, intent, plan, idempotencyKey, limits: limits && defined(limits) }),
    };
    const isAsync = wait === false || /(?:^|,)\s*respond-async\b/i.test(request.headers.get('prefer') ?? '');
    if (!isAsync) return plane.runCode(actor, start, { signal: request.signal });
    // The run continues when nobody waits for it any more.
    const begun = new AbortController();
    const signal = AbortSignal.any([begun.signal, request.signal]);
    const started = await plane.runCode(actor, start, { signal, onStart: () => begun.abort() });
    const headers = { location: `/api/runs/${started.id}` };
    return Response.json(started, { status: 202, headers });
  },
});

export const listRuns = defineRoute({
  method: 'GET',
  path: '/api/runs',
  summary: 'Runs, newest first',
  acts: ['listRuns', 'actAs'],
  query: runsQuery,
  reply: runList,
  async handle({ plane, principal, query: { agent, limit = defaultListed, ...query } }) {
    const actor = await getActor(plane, principal, agent);
    const runs = await plane.listRuns(actor, { limit, ...defined(query) });
    const next = runs.length < limit ? undefined : runs.at(-1)?.id;
    return { runs: runs.map(shorten), ...defined({ next }) };
  },
});

function shorten({ code: _, logs: _logs, calls, value: _value, issues: _issues, ...rest }: Run) {
  return { ...rest, callCount: calls.length };
}

export const getRun = defineRoute({
  method: 'GET',
  path: '/api/runs/:id',
  summary: 'One run: its program, calls, logs, value, and what it waits for',
  acts: ['getRun', 'actAs'],
  params: idParams,
  query: asAgentQuery,
  reply: run,
  async handle({ plane, principal, params, query }) {
    return plane.getRun(await getActor(plane, principal, query.agent), params.id);
  },
});

export const listRunCalls = defineRoute({
  method: 'GET',
  path: '/api/runs/:id/calls',
  summary: 'The calls of a run, in the order in which its program makes them',
  acts: ['getRun', 'actAs'],
  params: idParams,
  query: asAgentQuery,
  reply: runCalls,
  async handle({ plane, principal, params, query }) {
    const { calls } = await plane.getRun(await getActor(plane, principal, query.agent), params.id);
    return { calls };
  },
});

export const followRun = defineRoute({
  method: 'GET',
  path: '/api/runs/:id/events',
  summary: 'Follow a run to its end, also while it waits',
  acts: ['followRun', 'actAs'],
  params: idParams,
  query: asAgentQuery,
  stream: { mediaType: 'text/event-stream', item: runEvent },
  async handle({ plane, principal, params, query, request }) {
    const actor = await getActor(plane, principal, query.agent);
    return followStream(request, runData, { follow: (signal) => plane.followRun(actor, params.id, signal) });
  },
});

export const cancelRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/cancel',
  summary: 'End a run; its calls in flight are cancelled',
  acts: ['cancelRun', 'actAs'],
  params: idParams,
  query: asAgentQuery,
  reply: run,
  async handle({ plane, principal, params, query }) {
    return plane.cancelRun(await getActor(plane, principal, query.agent), params.id);
  },
});

export const decideRun = defineRoute({
  method: 'POST',
  path: '/api/runs/:id/decide',
  summary: 'Say whether an effect in doubt happened, approve or reject a plan, or stop the run',
  acts: ['decideRun'],
  params: idParams,
  body: runDecisionBody,
  reply: run,
  async handle({ plane, principal, params, body }) {
    return plane.decideRun(principal, params.id, body as RunDecision);
  },
});
