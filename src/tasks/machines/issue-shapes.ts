/** The events of an issue, and its context. */
import { z } from 'zod';
import { blockReasons } from '../../domain/issue-acts.js';
import { defaultTaskLimits } from '../../domain/task.js';
import {
  bare,
  count,
  type EventsOf,
  id,
  idOrNull,
  json,
  jsonObject,
  noUsage,
  text,
  texts,
  type Usage,
  usage,
} from './shapes.js';

/** Waits between attempts: the first wait, and the factor by which each later one is longer. */
const backOffMs = 10_000;
export const backOffGrowth = 4;

const limitShapes = {
  maxAttempts: z.int().min(1).max(100),
  timeoutMs: z.int().min(1_000),
  verifyMs: z.int().min(1_000),
  maxSteps: z.int().min(1),
  maxTokens: count.nullable(),
  maxCents: z.number().nonnegative().nullable(),
  backOffMs: count,
};

const limits = z.object({
  maxAttempts: limitShapes.maxAttempts.default(defaultTaskLimits.maxAttempts),
  timeoutMs: limitShapes.timeoutMs.default(defaultTaskLimits.timeoutMs),
  verifyMs: limitShapes.verifyMs.default(defaultTaskLimits.verifyMs),
  maxSteps: limitShapes.maxSteps.default(defaultTaskLimits.maxSteps),
  maxTokens: limitShapes.maxTokens.default(null),
  maxCents: limitShapes.maxCents.default(null),
  backOffMs: limitShapes.backOffMs.default(backOffMs),
});

const parents = { org: idOrNull, repo: idOrNull, project: idOrNull, pr: idOrNull };

export const issueInput = z.object({ id: id.default(''), ...parents, limits: limits.prefault({}) });

/** The attempt that an event is about; one of an earlier attempt changes nothing. Absent: the present attempt. */
const attempt = z.int().positive().optional();

const blocker = z.object({
  reason: z.enum(blockReasons).nullable().default(null),
  /** The app that is missing. */
  app: id.nullable().default(null),
  message: text.default(''),
  /** Where a person connects the app. */
  connectUrl: text.nullable().default(null),
  /** Who refused the work because of a limit. */
  limit: z.enum(['org', 'project']).nullable().default(null),
});

const missing = z
  .array(z.union([id.transform((app) => ({ reason: null, app, message: '', connectUrl: null, limit: null })), blocker]))
  .default([]);

/** `spentMs`: how long the attempt has worked so far, from which its time-out continues. */
const waiting = z.object({ attempt, waitsFor: jsonObject.default({}), spentMs: count.optional() });

/** The check that a person is asked about, and the person; null: whoever may decide. */
const ask = z.object({ check: count, question: text.default(''), who: z.string().nullable().default(null) });

/** A message, or `{ code, message }`. */
const error = z
  .union([text.transform((message) => ({ message })), z.object({ code: id.optional(), message: text.default('') })])
  .transform(({ message, ...rest }) => ({ code: ('code' in rest ? rest.code : undefined) ?? null, message }));

/**
 * Who agrees to the words of the issue, and their hash. It counts if the agent works for them. `from`: the hash of what these words replaced;
 * then it counts only if that was agreed to.
 */
const agreed = z.object({ words: text, by: z.object({ kind: text, id }), from: text.optional() }).optional();

