/**
 * The machine of a project: a board. It moves an issue's card as the issue's state changes, limits how many issues work
 * at once, and applies its rules when a person moves a card.
 */
import { setup } from 'xstate';
import { z } from 'zod';
import type { ActorEffect, ActorEvent } from '../../domain/actor-host.js';
import { toActorMachine } from '../actor-machine.js';
import { type Room, takeIn, type WaitingIssue, wake } from './room.js';
import { assignmentBy, count, type EventsOf, id, idOrNull, issueChanged, ruleAgent } from './shapes.js';

const columnName = z.string().min(1).max(100);
const column = z.union([
  columnName.transform((name) => ({ name, issues: [] as string[] })),
  z.object({ name: columnName, issues: z.array(id).default([]) }),
]);

/** What happens to an issue whose card a person moves into the column. */
const rule = z.object({
  column: columnName,
  do: z.enum(['assign', 'unassign', 'retry', 'cancel']),
  /** With `assign`; without it, the agent that the issue has. */
  agent: id.optional(),
  ...ruleAgent,
});

/** The column of each state of an issue. */
const defaultWorkflow: Readonly<Record<string, string>> = {
  idle: 'To do',
  preparing: 'In progress',
  executing: 'In progress',
  blocked: 'Blocked',
  verifying: 'In review',
  failed: 'Needs a person',
  done: 'Done',
  cancelled: 'Cancelled',
};
/** An issue in one of these leaves the board, which would otherwise grow for ever. */
const closedStates = new Set(['done', 'cancelled']);

const workflow = z.record(z.string().max(50), columnName);

const input = z.object({
  id: id.default(''),
  org: idOrNull,
  workflow: workflow.default(defaultWorkflow),
  columns: z.array(column).default([...new Set(Object.values(defaultWorkflow))].map((name) => ({ name, issues: [] }))),
  automation: z.array(rule).default([]),
  /** How many issues may be worked on at once. */
  maxRunning: count.nullable().default(null),
});

const events = {
  ISSUE_CHANGED: issueChanged,
  /** A new issue: its card goes where idle issues are, unless it is on the board. */
  ISSUE_FILED: z.object({ issue: id }),
  /** It belongs to another project now. */
  ISSUE_LEFT: z.object({ issue: id }),
  CARD_MOVED: z.object({ issue: id, column: columnName }),
  CONFIGURED: z.object({
    workflow: workflow.optional(),
    columns: z.array(columnName).optional(),
    automation: z.array(rule).optional(),
    maxRunning: count.nullish(),
  }),
} as const;

type ProjectEvent = EventsOf<typeof events>;

interface ProjectContext extends Room {
  readonly id: string;
  readonly org: string | null;
  readonly workflow: Readonly<Record<string, string>>;
  /** With the open issues in each. */
  readonly columns: readonly { readonly name: string; readonly issues: readonly string[] }[];
  readonly automation: readonly z.output<typeof rule>[];
  readonly maxRunning: number | null;
  /** How many issues have left the board. */
  readonly closed: number;
  readonly running: readonly string[];
  readonly waiting: readonly WaitingIssue[];
}

const rulesOf = ({ maxRunning }: ProjectContext) =>
  ({
    by: 'project',
    places: maxRunning ?? Number.POSITIVE_INFINITY,
    reason: `At most ${maxRunning} issues of this project are worked on at once`,
  }) as const;

const project = setup({
  types: { context: {} as ProjectContext, events: {} as ProjectEvent, input: {} as z.output<typeof input> },
  actions: { effect: (_, _effect: ActorEffect) => undefined },
  guards: {
    isFull: ({ context }) => context.running.length >= rulesOf(context).places,
    hasRoom: ({ context }) => context.running.length < rulesOf(context).places,
  },
});

type Columns = ProjectContext['columns'];

/** Puts the issue at the end of the column, and nowhere else; a column that does not exist is added. */
function place(columns: Columns, issue: string, name: string): Columns {
  const present = columns.find((one) => one.name === name);
  if (present?.issues.includes(issue)) return columns;
  const without = remove(columns, issue);
  if (!present) return [...without, { name, issues: [issue] }];
  return without.map((one) => (one.name === name ? { ...one, issues: [...one.issues, issue] } : one));
}

