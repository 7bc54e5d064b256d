/** Executions: earlier calls and running ones. */
import { z } from 'zod';
import { executionEvent, executionParams, executionRecord, executionsQuery, shapeQuery } from '../../../api/index.js';
import { type ErrorCode, HelveError } from '../../../domain/errors.js';
import type { ExecutionEvent, ExecutionRecord } from '../../../domain/execution.js';
import { forPanel, type Widget } from '../../../formats/index.js';
import { isPlainObject } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { type EventKind, followStream } from '../event-stream.js';
import { defineRoute } from '../route.js';

const defaultListed = 50;

/** The event that carries a call's progress and result. */
export const toolData: EventKind<ExecutionEvent> = { name: 'tool-data', isPassing: ({ type }) => type === 'progress' };

export const listExecutions = defineRoute({
  method: 'GET',
  path: '/api/tools/executions',
  summary: 'Calls, newest first',
  acts: ['executions'],
  query: executionsQuery,
  reply: z.object({
    executions: z.array(executionRecord),
    next: z.int().optional().describe('`before` of the next page'),
  }),
  async handle({ plane, principal, query: { limit = defaultListed, ...filters } }) {
    const executions = await plane.executions(principal, { limit, ...defined(filters) });
    const next = executions.length < limit ? undefined : executions.at(-1)?.seq;
    return { executions, ...defined({ next }) };
  },
});

export const getExecution = defineRoute({
  method: 'GET',
  path: '/api/tools/executions/:executionId',
  summary: 'One recorded call',
  acts: ['execution'],
  params: executionParams,
  query: shapeQuery,
  reply: executionRecord,
  async handle({ plane, principal, params, query }) {
    const record = await plane.execution(principal, params.executionId);
    const widget = query.as === 'panel' ? recordedWidget(record) : undefined;
    return widget === undefined ? record : { ...record, widget };
  },
});

/** Built from the recorded result, which is redacted; undefined while the call runs. */
function recordedWidget({ executionId, tool, outcome }: ExecutionRecord): Widget | undefined {
  if (outcome === undefined) return undefined;
  const base = { executionId, tool, rule: '', durationMs: 0 };
  const { error } = outcome;
  if (isPlainObject(error)) {
    const { code, message } = error as { code: ErrorCode; message: string };
    return forPanel({ ok: false, ...base, error: new HelveError(code, message).toJSON() });
  }
  return forPanel({ ok: true, ...base, output: outcome.output ?? null });
}

export const followExecution = defineRoute({
  method: 'GET',
  path: '/api/tools/executions/:executionId/events',
  summary: 'Follow a running call from its start to its end',
  acts: ['follow'],
  params: executionParams,
  stream: { mediaType: 'text/event-stream', item: executionEvent },
  handle: ({ plane, principal, params, request }) =>
    followStream(request, toolData, { follow: (signal) => plane.follow(principal, params.executionId, signal) }),
});