export const issueEvents = {
  /** `assignment`: for whom the agent works, the tools of this assignment, and the hash of the words that it is for. */
  ASSIGN_AGENT: z.object({ agent: id.optional(), assignment: jsonObject.optional() }),
  UNASSIGN: bare,
  /** The result of `prepare`: what the agent may use. */
  TOOLS_READY: z.object({ tools: json.default([]) }),
  /** `seen`: as in `ISSUE_CHANGED`. */
  TOOLS_MISSING: z.object({ missing, seen: count.nullable().default(null) }),
  TOOLS_CHANGED: bare,
  /** From the organisation or the project: a limit is reached. */
  WORK_REFUSED: z.object({ by: z.enum(['org', 'project']).default('org'), reason: text.default('A limit is reached') }),
  COMPLETED: z.object({ attempt, result: json.default(null) }),
  FAILED: z.object({ attempt, error: error.prefault('The attempt failed') }),
  /** The time limit of this work has passed. */
  TIMEOUT: z.object({ attempt, work: z.enum(['execute', 'verify']).default('execute') }),
  BACK_OFF_OVER: z.object({ attempt }),
  WAITING_FOR_APPROVAL: waiting,
  WAITING_FOR_ANSWER: waiting,
  RESUMED: z.object({ attempt, answer: json.default(null) }),
  /** `usage` of these three: what judging models have used. */
  VERIFIED: z.object({ attempt, evidence: json.default(null), delivered: json.optional(), usage: usage.optional() }),
  REJECTED: z.object({ attempt, reasons: texts.default([]), evidence: json.default(null), usage: usage.optional() }),
  /**
   * All other checks have passed, and people must decide whether they accept the work. `checked`: the results so far.
   */
  WAITING_FOR_PERSON: z.object({
    attempt,
    asks: z.array(ask).default([]),
    checked: json.default(null),
    evidence: json.default(null),
    usage: usage.optional(),
  }),
  /** `check`: its place among the checks; `of`: the hash of it. */
  CHECK_DECIDED: z.object({
    attempt,
    check: count.default(0),
    of: text.default(''),
    accepted: z.boolean().default(false),
    reason: text.default(''),
    by: jsonObject.default({}),
  }),
  RETRY: z.object({ agreed }),
  CANCEL: z.object({ reason: text.default('') }),
  /** From its pull request. */
  CHECKS_CHANGED: z.object({
    pr: id,
    state: z.enum(['pending', 'success', 'failure']),
    failed: z.array(text).default([]),
  }),
  /** Other parents or limits; absent fields stay unchanged. */
  CONFIGURED: z.object({
    org: id.nullish(),
    repo: id.nullish(),
    project: id.nullish(),
    pr: id.nullish(),
    limits: z.object(limitShapes).partial().optional(),
    agreed,
  }),
  /** What the run of an attempt has used, however it ended. */
  USAGE_ADDED: z.object({ usage }),
  /** From the host: work was given up. */
  WORK_FAILED: z.object({ work: id.default(''), message: text.default('') }),
} as const;

export type IssueEvent = EventsOf<typeof issueEvents>;

/** One attempt: the input of `execute`, and its result. */
export interface Execution {
  readonly attempt: number;
  /** Why the previous attempt failed. */
  readonly reasons: readonly string[];
  /** What it waits for, while it waits. */
  readonly waitsFor: z.output<typeof jsonObject> | null;
  /** What a person answered. */
  readonly answer: z.output<typeof json> | null;
  readonly spentMs: number;
  readonly result: z.output<typeof json>;
  /** What verification has found so far, while persons are asked. */
  readonly checked?: z.output<typeof json>;
  /** Decisions of people about this attempt. */
  readonly decisions?: readonly Omit<z.output<(typeof issueEvents)['CHECK_DECIDED']>, 'attempt'>[];
}

export interface IssueContext {
  readonly id: string;
  readonly org: string | null;
  readonly repo: string | null;
  readonly project: string | null;
  readonly pr: string | null;
  readonly limits: z.output<typeof limits>;
  /** Null before the first attempt. */
  readonly execution: Execution | null;
  readonly agent: string | null;
  readonly assignment: z.output<typeof jsonObject> | null;
  /** What `prepare` found; null until then. */
  readonly tools: z.output<typeof json>;
  /** How many attempts have begun since the agent was assigned, or a person asked to retry; never above `limits.maxAttempts`. */
  readonly attempts: number;
  readonly blockedBy: readonly z.output<typeof blocker>[];
  /** The organisation's number of connection changes that `prepare` took into account. */
  readonly seen: number | null;
  readonly lastError: { readonly code: string | null; readonly message: string } | null;
  /** What the last verification found. */
  readonly checks: {
    readonly passed: boolean;
    readonly evidence: z.output<typeof json>;
    readonly reasons: readonly string[];
  } | null;
  /** The last event of the pull request about its checks. */
  readonly pullRequestChecks: { readonly state: string; readonly failed: readonly string[] } | null;
  /** What was delivered at `done`: pull request, comment, output, files. */
  readonly delivered: z.output<typeof json>;
  readonly usage: Usage;
}

/** The context of a new issue. */
export function newIssue(input: z.output<typeof issueInput>): IssueContext {
  return {
    ...input,
    execution: null,
    agent: null,
    assignment: null,
    tools: null,
    attempts: 0,
    blockedBy: [],
    seen: null,
    lastError: null,
    checks: null,
    pullRequestChecks: null,
    delivered: null,
    usage: noUsage,
  };
}
