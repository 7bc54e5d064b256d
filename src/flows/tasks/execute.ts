/**
 * The work `execute` of an issue: one attempt of its agent, as a run. The run lives in the ledger, so another process continues
 * it; while it waits for a person, the issue does too, and `RESUMED` brings back its id.
 */
import type { ActorEvent, ActorJob, ActorView } from '../../domain/actor-host.js';
import type { AgentResult, AgentWork, ModelAnswer } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Agent, Principal } from '../../domain/principal.js';
import type { TakenRecipe } from '../../domain/recipe.js';
import type { Run } from '../../domain/run.js';
import type { StoredRun } from '../../domain/storage.js';
import type { Check, Issue, TaskUsage } from '../../domain/task.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { addCents } from '../../util/money.js';
import { recordName } from '../calling/index.js';
import type { PlaneParts } from '../parts.js';
import { modelName, readAnswer } from '../runs/index.js';
import { hasOtherWords, otherWords } from './agreed-words.js';
import { describeWork } from './describe-work.js';
import { readIssue } from './issues.js';
import { readOrgBudget } from './org-budget.js';
import { issueAddress, type TaskParts } from './parts.js';
import { takeRecipe } from './recipes.js';
import { readRun, stateOf } from './view.js';
import { findWorker } from './worker.js';

export type ExecuteParts = TaskParts & Pick<PlaneParts, 'runs'>;

const readComments = 20;

export async function executeIssue(parts: ExecuteParts, job: ActorJob): Promise<ActorEvent> {
  const { actor, signal } = job;
  const attempt = Number(job.input.attempt ?? 1);
  const beganAt = parts.now().getTime();
  const [{ snapshot }, issue] = await readIssue(parts, actor, actor.id);
  const context = snapshot.context as unknown as IssueContext;
  if (issue === undefined) return refuse('The issue has no description of what is to be done', attempt);
  const worker = await findWorker(parts, issue, context);
  if (typeof worker === 'string') return refuse(worker, attempt);
  const principal = { ...worker, task: { ...worker.task, job: job.id } };
  const begun = await start(parts, job, { principal, issue, attempt, context });
  if (typeof begun !== 'string') return begun;
  for await (const { type, ...event } of parts.runs.followRun(principal, begun, signal)) {
    const run = 'run' in event ? event.run : undefined;
    await job.heartbeat({ run: begun, calls: run?.calls.length ?? null });
    if (run?.finishedAt !== undefined) {
      await reportUsage(parts, principal, run.id);
      return describeEnd(run, attempt);
    }
    if (type === 'run' && run !== undefined && run.waits.length > 0) {
      // The clock stops while it waits.
      const spentMs = (context.execution?.spentMs ?? 0) + parts.now().getTime() - beganAt;
      const waitsFor = await describeWait(parts, actor, run);
      const isQuestion = run.waits[0]?.for === 'answer';
      return { type: isQuestion ? 'WAITING_FOR_ANSWER' : 'WAITING_FOR_APPROVAL', attempt, waitsFor, spentMs };
    }
  }
  const run = await parts.storage.workspace(actor.workspaceId).runs.find(begun);
  if (run) await endUnwanted(parts, run);
  // The attempt has not ended: another process continues it, unless the issue no longer wants it.
  throw new HelveError('shutting_down', 'The process stopped before the attempt had ended');
}

const refuse = (message: string, attempt: number): ActorEvent => ({
  type: 'FAILED',
  attempt,
  error: { code: 'not_found', message },
});

interface Attempt {
  readonly principal: Principal;
  readonly issue: Issue;
  readonly attempt: number;
}

/**
 * Returns the run of the attempt: the one that has begun, whatever has changed since, or a new one; or the reason why
 * it cannot begin.
 */
async function start(
  parts: ExecuteParts,
  job: ActorJob,
  { context, ...attempt }: Attempt & { readonly context: IssueContext },
): Promise<string | ActorEvent> {
  const { principal, issue } = attempt;
  const { workspaceId } = job.actor;
  // The job has the same id when another process does it again.
  const started = readRun(job.input.answer) ?? (await parts.runs.findStarted(principal, job.id));
  if (started !== undefined) return started;
  if (hasOtherWords(issue, context))
    return { type: 'TOOLS_MISSING', missing: [{ reason: 'worker', message: otherWords }] };
  const { left, refusal } = await readOrgBudget(parts, workspaceId, context.org);
  if (refusal !== undefined) return { type: 'WORK_REFUSED', by: 'org', reason: refusal };
  const agent = await parts.storage.workspace(workspaceId).findAgent(principal.id);
  const recipe = await takeRecipe(parts, issue, agent);
  if (typeof recipe === 'string') return refuse(recipe, attempt.attempt);
  return begin(parts, job, { ...attempt, ...defined({ agent, recipe, left }) });
}

interface Beginning extends Attempt {
  readonly left?: NonNullable<AgentWork['left']>;
  readonly agent?: Agent;
  readonly recipe?: TakenRecipe;
}

async function begin(
  { runs, storage }: ExecuteParts,
  { actor, id, input }: ActorJob,
  { principal, issue, attempt, left, agent, recipe }: Beginning,
): Promise<string> {
  const comments = await storage.workspace(actor.workspaceId).issues.comments(issue.id, readComments);
  const { reasons = [], limits = {} } = input as { reasons?: readonly string[]; limits?: IssueContext['limits'] };
  const { maxSteps = 100, maxTokens = null, maxCents = null } = limits as Partial<IssueContext['limits']>;
  const output = issue.checks.find((check): check is Check & { kind: 'output' } => check.kind === 'output');
  const work = {
    ...describeWork({ issue, comments, reasons, attempt, ...defined({ recipe }) }),
    maxSteps,
    attempt,
    waitsWithPrograms: true as const,
    ...defined({
      left,
      recipe,
      worker: agent?.worker,
      maxTokens: maxTokens ?? undefined,
      maxCents: maxCents ?? undefined,
      outputSchema: output?.schema as JsonObject | undefined,
    }),
  };
  const run = await runs.startAgent(principal, { work, key: id, intent: issue.title });
  return run.id;
}