function remove(columns: Columns, issue: string): Columns {
  return columns.map((one) => ({ ...one, issues: one.issues.filter((other) => other !== issue) }));
}

function eventOf(projectId: string, { do: what, agent, ...more }: z.output<typeof rule>): ActorEvent {
  if (what !== 'assign') return { type: what.toUpperCase() };
  if (agent === undefined) return { type: 'ASSIGN_AGENT' };
  return { type: 'ASSIGN_AGENT', agent, assignment: assignmentBy(projectId, more) };
}

const takeInIssue = project.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'ISSUE_CHANGED') return;
  const { issue, state } = event;
  const [room, effects] = takeIn(context, event, rulesOf(context));
  const name = context.workflow[state];
  const isClosed = closedStates.has(state);
  const isOpenHere = context.columns.some(({ issues }) => issues.includes(issue));
  enqueue.assign({
    ...room,
    columns: isClosed ? remove(context.columns, issue) : name ? place(context.columns, issue, name) : context.columns,
    closed: context.closed + (isClosed && isOpenHere ? 1 : 0),
  });
  for (const params of effects) enqueue({ type: 'effect', params });
});

const addCard = project.assign(({ context: { columns, workflow: flow }, event }) => {
  if (event.type !== 'ISSUE_FILED' || columns.some(({ issues }) => issues.includes(event.issue))) return {};
  return flow.idle === undefined ? {} : { columns: place(columns, event.issue, flow.idle) };
});

const removeCard = project.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'ISSUE_LEFT') return;
  const left = { issue: event.issue, state: 'idle', apps: [], limit: null, seen: null };
  const [room, effects] = takeIn(context, left, rulesOf(context));
  enqueue.assign({ ...room, columns: remove(context.columns, event.issue) });
  for (const params of effects) enqueue({ type: 'effect', params });
});

const moveCard = project.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'CARD_MOVED') return;
  const { issue, column: name } = event;
  const columns = place(context.columns, issue, name);
  if (columns === context.columns) return;
  enqueue.assign({ columns });
  for (const one of context.automation.filter((each) => each.column === name))
    enqueue({
      type: 'effect',
      params: { do: 'send', to: { kind: 'issue', id: issue }, event: eventOf(context.id, one) },
    });
});

const configure = project.enqueueActions(({ context, event, enqueue }) => {
  if (event.type !== 'CONFIGURED') return;
  const { columns: names, maxRunning = context.maxRunning, workflow: flow = context.workflow } = event;
  const columns = names ? withColumns(context.columns, names) : context.columns;
  const next = { ...context, workflow: flow, automation: event.automation ?? context.automation, columns, maxRunning };
  enqueue.assign(next);
  for (const params of wake(next, rulesOf(next).places)) enqueue({ type: 'effect', params });
});

/** The columns of these names in this order; one that still has issues stays, at the end. */
function withColumns(columns: Columns, names: readonly string[]): Columns {
  const named = names.map((name) => columns.find((one) => one.name === name) ?? { name, issues: [] });
  return [...named, ...columns.filter(({ name, issues }) => issues.length > 0 && !names.includes(name))];
}

export const projectStatechart = project.createMachine({
  id: 'project',
  context: ({ input: given }) => ({ ...given, closed: 0, running: [], waiting: [] }),
  initial: 'open',
  on: {
    ISSUE_CHANGED: { actions: takeInIssue },
    ISSUE_FILED: { actions: addCard },
    ISSUE_LEFT: { actions: removeCard },
    CARD_MOVED: { actions: moveCard },
    CONFIGURED: { actions: configure },
  },
  states: {
    open: { always: { guard: 'isFull', target: 'full' } },
    /** Refuses further work. */
    full: { always: { guard: 'hasRoom', target: 'open' } },
  },
});

export const projectMachine = toActorMachine({ statechart: projectStatechart, input, events });
