/**
 * The work `verify` of an issue: runs all of its checks, also after one has failed, so that the next attempt hears every reason. Persons are
 * asked last, and only if everything else has passed. While the checks of the pull request have not ended it ends without an event, and
 * while a person is asked with one that keeps what was found; the machine begins it again when there is news.
 */
import type { ActorEvent, ActorJob } from '../../domain/actor-host.js';
import type { AgentModel } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import type { Check, CheckResult, Issue } from '../../domain/task.js';
import { schemaIssues } from '../../schema/index.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { addCents } from '../../util/money.js';
import { hasOtherChecks, otherChecks } from './agreed-words.js';
import { checkFiles, type FilesParts } from './check-files.js';
import { type Decision, describeAsk, hashOf, readDecision } from './check-person.js';
import { failed, mismatch, nameOf, passed } from './check-results.js';
import { type CallingParts, checkCommand, checkTool } from './check-tool.js';
import { readIssue } from './issues.js';
import { checkByModel, type JudgeUsage } from './judge.js';
import { look } from './look.js';
import type { ReadingParts } from './sources/reader.js';
import { findWorker, type Worker } from './worker.js';

export interface VerifyParts extends ReadingParts, Omit<CallingParts, 'pipeline'>, FilesParts {
  /** Undefined if none is configured. */
  readonly agentModel: AgentModel | undefined;
}

/** What was found about a check before a person was asked. */
interface Kept {
  readonly of: string;
  readonly result: CheckResult;
}

interface VerifyInput {
  readonly attempt: number;
  readonly result: JsonValue;
  readonly pr: string | null;
  readonly pullRequestChecks: IssueContext['pullRequestChecks'];
  readonly checked?: readonly (Kept | null)[] | null;
  readonly decisions?: readonly Decision[];
}

/** Everything that a check can ask. */
interface Verification {
  readonly job: ActorJob;
  readonly input: VerifyInput;
  readonly issue: Issue;
  readonly context: IssueContext;
  /** Places of the checks whose tools were called, this time or before the process ended. */
  readonly called: Set<number>;
  /** What models that judge have used this time. */
  readonly usage: JudgeUsage;
}

export async function verifyIssue(parts: VerifyParts, job: ActorJob): Promise<ActorEvent | undefined> {
  const input = job.input as unknown as VerifyInput;
  const [{ snapshot, work }, issue] = await readIssue(parts, job.actor, job.actor.id);
  if (issue?.checks.some(({ kind }) => kind === 'pull_request') && !(await haveEnded(parts, job, input)))
    return undefined;
  if (!issue) return conclude(input, [], {});
  const context = snapshot.context as unknown as IssueContext;
  const called = new Set(calledBefore(work.find(({ id }) => id === job.id)?.progress));
  const usage = { steps: 0, tokens: 0, cents: 0 };
  try {
    const results = await runAll(parts, { job, input, issue, context, called, usage });
    const used = usage.steps === 0 ? {} : { usage };
    if (results.some((one) => one && !one.passed)) return conclude(input, results, used);
    return askPersons(input, { checks: issue.checks, results, used });
  } catch (error) {
    // Another attempt of the agent would change nothing.
    if (error instanceof HelveError && error.code === 'invalid_config')
      return { type: 'WORK_FAILED', work: job.name, message: error.message };
    throw error;
  }
}

/** Whether the checks of the pull request have ended as reported. If not, its actor tells the issue when they have. */
async function haveEnded(
  parts: VerifyParts,
  { actor: { workspaceId }, signal }: ActorJob,
  { pr, pullRequestChecks }: VerifyInput,
): Promise<boolean> {
  if (pr === null || pullRequestChecks === null || pullRequestChecks.state === 'pending') return false;
  // The agent may have pushed a commit of which no delivery has come yet.
  const now = await look(parts, { address: { workspaceId, kind: 'pr', id: pr }, signal });
  return now === undefined || now === pullRequestChecks.state;
}

function calledBefore(progress: JsonValue | undefined): readonly number[] {
  return (progress as { readonly called?: readonly number[] } | undefined)?.called ?? [];
}

type Results = readonly (CheckResult | undefined)[];
type Used = { readonly usage?: JudgeUsage };

const asEvidence = (results: Results) => results.flatMap((one) => (one ? [{ ...one }] : []));

