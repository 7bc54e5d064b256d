/**
 * The machine of an organisation: which apps are connected, what its issues use, and how many of them may work at once. It wakes
 * the issues that wait for an app or for room.
 */
import { setup } from 'xstate';
import { z } from 'zod';
import type { ActorEffect } from '../../domain/actor-host.js';
import type { JsonValue } from '../../domain/json.js';
import { toAppKey, toAppName } from '../../domain/naming/index.js';
import { toActorMachine } from '../actor-machine.js';
import { type Room, takeIn, tell, type WaitingIssue, wake } from './room.js';
import { addUsage, count, type EventsOf, id, issueChanged, json, noUsage, type Usage, usage } from './shapes.js';

const limitShapes = {
  /** How many issues may work at once. */
  maxRunning: count.nullable(),
  /** What all issues together may use in one billing period. */
  maxTokens: count.nullable(),
  maxCents: z.number().nonnegative().nullable(),
};

const limits = z.object({
  maxRunning: limitShapes.maxRunning.default(null),
  maxTokens: limitShapes.maxTokens.default(null),
  maxCents: limitShapes.maxCents.default(null),
});

const app = id.refine((form) => /[\p{L}\p{N}]/u.test(form), 'not the name of an app');

const input = z.object({
  id: id.default(''),
  connectedApps: z.array(app).default([]),
  /** The tool config of this level. */
  defaultTools: json.default({}),
  limits: limits.prefault({}),
  billing: usage.default(noUsage),
});

/** `connection`: its id. Two accounts of one app count as one app until both are gone. */
const connection = z.object({ app, connection: id.optional() });

const events = {
  CONNECTION_MADE: connection,
  CONNECTION_LOST: connection,
  ISSUE_CHANGED: issueChanged,
  USAGE_ADDED: usage,
  CONFIGURED: z.object({ defaultTools: json.optional(), limits: z.object(limitShapes).partial().optional() }),
  /** `period`: its name, as in `2026-11`; one that has begun before changes nothing. Without it, a new one begins now. */
  BILLING_PERIOD_STARTED: z.object({ period: id.optional() }),
} as const;

type OrgEvent = EventsOf<typeof events>;

interface OrgContext extends Room {
  readonly id: string;
  /** Apps with at least one account, sorted. */
  readonly connectedApps: readonly string[];
  /** The app of each connection, by the connection's id; by the app's name for those that were named without one. */
  readonly connections: Readonly<Record<string, string>>;
  /**
   * Counts connections made or lost and changes of the config, so that an issue knows whether it has read the latest
   * state.
   */
  readonly changes: number;
  readonly defaultTools: JsonValue;
  readonly limits: z.output<typeof limits>;
  /** What was used in this billing period. */
  readonly billing: Usage;
  /** Its name; null until one with a name has begun. */
  readonly period: string | null;
  readonly running: readonly string[];
  readonly waiting: readonly WaitingIssue[];
}

function newOrg(given: z.output<typeof input>): OrgContext {
  const connections = Object.fromEntries(given.connectedApps.map((one) => [toAppName(one), toAppName(one)]));
  return {
    ...given,
    connections,
    connectedApps: appsOf(connections),
    changes: 0,
    period: null,
    running: [],
    waiting: [],
  };
}

const appsOf = (connections: OrgContext['connections']) => [...new Set(Object.values(connections))].sort();

/** The budget that is used up, in words. */
function usedUp({ limits: { maxTokens, maxCents }, billing }: OrgContext): string | undefined {
  if (maxTokens !== null && billing.tokens >= maxTokens) return `The ${maxTokens} tokens of this period are used up`;
  if (maxCents !== null && billing.cents >= maxCents)
    return `The ${maxCents / 100} US dollars of this period are used up`;
  return undefined;
}

function rulesOf(context: OrgContext) {
  const spent = usedUp(context);
  const places = spent ? 0 : (context.limits.maxRunning ?? Number.POSITIVE_INFINITY);
  return {
    by: 'org',
    places,
    reason: spent ?? `At most ${places} issues of this organisation are worked on at once`,
  } as const;
}

