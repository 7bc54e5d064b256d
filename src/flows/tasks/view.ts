/** An issue as its readers see it: what was asked for, and what its machine says. */
import type { ActorView } from '../../domain/actor-host.js';
import type { IssueState, IssueView } from '../../domain/issue-acts.js';
import type { JsonValue } from '../../domain/json.js';
import type { PrincipalRef } from '../../domain/principal.js';
import type { Issue } from '../../domain/task.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';

/** Actors in a list come without their work. */
type ListedActor = Omit<ActorView, 'timers' | 'work' | 'events'> & Partial<Pick<ActorView, 'work'>>;

/** An actor that a rule started has no issue until somebody has described it. */
export function viewOf(actor: ListedActor, issue: Issue | undefined): IssueView {
  const { snapshot, version, lastHeartbeat, createdAt, updatedAt } = actor;
  const context = snapshot.context as unknown as IssueContext;
  const { workspaceId: _, ...described } = issue ?? undescribed(actor, context);
  return {
    ...described,
    createdAt: issue?.createdAt ?? createdAt,
    updatedAt: issue && issue.updatedAt > updatedAt ? issue.updatedAt : updatedAt,
    ...stateOf(snapshot.value),
    attempts: context.attempts,
    blockedBy: context.blockedBy.map(({ reason, app, message, connectUrl }) => {
      const more = { reason: reason ?? undefined, app: app ?? undefined, connectUrl: connectUrl ?? undefined };
      return { message, ...defined(more) };
    }),
    usage: context.usage,
    version,
    ...defined({
      agent: context.agent ?? undefined,
      onBehalfOf: context.assignment?.onBehalfOf as PrincipalRef | undefined,
      run:
        readRun(context.execution?.waitsFor) ?? readRun(actor.work?.find(({ name }) => name === 'execute')?.progress),
      // What was asked stays in the context of an issue that was cancelled meanwhile, and nobody can answer it any more.
      waitsFor: isAtWork(actor.snapshot.value) ? (context.execution?.waitsFor ?? undefined) : undefined,
      lastError: context.lastError
        ? { message: context.lastError.message, ...defined({ code: context.lastError.code ?? undefined }) }
        : undefined,
      verification: context.checks ? { ...context.checks } : undefined,
      result: context.execution?.result ?? undefined,
      delivered: context.delivered ?? undefined,
      lastHeartbeat,
    }),
  } as IssueView;
}

const isAtWork = (value: ActorView['snapshot']['value']): boolean =>
  ['executing', 'verifying'].includes(stateOf(value).state);

/** The id of a run in what an issue waits for, in the result of its work, or in an answer. */
export function readRun(said: JsonValue | undefined): string | undefined {
  const { runId, run } = (said ?? {}) as { readonly runId?: unknown; readonly run?: unknown };
  const id = runId ?? run;
  return typeof id === 'string' ? id : undefined;
}

export function stateOf(value: ActorView['snapshot']['value']): {
  readonly state: IssueState;
  readonly phase?: string;
} {
  if (typeof value === 'string') return { state: value as IssueState };
  const [[state, phase] = ['', '']] = Object.entries(value);
  return { state: state as IssueState, phase: String(phase) };
}

function undescribed({ actor, createdAt, updatedAt }: ListedActor, context: IssueContext): Issue {
  const { org, repo, project } = context;
  return {
    id: actor.id,
    workspaceId: actor.workspaceId,
    title: actor.id,
    labels: [],
    checks: [],
    createdBy: { kind: 'api_key', id: 'rule', name: repo ?? 'a rule' },
    createdAt,
    updatedAt,
    ...defined({ org: org ?? undefined, repo: repo ?? undefined, project: project ?? undefined }),
  };
}
