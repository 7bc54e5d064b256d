/** The check `tool`: the agent of the issue calls it, like any other tool, and the answer must match. */
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import type { CheckResult } from '../../domain/task.js';
import { schemaIssues } from '../../schema/index.js';
import type { Pipeline } from '../calling/index.js';
import { failed, mismatch, passed } from './check-results.js';
import type { RunnableCheck } from './checks.js';

export interface CallingParts {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
  readonly pipeline: Pick<Pipeline, 'preview'>;
}

export interface ToolQuestion {
  readonly check: Extract<RunnableCheck, { kind: 'tool' }>;
  /** Or why nobody can call. */
  readonly worker: Principal | string;
  /** This work was begun before, and its process may have ended during the call. */
  readonly mayHaveCalled: boolean;
  readonly signal: AbortSignal;
}

/** A refusal, and an approval that is missing, are reasons like any other. Throws only if the signal is aborted. */
export async function checkTool(
  { call, pipeline }: CallingParts,
  { check, worker, mayHaveCalled, signal }: ToolQuestion,
): Promise<CheckResult> {
  if (typeof worker === 'string') return failed(check, worker);
  const request = { principal: worker, tool: check.tool, input: check.arguments ?? {}, signal };
  if (mayHaveCalled) {
    const seen = await pipeline.preview(request);
    if (!seen.ok) return failed(check, `${seen.error.code}: ${seen.error.message}`);
    if (seen.tool.tool.hasEffects)
      return failed(check, 'The process ended while the tool was called. It has effects, so it is not called again.');
  }
  const result = await call(request);
  // Stopped from outside: the failed call says nothing about the work.
  signal.throwIfAborted();
  const execution = result.executionId;
  if (!result.ok) {
    const { code, message } = result.error;
    return failed(check, `${code}: ${message}`, { execution });
  }
  const issues = schemaIssues(check.schema, result.output);
  const evidence = { execution, answer: result.output };
  if (issues.length === 0) return passed(check, evidence);
  return failed(check, mismatch('The answer', issues), evidence);
}
