/** What the machine of an issue does in its transitions: changes of its context, and effects for the host. */
import { setup, stateIn } from 'xstate';
import type { ActorEffect, ActorEvent, ActorKind } from '../../domain/actor-host.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { Execution, IssueContext, IssueEvent, issueInput } from './issue-shapes.js';
import { addUsage } from './shapes.js';

interface Moment {
  readonly context: IssueContext;
  readonly event: IssueEvent;
}

/** What persons are asked and have not decided. */
const asksOf = ({ execution }: IssueContext) =>
  (execution?.waitsFor?.asks ?? []) as readonly (JsonObject & { readonly check: number })[];

export const issue = setup({
  types: {
    context: {} as IssueContext,
    events: {} as IssueEvent,
    input: {} as ReturnType<typeof issueInput.parse>,
  },
  // The host carries effects out; here they only have a name.
  actions: { effect: (_, _effect: ActorEffect) => undefined },
  guards: {
    /** An event about an earlier attempt: its work was stopped, but it had been accepted before. */
    isStale: ({ context, event }) =>
      'attempt' in event && event.attempt !== undefined && event.attempt !== context.attempts,
    /** The time-out of an attempt that was accepted before its work had ended. */
    isOtherTimeout: ({ event }) => event.type === 'TIMEOUT' && event.work !== 'verify',
    /** The run of an earlier attempt no longer waits; the one that is waited for still does. */
    isOtherRun: ({ context, event }) => {
      const waited = context.execution?.waitsFor?.runId;
      const { runId } = ((event.type === 'RESUMED' && event.answer) || {}) as { readonly runId?: unknown };
      return waited !== undefined && runId !== undefined && runId !== waited;
    },
    isAsked: ({ context, event }) =>
      event.type === 'CHECK_DECIDED' && asksOf(context).some(({ check }) => check === event.check),
    hasAttempts: ({ context }) => context.attempts < context.limits.maxAttempts,
  },
});

export const cause = (effects: (moment: Moment) => readonly ActorEffect[]) =>
  issue.enqueueActions(({ context, event, enqueue }) => {
    for (const params of effects({ context, event })) enqueue({ type: 'effect', params });
  });

export const work = (name: string, input: (context: IssueContext) => JsonObject) =>
  cause(({ context }) => [{ do: 'work', name, input: { issue: context.id, ...input(context) } }]);

/** Stops work, unless it is its own end that led here. */
export const stopWork = (name: string, ...ends: readonly IssueEvent['type'][]) =>
  cause(({ event }) => (ends.includes(event.type) || event.type === 'WORK_FAILED' ? [] : [{ do: 'stop_work', name }]));

export const clearTimer = (name: string) => cause(() => [{ do: 'clear_timer', name }]);

const outerStates = ['idle', 'preparing', 'blocked', 'executing', 'verifying', 'failed', 'cancelled'];
/** Any part of work that has begun; the organisation need not know which one. */
const innerStates = new Set(['executing', 'verifying']);

/** What an issue in this state tells the organisation. */
function changeOf(state: string, { id, blockedBy, seen }: IssueContext): ActorEvent {
  const apps = blockedBy.flatMap(({ app }) => (app === null ? [] : [app]));
  const limit = blockedBy.find((one) => one.limit)?.limit ?? null;
  return { type: 'ISSUE_CHANGED', issue: id, state, apps, limit, seen };
}

/** Tells the organisation and the project which state this is. */
export const announce = (state: string) =>
  cause(({ context }) => {
    const { org, project } = context;
    const event = changeOf(state, context);
    const parents: readonly (readonly [ActorKind, string | null])[] = [
      ['org', innerStates.has(state) ? null : org],
      ['project', project],
    ];
    return parents.flatMap(([kind, parent]) => (parent ? [{ do: 'send', to: { kind, id: parent }, event }] : []));
  });

/** When the issue moves to another project, its card leaves the old board, and the new project is told its state. */
export const changeBoards = issue.enqueueActions(({ context, event, check, enqueue }) => {
  if (event.type !== 'CONFIGURED' || event.project === undefined || event.project === context.project) return;
  const tell = (project: string | null, what: ActorEvent): void => {
    const to = { kind: 'project', id: project ?? '' } as const;
    if (project) enqueue({ type: 'effect', params: { do: 'send', to, event: what } });
  };
  tell(context.project, { type: 'ISSUE_LEFT', issue: context.id });
  const state = outerStates.find((one) => check(stateIn(one)));
  if (state) tell(event.project, changeOf(state, context));
});

export const report = (state: string) =>
  work('report', ({ agent, attempts, blockedBy, lastError, checks, delivered }) => {
    return { state, agent, attempts, blockedBy: blockedBy as JsonValue, lastError, checks, delivered };
  });

export const beginAttempt = ({ attempts }: IssueContext, reasons: readonly string[]): Partial<IssueContext> => ({
  attempts: attempts + 1,
  execution: { attempt: attempts + 1, reasons, waitsFor: null, answer: null, spentMs: 0, result: null },
});

export const change = (execution: Execution | null, changes: Partial<Execution>): Execution | null =>
  execution && { ...execution, ...changes };

export const assignAgent = issue.assign(({ context, event }) => ({
  agent: (event.type === 'ASSIGN_AGENT' ? event.agent : undefined) ?? context.agent,
  assignment: (event.type === 'ASSIGN_AGENT' ? event.assignment : undefined) ?? context.assignment,
}));
/** Whoever the agent works for agrees to what the issue says now. */
export const agree = issue.assign(({ context: { assignment }, event }) => {
  const given = 'agreed' in event ? event.agreed : undefined;
  const { kind, id } = (assignment?.onBehalfOf ?? {}) as { readonly kind?: unknown; readonly id?: unknown };
  if (assignment === null || given === undefined || given.by.kind !== kind || given.by.id !== id) return {};
  if (given.from === undefined) return { assignment: { ...assignment, words: given.words } };
  return typeof assignment.words === 'string' ? { assignment: followEdits(assignment, given.from, given.words) } : {};
});

