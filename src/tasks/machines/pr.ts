/**
 * The machine of a pull request: it follows reviews and checks, says whether it can be merged or why not, and merges
 * only when told to, by `MERGE` or by its setting `autoMerge`. Work outside: `merge`, and `look`, which reads what
 * deliveries have not reported.
 */
import { assign, setup } from 'xstate';
import { z } from 'zod';
import type { ActorEffect } from '../../domain/actor-host.js';
import { toActorMachine } from '../actor-machine.js';
import { inOrder } from '../in-order.js';
import { mergeability, type PullRequestFacts, stateOfChecks } from './pr-mergeability.js';
import { bare, count, type EventsOf, id, idOrNull, ids, jsonObject, text } from './shapes.js';

const checkState = z.enum(['pending', 'success', 'failure', 'neutral']);

type CheckState = z.output<typeof checkState>;

/** Who wants it merged, and with which account: what the work `merge` is given. Null: nobody is known. */
const order = jsonObject.nullable().default(null);

const input = z.object({
  id: id.default(''),
  repo: idOrNull,
  issue: idOrNull,
  /** The commit that it is at. */
  head: idOrNull,
  draft: z.boolean().default(false),
  /** How many approvals it needs. */
  requiredApprovals: count.default(1),
  /** Checks without which it is not merged, besides those that have reported. */
  requiredChecks: ids.default([]),
  /** Merge as soon as it can be, without being told. */
  autoMerge: z.boolean().default(false),
  /** Who said `autoMerge`, and with which account it is merged. */
  autoMergeOrder: order,
});

const events = {
  /** `head`: the commit that was reviewed; an approval counts only for that one. */
  REVIEW_SUBMITTED: z.object({
    reviewer: id.default(''),
    verdict: z.enum(['approved', 'changes_requested', 'commented', 'dismissed']),
    head: id.optional(),
  }),
  /** `head`: the commit that was checked; a check of another commit than the present one changes nothing until that is pushed. */
  CHECK_UPDATED: z.object({ name: id.default('check'), state: checkState, head: id.optional() }),
  COMMITS_PUSHED: z.object({ head: id.optional() }),
  /** Whether it can be merged without conflicts; null: not known yet. */
  CONFLICTS_CHECKED: z.object({ mergeable: z.boolean().nullable() }),
  READY_FOR_REVIEW: bare,
  CONVERTED_TO_DRAFT: bare,
  /** `whenReady`: as soon as it can be, unless commits are pushed before. Otherwise now or not at all. */
  MERGE: z.object({ whenReady: z.boolean().default(false), order }),
  /** Takes back `MERGE` with `whenReady`. */
  MERGE_CALLED_OFF: bare,
  MERGED: bare,
  MERGE_FAILED: z.object({ error: text.default('The merge failed') }),
  CLOSED: bare,
  REOPENED: bare,
  CONFIGURED: z.object({
    issue: id.nullish(),
    requiredApprovals: count.optional(),
    requiredChecks: ids.optional(),
    autoMerge: z.boolean().optional(),
    autoMergeOrder: jsonObject.nullish(),
  }),
  /** Time to read the pull request again, because a delivery can be late or lost. */
  LOOK: bare,
  WORK_FAILED: z.object({ work: id.default(''), message: text.default('') }),
} as const;

type PrEvent = EventsOf<typeof events>;

export interface PrContext extends PullRequestFacts {
  readonly id: string;
  readonly repo: string | null;
  readonly issue: string | null;
  readonly head: string | null;
  readonly autoMerge: boolean;
  readonly autoMergeOrder: z.output<typeof order>;
  /** Who ordered the merge, and with which account. */
  readonly order: z.output<typeof order>;
  /** Checks of commits that it was not at when they reported, by commit and name, the newest commits last. */
  readonly early: Readonly<Record<string, Readonly<Record<string, CheckState>>>>;
  /** `told`: whether it is merged as soon as it can be. `error`: why the last merge failed. */
  readonly mergeability: {
    readonly can: boolean;
    readonly why: readonly string[];
    readonly told: boolean;
    readonly error: string | null;
  };
}