const org = setup({
  types: { context: {} as OrgContext, events: {} as OrgEvent, input: {} as z.output<typeof input> },
  actions: { effect: (_, _effect: ActorEffect) => undefined },
  guards: {
    isFull: ({ context }) => context.running.length >= rulesOf(context).places,
    hasRoom: ({ context }) => context.running.length < rulesOf(context).places,
  },
});

/** The next context, and the events for the issues. */
type Outcome = readonly [Partial<OrgContext>, readonly ActorEffect[]];

const apply = (outcome: (context: OrgContext, event: OrgEvent) => Outcome) =>
  org.enqueueActions(({ context, event, enqueue }) => {
    const [changes, effects] = outcome(context, event);
    enqueue.assign(changes);
    for (const params of effects) enqueue({ type: 'effect', params });
  });

const changeConnection = apply((context, event) => {
  if (event.type !== 'CONNECTION_MADE' && event.type !== 'CONNECTION_LOST') return [{}, []];
  const name = toAppName(event.app);
  const { [event.connection ?? name]: _, ...others } = context.connections;
  const connections = event.type === 'CONNECTION_MADE' ? { ...others, [event.connection ?? name]: name } : others;
  const isAbout = ({ apps }: WaitingIssue) => apps.some((one) => toAppKey(one) === toAppKey(name));
  return [
    { connections, connectedApps: appsOf(connections), changes: context.changes + 1 },
    context.waiting.filter(isAbout).map(({ issue }) => tell(issue)),
  ];
});

const takeInIssue = apply((context, event) => {
  if (event.type !== 'ISSUE_CHANGED') return [{}, []];
  const [room, effects] = takeIn(context, event, rulesOf(context));
  // A connection was made after the issue had looked, and before it said that it waits.
  const isLate =
    event.state === 'blocked' && event.apps.length > 0 && event.seen !== null && event.seen < context.changes;
  return [room, isLate ? [...effects, tell(event.issue)] : effects];
});

const configure = apply((context, event) => {
  if (event.type !== 'CONFIGURED') return [{}, []];
  const { defaultTools = context.defaultTools } = event;
  const next = {
    ...context,
    defaultTools,
    limits: { ...context.limits, ...event.limits },
    changes: context.changes + 1,
  };
  const forApps = context.waiting.filter(({ forRoom }) => !forRoom).map(({ issue }) => tell(issue));
  return [next, [...forApps, ...wake(next, rulesOf(next).places)]];
});

const startPeriod = apply((context, event) => {
  const named = event.type === 'BILLING_PERIOD_STARTED' ? event.period : undefined;
  const present = context.period ?? null;
  // It is unknown when the first period began, so it continues under the name of the current one.
  if (named !== undefined && present === null) return [{ period: named }, []];
  if (named !== undefined && present !== null && named <= present) return [{}, []];
  const next = { ...context, billing: noUsage, period: named ?? present };
  return [next, wake(next, rulesOf(next).places)];
});

export const orgStatechart = org.createMachine({
  id: 'org',
  context: ({ input: given }) => newOrg(given),
  initial: 'open',
  on: {
    CONNECTION_MADE: { actions: changeConnection },
    CONNECTION_LOST: { actions: changeConnection },
    ISSUE_CHANGED: { actions: takeInIssue },
    USAGE_ADDED: {
      actions: apply(({ billing }, event) => [
        event.type === 'USAGE_ADDED' ? { billing: addUsage(billing, event) } : {},
        [],
      ]),
    },
    CONFIGURED: { actions: configure },
    BILLING_PERIOD_STARTED: { actions: startPeriod },
  },
  states: {
    open: { always: { guard: 'isFull', target: 'full' } },
    /** Refuses further work. */
    full: { always: { guard: 'hasRoom', target: 'open' } },
  },
});

export const orgMachine = toActorMachine({ statechart: orgStatechart, input, events });