/** Edits that may still be waiting for an earlier one that is delivered after them. */
const maxEdits = 20;

/** The assignment after an edit by somebody who may agree to it. Edits are delivered in any order: each is used once what it began with is agreed to. */
function followEdits({ words, edits = [], ...assignment }: JsonObject, from: string, to: string): JsonObject {
  const waiting = [...(edits as readonly JsonObject[]), { from, to }];
  let now = words;
  const find = () => waiting.findIndex((edit) => edit.from === now);
  for (let at = find(); at >= 0; at = find()) now = waiting.splice(at, 1)[0]?.to;
  return { ...assignment, words: now ?? to, ...(waiting.length > 0 && { edits: waiting.slice(-maxEdits) }) };
}
export const keepMissing = issue.assign(({ event }) =>
  event.type === 'TOOLS_MISSING' ? { blockedBy: event.missing, seen: event.seen } : {},
);
export const startOver = issue.assign({ attempts: 0, execution: null, blockedBy: [], seen: null });
export const forgetError = issue.assign({ lastError: null, checks: null });
export const keepUsage = issue.assign(({ context, event }) =>
  'usage' in event && event.usage ? { usage: addUsage(context.usage, event.usage) } : {},
);
export const reportUsage = cause(({ context: { org, id }, event }) =>
  org && 'usage' in event && event.usage
    ? [{ do: 'send', to: { kind: 'org', id: org }, event: { type: 'USAGE_ADDED', issue: id, ...event.usage } }]
    : [],
);
export const keepError = issue.assign(({ context, event }) => ({ lastError: errorOf(event, context) }));
export const nextAttempt = issue.assign(({ context, event }) => beginAttempt(context, reasonsOf(event, context)));

function errorOf(event: IssueEvent, context: IssueContext): IssueContext['lastError'] {
  const { attempts, limits, lastError } = context;
  if (event.type === 'FAILED') return event.error;
  if (event.type === 'TIMEOUT' && event.work === 'verify')
    return { code: 'timeout', message: describeLateVerification(context) };
  if (event.type === 'TIMEOUT')
    return { code: 'timeout', message: `Attempt ${attempts} took longer than ${limits.timeoutMs / 1_000} s` };
  if (event.type === 'REJECTED')
    return { code: 'rejected', message: event.reasons.join('\n') || 'The work was not good' };
  if (event.type === 'WORK_FAILED') return { code: 'work_failed', message: `${event.work}: ${event.message}` };
  return lastError;
}

/** Verification took too long, or what it waits for never came. */
function describeLateVerification({ limits, pr, pullRequestChecks }: IssueContext): string {
  const late = `Verification took longer than ${limits.verifyMs / 1_000} s`;
  if (pullRequestChecks === null) return `${late}. If it waits for a pull request: none has reported its checks`;
  return pullRequestChecks.state === 'pending' ? `${late}: the checks of ${pr} have not ended` : late;
}

function reasonsOf(event: IssueEvent, context: IssueContext): readonly string[] {
  if (event.type === 'REJECTED') return event.reasons;
  const error = errorOf(event, context);
  return error ? [error.message] : [];
}

/** Blocks the issue until there is room below the limit that refused it. */
export const keepRefusal = issue.assign(({ event }) =>
  event.type === 'WORK_REFUSED'
    ? {
        attempts: 0,
        execution: null,
        blockedBy: [{ reason: 'limit', app: null, message: event.reason, connectUrl: null, limit: event.by }],
      }
    : {},
);
export const keepRejection = issue.assign(({ context, event }) => {
  const execution = change(context.execution, { waitsFor: null });
  if (event.type === 'REJECTED')
    return { execution, checks: { passed: false, evidence: event.evidence, reasons: event.reasons } };
  if (event.type !== 'TIMEOUT') return {};
  return { execution, checks: { passed: false, evidence: [], reasons: reasonsOf(event, context) } };
});
export const askPersons = issue.assign(({ context, event }) => {
  if (event.type !== 'WAITING_FOR_PERSON') return {};
  const { asks, checked, evidence } = event;
  const waitsFor = { for: 'check', asks: asks.map((one) => ({ ...one })) };
  return {
    execution: change(context.execution, { waitsFor, checked }),
    checks: { passed: false, evidence, reasons: [] },
  };
});
export const keepDecision = issue.assign(({ context, event }) => {
  if (event.type !== 'CHECK_DECIDED') return {};
  const { check, of, accepted, reason, by } = event;
  const earlier = context.execution?.decisions ?? [];
  const decisions = [...earlier.filter((one) => one.check !== check), { check, of, accepted, reason, by }];
  // Others, who are asked about other checks, may decide at the same time.
  const asks = asksOf(context).filter((one) => one.check !== check);
  return {
    execution: change(context.execution, { waitsFor: asks.length > 0 ? { for: 'check', asks } : null, decisions }),
  };
});
export const keepPullRequest = issue.assign(({ event }) =>
  event.type === 'CHECKS_CHANGED'
    ? { pr: event.pr, pullRequestChecks: { state: event.state, failed: event.failed } }
    : {},
);
export const unassign = issue.assign({
  agent: null,
  assignment: null,
  tools: null,
  attempts: 0,
  execution: null,
  blockedBy: [],
});