const isOfOtherCommit = ({ head }: Pick<PrContext, 'head'>, named: string | undefined): boolean =>
  named !== undefined && head !== null && named !== head;

const pr = setup({
  types: { context: {} as PrContext, events: {} as PrEvent, input: {} as z.output<typeof input> },
  actions: { effect: (_, _effect: ActorEffect) => undefined },
  guards: {
    canMerge: ({ context }) => context.mergeability.can,
    mayMerge: ({ context: { autoMerge, mergeability: found } }) =>
      found.can && (found.told || (autoMerge && found.error === null)),
    isOfOtherCommit: ({ context, event }) => event.type === 'CHECK_UPDATED' && isOfOtherCommit(context, event.head),
    isSameHead: ({ context, event }) =>
      event.type === 'COMMITS_PUSHED' && event.head !== undefined && event.head === context.head,
    isOtherWork: ({ event }) => event.type === 'WORK_FAILED' && event.work !== '' && event.work !== 'merge',
  },
});

/**
 * Changes the known facts and what follows from them: `mergeability` for readers, and the event about the checks for
 * the issue.
 */
const learn = (change: (context: PrContext, event: PrEvent) => Partial<PrContext>) =>
  pr.enqueueActions(({ context, event, enqueue }) => {
    const next = { ...context, ...change(context, event) };
    enqueue.assign({ ...next, mergeability: { ...next.mergeability, ...mergeability(next) } });
    const { state, failed } = stateOfChecks(next);
    const before = stateOfChecks(context);
    const isNews =
      state !== before.state || failed.join('\n') !== before.failed.join('\n') || context.issue !== next.issue;
    if (next.issue && isNews) {
      const told = { type: 'CHECKS_CHANGED', pr: context.id, state, failed };
      enqueue({ type: 'effect', params: { do: 'send', to: { kind: 'issue', id: next.issue }, event: told } });
    }
  });

const setDraft = (draft: boolean) => learn(() => ({ draft }));
const tellToMerge = (told: boolean) =>
  pr.assign(({ context, event }) => ({
    order: event.type === 'MERGE' ? event.order : null,
    mergeability: { ...context.mergeability, told, error: null },
  }));

const review = learn(({ head, review: { approvals, changesRequested } }, event) => {
  if (event.type !== 'REVIEW_SUBMITTED' || event.verdict === 'commented') return {};
  const { reviewer, verdict } = event;
  const isApproved = verdict === 'approved' && !isOfOtherCommit({ head }, event.head);
  const withReviewer = (list: readonly string[], isOn: boolean) => [
    ...list.filter((one) => one !== reviewer),
    ...(isOn ? [reviewer] : []),
  ];
  return {
    review: {
      approvals: withReviewer(approvals, isApproved),
      changesRequested: withReviewer(changesRequested, verdict === 'changes_requested'),
    },
  };
});

const check = learn(({ checks }, event) =>
  event.type === 'CHECK_UPDATED' ? { checks: { ...checks, [event.name]: event.state } } : {},
);

/** Commits and names whose early checks are kept. */
const [maxEarlyHeads, maxEarlyChecks] = [4, 100];

/** A check can report before the delivery about the push of its commit. */
const keepEarly = pr.assign(({ context: { early }, event }) => {
  if (event.type !== 'CHECK_UPDATED' || event.head === undefined) return {};
  const { [event.head]: known = {}, ...others } = early;
  const checks = Object.entries({ ...known, [event.name]: event.state }).slice(-maxEarlyChecks);
  const heads = [...Object.entries(others), [event.head, Object.fromEntries(checks)] as const];
  return { early: Object.fromEntries(heads.slice(-maxEarlyHeads)) };
});

/** New commits have not been checked or approved, and nobody has ordered to merge them. */
const push = learn((context, event) => ({
  head: headOf(event),
  checks: {
    ...Object.fromEntries(Object.keys(context.checks).map((name) => [name, 'pending' as const])),
    ...context.early[headOf(event) ?? ''],
  },
  review: { ...context.review, approvals: [] },
  mergeable: null,
  order: null,
  mergeability: { ...context.mergeability, told: false, error: null },
}));

/** A push that both a delivery and a read report was one push. */
const pushed = { guard: 'isSameHead' } as const;