function conclude({ attempt, result, pr }: VerifyInput, results: Results, used: Used): ActorEvent {
  const evidence = asEvidence(results);
  const reasons = evidence.flatMap((one) => (one.passed ? [] : [`${one.check}: ${one.reason}`]));
  if (reasons.length > 0) return { type: 'REJECTED', attempt, reasons, evidence, ...used } as unknown as ActorEvent;
  const delivered = { output: result, ...defined({ pullRequest: pr ?? undefined }) };
  return { type: 'VERIFIED', attempt, evidence, delivered, ...used } as unknown as ActorEvent;
}

/** All that has been found so far is good. */
function askPersons(
  input: VerifyInput,
  { checks, results, used }: { readonly checks: readonly Check[]; readonly results: Results; readonly used: Used },
): ActorEvent {
  const { attempt, decisions = [] } = input;
  const decided = checks.map((check, at) =>
    check.kind === 'person' ? readDecision(check, at, decisions) : results[at],
  );
  const asks = checks.flatMap((check, at) =>
    check.kind === 'person' && decided[at] === undefined ? [describeAsk(check, at)] : [],
  );
  const isRefused = decided.some((one) => one && !one.passed);
  if (asks.length === 0 || isRefused) return conclude(input, decided, used);
  const checked = checks.map((check, at) => (results[at] ? { of: hashOf(check), result: results[at] } : null));
  const evidence = asEvidence(decided);
  return { type: 'WAITING_FOR_PERSON', attempt, asks, checked, evidence, ...used } as unknown as ActorEvent;
}

/**
 * Checks that make calls come last: an unavailable model makes this work begin again, and the calls should not be
 * repeated for that.
 */
const isCall = ({ kind }: Check): number => Number(kind === 'tool' || kind === 'command');

/** The results are in the order of the checks, without those of persons. */
async function runAll(parts: VerifyParts, verification: Verification): Promise<Results> {
  const { issue, input } = verification;
  const results: (CheckResult | undefined)[] = issue.checks.map(() => undefined);
  for (const [at, check] of [...issue.checks.entries()].sort(([, a], [, b]) => isCall(a) - isCall(b))) {
    // The checks of the pull request can change while a person is asked. Other checks may have changed places.
    const kept = check.kind === 'pull_request' ? undefined : input.checked?.find((one) => one?.of === hashOf(check));
    results[at] = kept?.result ?? (await runCheck(parts, { check, at }, verification));
  }
  return results;
}

async function runCheck(
  parts: VerifyParts,
  { check, at }: { readonly check: Check; readonly at: number },
  { job, input, issue, context, called, usage }: Verification,
): Promise<CheckResult | undefined> {
  if (check.kind === 'person') return undefined;
  const mayHaveCalled = called.has(at);
  if (isCall(check) > 0) called.add(at);
  const isKnown = await job.heartbeat({ check: nameOf(check), called: [...called] });
  const { signal } = job;
  signal.throwIfAborted();
  // Otherwise the next process would not know that it may have been called, and call it again.
  if (isCall(check) > 0 && !isKnown) throw new HelveError('storage_failed', 'The store does not know of the call');
  switch (check.kind) {
    case 'output':
      return checkOutput(check, input.result);
    case 'pull_request':
      return checkPullRequest(check, input);
    case 'files':
      return checkFiles(parts, { check, issue, signal });
    case 'model': {
      const judged = await checkByModel(parts.agentModel, { check, issue, result: input.result, signal });
      usage.steps += judged.usage.steps;
      usage.tokens += judged.usage.tokens;
      usage.cents = addCents(usage.cents, judged.usage.cents);
      return judged.result;
    }
    case 'command':
      return checkCommand(parts, { check, worker: await findCaller(parts, issue, context), mayHaveCalled, signal });
    case 'tool':
      return checkTool(parts, { check, worker: await findCaller(parts, issue, context), mayHaveCalled, signal });
  }
}

/** Others must not choose calls for the person for whom the agent works. */
const findCaller = async (parts: VerifyParts, issue: Issue, context: IssueContext): Promise<Worker | string> =>
  hasOtherChecks(issue, context) ? otherChecks : findWorker(parts, issue, context);

function checkOutput(check: Extract<Check, { kind: 'output' }>, result: JsonValue): CheckResult {
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