/**
 * Tells the issue what an ended run has used, however it ended. The event has the same id for the same run, so it
 * counts once.
 */
async function reportUsage(
  parts: Pick<TaskParts, 'storage' | 'actors'>,
  principal: Principal,
  runId: string,
): Promise<void> {
  if (principal.task === undefined) return;
  const event = { type: 'USAGE_ADDED', usage: { ...(await countUsage(parts, principal, runId)) } };
  await parts.actors.send(issueAddress(principal, principal.task.issueId), event, { id: `usage:${runId}` });
}

/** From the ledger, because a run that failed has used tokens and money too. */
async function countUsage(
  { storage }: Pick<TaskParts, 'storage'>,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  runId: string,
): Promise<TaskUsage> {
  const asked = (await storage.workspace(workspaceId).runs.steps(runId)).filter(({ tool }) => tool === modelName);
  const used = { steps: asked.length, tokens: 0, cents: 0 };
  for (const { answer } of asked) {
    const read = answer === undefined ? undefined : readAnswer(answer);
    if (!read?.ok) continue;
    const { inputTokens, outputTokens, cents = 0 } = read.output as unknown as ModelAnswer;
    used.tokens += inputTokens + outputTokens;
    used.cents = addCents(used.cents, cents);
  }
  return used;
}

function describeEnd(run: Run, attempt: number): ActorEvent {
  if (run.status === 'succeeded') {
    const { text, output } = run.value as unknown as AgentResult;
    return { type: 'COMPLETED', attempt, run: run.id, result: output ?? { text } };
  }
  const { code = run.status, message = `The run ended as ${run.status}` } = run.error ?? {};
  return { type: 'FAILED', attempt, run: run.id, error: { code, message } };
}

/** The tool has its name of the record, which does not name the account: not all who may read the issue may see that. */
async function describeWait(
  { catalogue }: Pick<TaskParts, 'catalogue'>,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  { id, url, waits: [wait] }: Run,
): Promise<JsonObject> {
  const waitsFor = { runId: id, ...defined({ url }), ...(wait as unknown as JsonObject) };
  if (wait?.tool === undefined) return waitsFor;
  const [entry] = (await catalogue(workspaceId, wait.tool)).match(wait.tool);
  return { ...waitsFor, tool: entry ? recordName(entry) : (wait.tool.split('__').at(-1) ?? '') };
}

/** Ends the run if the issue no longer wants it: it was cancelled, given to another, or the attempt is too late. */
export async function endUnwanted(parts: ExecuteParts, { id, principal, mode }: StoredRun): Promise<void> {
  if (await isWanted(parts, principal)) return;
  await parts.runs.cancelRun(principal, id).catch(() => undefined);
  if (mode === 'agent') await reportUsage(parts, principal, id);
}

/** Whether the issue that somebody works on is still being worked on, and in the attempt to which their runs belong. */
export async function isWanted(
  { actors, storage }: Pick<TaskParts, 'actors' | 'storage'>,
  { task, workspaceId }: Pick<Principal, 'task' | 'workspaceId'>,
): Promise<boolean> {
  if (task === undefined) return true;
  const actor = await actors.read(issueAddress({ workspaceId }, task.issueId));
  if (actor === undefined) return false;
  const { state, phase } = stateOf(actor.snapshot.value);
  if (state !== 'executing' || phase === 'backing_off') return false;
  if (task.job === undefined) return true;
  const present = await findPresentJob({ storage }, workspaceId, actor);
  return present === undefined || present === task.job;
}

/**
 * The work with which the current attempt began. Undefined until the end of that work has been applied, and for a run
 * of an earlier release.
 */
async function findPresentJob(
  { storage }: Pick<TaskParts, 'storage'>,
  workspaceId: string,
  { snapshot, work }: ActorView,
): Promise<string | undefined> {
  const { execution } = snapshot.context as unknown as IssueContext;
  const runId = readRun(execution?.waitsFor ?? undefined) ?? readRun(execution?.answer ?? undefined);
  if (runId === undefined) return work.find(({ name }) => name === 'execute')?.id;
  return (await storage.workspace(workspaceId).runs.find(runId))?.principal.task?.job;
}

/**
 * Tells the issue that the run of its agent no longer waits, and what it used if it has ended. `id`: of the event; the same for each process
 * that tells it.
 */
export async function resumeIssue(
  parts: Pick<TaskParts, 'actors' | 'storage'>,
  run: StoredRun,
  id = `resumed:${run.id}:${run.status === 'cancelled' ? 'stopped' : run.lease}`,
): Promise<void> {
  const { task, workspaceId } = run.principal;
  if (task === undefined || run.mode !== 'agent') return;
  const present = await parts.storage.workspace(workspaceId).runs.find(run.id);
  if (present?.finishedAt !== undefined) await reportUsage(parts, run.principal, run.id);
  const { attempt } = JSON.parse(run.code) as { attempt?: number };
  const event = { type: 'RESUMED', answer: { runId: run.id }, ...defined({ attempt }) };
  await parts.actors.send(issueAddress(run.principal, task.issueId), event, { id });
}
