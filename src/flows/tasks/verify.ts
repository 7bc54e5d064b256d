/**
 * The work `verify` of an issue: runs all of its checks, also after one has failed, so that the next attempt hears every reason. While the
 * checks of the pull request have not ended it ends without an event, and the machine begins it again when they have.
 */
import type { ActorEvent, ActorJob } from '../../domain/actor-host.js';
import type { AgentModel } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import type { Check, CheckResult, Issue } from '../../domain/task.js';
import { schemaIssues } from '../../schema/index.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { failed, mismatch, nameOf, passed } from './check-results.js';
import { type CallingParts, checkTool } from './check-tool.js';
import { isRunnable, type RunnableCheck } from './checks.js';
import { readIssue } from './issues.js';
import { checkByModel } from './judge.js';
import type { TaskParts } from './parts.js';
import { findWorker } from './worker.js';

export interface VerifyParts extends TaskParts, CallingParts {
  /** Undefined if none is configured. */
  readonly agentModel: AgentModel | undefined;
}

interface VerifyInput {
  readonly attempt: number;
  readonly result: JsonValue;
  readonly pr: string | null;
  readonly pullRequestChecks: IssueContext['pullRequestChecks'];
}

/** Everything that a check can ask. */
interface Verification {
  readonly job: ActorJob;
  readonly input: VerifyInput;
  readonly issue: Issue;
  readonly context: IssueContext;
  /** Places of the checks whose tools were called, this time or before the process ended. */
  readonly called: Set<number>;
}

export async function verifyIssue(parts: VerifyParts, job: ActorJob): Promise<ActorEvent | undefined> {
  const input = job.input as unknown as VerifyInput;
  const [{ snapshot, work }, issue] = await readIssue(parts, job.actor, job.actor.id);
  const checks = issue?.checks ?? [];
  const { attempt, result, pr, pullRequestChecks } = input;
  const isPending = pullRequestChecks === null || pullRequestChecks.state === 'pending';
  if (isPending && checks.some(({ kind }) => kind === 'pull_request')) return undefined;
  const context = snapshot.context as unknown as IssueContext;
  const called = new Set(calledBefore(work.find(({ id }) => id === job.id)?.progress));
  try {
    const results = issue ? await runAll(parts, checks, { job, input, issue, context, called }) : [];
    const evidence = results.map((one) => ({ ...one }));
    const reasons = results.flatMap((one) => (one.passed ? [] : [`${one.check}: ${one.reason}`]));
    if (reasons.length > 0) return { type: 'REJECTED', attempt, reasons, evidence };
    const delivered = { output: result, ...defined({ pullRequest: pr ?? undefined }) };
    return { type: 'VERIFIED', attempt, evidence, delivered };
  } catch (error) {
    // Another attempt of the agent would change nothing.
    if (error instanceof HelveError && error.code === 'invalid_config')
      return { type: 'WORK_FAILED', work: job.name, message: error.message };
    throw error;
  }
}

function calledBefore(progress: JsonValue | undefined): readonly number[] {
  return (progress as { readonly called?: readonly number[] } | undefined)?.called ?? [];
}

/** The results are in the order of the checks. */
async function runAll(
  parts: VerifyParts,
  checks: readonly Check[],
  verification: Verification,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  // Tools last: a model that is away for a moment makes this work begin again, and they should not be called twice for that.
  const isTool = ({ kind }: Check) => Number(kind === 'tool');
  for (const [at, check] of [...checks.entries()].sort(([, a], [, b]) => isTool(a) - isTool(b))) {
    if (!isRunnable(check))
      throw new HelveError('invalid_config', `Checks of the kind ${check.kind} cannot be run yet; change the issue`);
    results[at] = await runCheck(parts, { check, at }, verification);
  }
  return results;
}

async function runCheck(
  parts: VerifyParts,
  { check, at }: { readonly check: RunnableCheck; readonly at: number },
  { job, input, issue, context, called }: Verification,
): Promise<CheckResult> {
  const mayHaveCalled = called.has(at);
  if (check.kind === 'tool') called.add(at);
  await job.heartbeat({ check: nameOf(check), called: [...called] });
  const { signal } = job;
  signal.throwIfAborted();
  switch (check.kind) {
    case 'output':
      return checkOutput(check, input.result);
    case 'pull_request':
      return checkPullRequest(check, input);
    case 'model':
      return checkByModel(parts.agentModel, { check, issue, result: input.result, signal });
    case 'tool': {
      const worker = await findWorker(parts, issue, context);
      return checkTool(parts, { check, worker, mayHaveCalled, signal });
    }
  }
}

function checkOutput(check: Extract<RunnableCheck, { kind: 'output' }>, result: JsonValue): CheckResult {
  const issues = schemaIssues(check.schema, result);
  if (issues.length === 0) return passed(check, result);
  return failed(check, mismatch('The result', issues), result);
}

function checkPullRequest(check: Check, { pr, pullRequestChecks }: VerifyInput): CheckResult {
  const { state = 'pending', failed: red = [] } = pullRequestChecks ?? {};
  const evidence = { pullRequest: pr, state, failed: [...red] };
  if (state === 'success') return passed(check, evidence);
  return failed(check, `Checks of ${pr} have failed: ${red.join(', ') || 'it does not say which'}`, evidence);
}
