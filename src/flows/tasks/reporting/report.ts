/**
 * The work `report` of an issue: what became of it is written where it was filed, by the person of its source and with the account of
 * that source. The calls are a run under the key of this work: whatever dies, each is made once, and an approval is waited for.
 */
import type { ActorEvent, ActorJob } from '../../../domain/actor-host.js';
import { HelveError } from '../../../domain/errors.js';
import type { CallRequest, ToolFailure, ToolResult } from '../../../domain/execution.js';
import type { Principal } from '../../../domain/principal.js';
import type { StoredRun } from '../../../domain/storage.js';
import type { IssueContext } from '../../../tasks/index.js';
import { sha256 } from '../../../util/hash.js';
import type { PlaneParts } from '../../parts.js';
import { waitingRuns } from '../end-unwanted-runs.js';
import { readIssue } from '../issues.js';
import type { SourceParts } from '../sources/parts.js';
import { findSourceAccount, findSourcePerson } from '../sources/standing.js';
import { destinations } from './destinations.js';
import { describeOutcome, type OutcomeState } from './outcome.js';

export interface ReportParts extends SourceParts, Pick<PlaneParts, 'runs'> {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
  /** The page of an issue; undefined while the address of this server is unknown. */
  readonly issueUrl: (id: string) => string | undefined;
}

/** Nothing is reported of an issue without a source, or whose source cannot write: the source says why. */
export async function reportIssue(parts: ReportParts, job: ActorJob): Promise<ActorEvent | undefined> {
  const { actor, input, signal } = job;
  const { workspaceId, id } = actor;
  const [{ snapshot }, issue] = await readIssue(parts, actor, id);
  const source = issue?.origin && (await parts.storage.workspace(workspaceId).taskSources.find(issue.origin.source));
  if (!issue || !source) return undefined;
  const person = await findSourcePerson(parts, workspaceId, source);
  if (typeof person === 'string') return undefined;
  const account = await findSourceAccount(parts, person, source);
  if (typeof account === 'string') return undefined;
  const named = (tool: string): string => `${account.slug}__${tool}`;
  const state = input.state as OutcomeState;
  // The report describes the issue at the transition, not now.
  const then = { ...(snapshot.context as unknown as IssueContext), ...(input as unknown as Partial<IssueContext>) };
  const text = describeOutcome({ state, issue, context: then, page: parts.issueUrl(id) });
  const key = keyOf(job, text);
  const known = await findReport(parts, person, key);
  const begun = known?.status === 'cancelled' ? await findReport(parts, person, job.id) : known;
  if (begun !== undefined && begun.status !== 'cancelled') {
    await follow(parts, { job, person, runId: begun.id });
    return undefined;
  }
  const calls = await destinations[source.provider]({
    ref: id,
    state,
    text,
    read: async (tool, values) => {
      const found = await parts.call({ principal: person, tool: named(tool), input: values, signal });
      // After a temporary failure this work is repeated; without the answer it could leave an old state at the service.
      if (!found.ok && isPassing(found)) throw new HelveError('upstream_failed', found.error.message);
      return found;
    },
  });
  if (!calls) return undefined;
  signal.throwIfAborted();
  const intent = `Report the outcome of ${id}`;
  await endEarlier(parts, person, intent);
  const { id: runId } = await parts.runs.startCalls(person, {
    calls: calls.map(({ tool, input: values }) => ({ tool: named(tool), input: values })),
    intent,
    // An earlier report of this outcome was given up for another outcome, and this one is true again.
    key: known === undefined ? key : job.id,
  });
  await follow(parts, { job, person, runId });
  return undefined;
}

/** The report of this outcome that has begun. */
async function findReport(
  { runs, storage }: ReportParts,
  person: Principal,
  key: string,
): Promise<StoredRun | undefined> {
  const id = await runs.findStarted(person, key);
  return id === undefined ? undefined : storage.workspace(person.workspaceId).runs.find(id);
}

/** A report of an earlier outcome that still waits for a person would be written after this one. */
async function endEarlier(parts: ReportParts, person: Principal, intent: string): Promise<void> {
  for await (const run of waitingRuns(parts, person.workspaceId))
    if (run.mode === 'agent' && run.principal.id === person.id && run.intent === intent)
      await parts.runs.cancelRun(person, run.id).catch(() => undefined);
}

const isPassing = ({ error }: ToolFailure): boolean =>
  ['upstream_failed', 'timeout', 'rate_limited', 'shutting_down'].includes(error.code);

/**
 * An issue is reconsidered whenever an account or a rule changes. The same reason for being blocked is not reported
 * again.
 */
const keyOf = ({ id, actor, input }: ActorJob, text: string): string =>
  input.state === 'blocked' ? `report:${actor.id}:${sha256(text)}` : id;

interface Reporting {
  readonly job: ActorJob;
  readonly person: Principal;
  readonly runId: string;
}

/** Resolves when the run has ended or waits for a person. */
async function follow(parts: ReportParts, { job, person, runId }: Reporting): Promise<void> {
  for await (const { type, ...event } of parts.runs.followRun(person, runId, job.signal)) {
    await job.heartbeat({ run: runId });
    const run = 'run' in event ? event.run : undefined;
    if (run?.finishedAt !== undefined || (type === 'run' && (run?.waits.length ?? 0) > 0)) return;
  }
  const view = await parts.actors.read(job.actor);
  const isReplaced = !view?.work.some(({ id }) => id === job.id);
  if (!isReplaced) throw new HelveError('shutting_down', 'The process stopped before the report was written');
  // An issue that was reconsidered and is blocked again follows this run.
  if (job.input.state === 'blocked' && ['preparing', 'blocked'].includes(String(view?.snapshot.value))) return;
  // A later outcome is reported instead of one that was not written yet.
  await parts.runs.cancelRun(person, runId).catch(() => undefined);
}