const look = pr.enqueueActions(({ context, enqueue }) => {
  enqueue({ type: 'effect', params: { do: 'work', name: 'look', input: { pr: context.id } } });
});

const headOf = (event: PrEvent): string | null => (event.type === 'COMMITS_PUSHED' ? event.head : undefined) ?? null;

const configure = learn((_, event) => {
  const { type: __, ...settings } = event;
  return Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting !== undefined));
});

const failMerge = pr.assign(({ context, event }) => {
  const error = event.type === 'MERGE_FAILED' ? event.error : event.type === 'WORK_FAILED' ? event.message : null;
  return { order: null, mergeability: { ...context.mergeability, told: false, error } };
});

export const prStatechart = pr.createMachine({
  id: 'pr',
  context: ({ input: given }) => {
    const facts = {
      ...given,
      review: { approvals: [], changesRequested: [] },
      checks: {},
      mergeable: null,
      order: null,
      early: {},
    };
    return { ...facts, mergeability: { ...mergeability(facts), told: false, error: null } };
  },
  initial: 'open',
  on: {
    REVIEW_SUBMITTED: { actions: review },
    CHECK_UPDATED: [{ guard: 'isOfOtherCommit', actions: keepEarly }, { actions: check }],
    COMMITS_PUSHED: [pushed, { actions: push }],
    CONFLICTS_CHECKED: {
      actions: learn((_, event) => (event.type === 'CONFLICTS_CHECKED' ? { mergeable: event.mergeable } : {})),
    },
    CONFIGURED: { actions: configure },
    LOOK: { actions: look },
    MERGED: '.merged',
    CLOSED: '.closed',
    CONVERTED_TO_DRAFT: { actions: setDraft(true) },
    READY_FOR_REVIEW: { actions: setDraft(false) },
  },
  states: {
    open: {
      always: { guard: 'mayMerge', target: 'merging' },
      on: {
        MERGE: [
          { guard: 'canMerge', actions: tellToMerge(true) },
          { guard: ({ event }) => event.whenReady, actions: tellToMerge(true) },
        ],
        MERGE_CALLED_OFF: { actions: tellToMerge(false) },
      },
    },
    merging: {
      entry: pr.enqueueActions(({ context: { id: pullRequest, head, mergeability: found, ...orders }, enqueue }) => {
        const { order = null, autoMergeOrder = null } = orders;
        const merge = { pr: pullRequest, head, order: found.told ? order : autoMergeOrder };
        enqueue({ type: 'effect', params: { do: 'work', name: 'merge', input: merge } });
      }),
      exit: pr.enqueueActions(({ event, enqueue }) => {
        if (event.type === 'MERGED' || event.type === 'MERGE_FAILED' || event.type === 'WORK_FAILED') return;
        enqueue({ type: 'effect', params: { do: 'stop_work', name: 'merge' } });
      }),
      on: {
        MERGE_FAILED: { target: 'open', actions: failMerge },
        WORK_FAILED: [{ guard: 'isOtherWork' }, { target: 'open', actions: failMerge }],
        // The merge was ordered for other commits than the current ones.
        COMMITS_PUSHED: [pushed, { target: 'open', actions: push }],
        CONVERTED_TO_DRAFT: { target: 'open', actions: setDraft(true) },
      },
    },
    closed: { on: { REOPENED: 'open', CLOSED: {} } },
    merged: {
      type: 'final',
      entry: assign({ mergeability: { can: false, why: ['It is merged'], told: false, error: null } }),
    },
  },
});

export const prMachine = inOrder(toActorMachine({ statechart: prStatechart, input, events }), {
  REVIEW_SUBMITTED: ({ reviewer }) => `review:${reviewer}`,
  // A check of each commit has an order of its own: only that of the present commit counts.
  CHECK_UPDATED: ({ name, head }) => `check:${name}:${head}`,
  COMMITS_PUSHED: () => 'head',
  MERGED: () => 'state',
  CLOSED: () => 'state',
  REOPENED: () => 'state',
  READY_FOR_REVIEW: () => 'draft',
  CONVERTED_TO_DRAFT: () => 'draft',
  CONFIGURED: () => 'issue',
});
