/**
 * The machine of an issue: an agent is assigned, its tools are prepared, it works in attempts, its work is verified, and the outcome is
 * reported where the issue was filed. Work outside: `prepare`, `execute`, `verify`, `report`; timers: `attempt`, `back_off`.
 *
 * Handlers of `execute` return `WAITING_FOR_…` when a person must decide or answer. `RESUMED` then starts `execute` again with the number of
 * the same attempt, and the time-out goes on where it stopped.
 */
import { assign } from 'xstate';
import { defaultTaskLimits } from '../../domain/task.js';
import { toActorMachine } from '../actor-machine.js';
import { inOrder } from '../in-order.js';
import {
  agree,
  announce,
  askPersons,
  assignAgent,
  beginAttempt,
  cause,
  change,
  changeBoards,
  clearTimer,
  forgetError,
  issue,
  keepDecision,
  keepError,
  keepMissing,
  keepPullRequest,
  keepRefusal,
  keepRejection,
  keepUsage,
  nextAttempt,
  report,
  reportUsage,
  startOver,
  stopWork,
  unassign,
  work,
} from './issue-actions.js';
import { backOffGrowth, issueEvents, issueInput, newIssue } from './issue-shapes.js';

const toPreparing = { target: '#issue.preparing', actions: [assignAgent, agree, startOver, forgetError] } as const;
const toIdle = { target: '#issue.idle', actions: [unassign, announce('idle')] } as const;
const toBlocked = { target: '#issue.blocked', actions: keepRefusal } as const;
const toMissing = { target: '#issue.blocked', actions: [startOver, keepMissing] } as const;
const stop = { UNASSIGN: toIdle, CANCEL: { target: '#issue.cancelled' } } as const;

/** The end of other work does not concern the current work. */
const isOther =
  (work: string) =>
  ({ event }: { readonly event: { readonly work: string } }) =>
    event.work !== '' && event.work !== work;

const workFailed = (work: string) => [{ guard: isOther(work) }, { target: 'failed', actions: keepError }] as const;

/** After a failed attempt. */
const failedAttempt = [
  { guard: 'isStale' },
  { guard: 'hasAttempts', target: '.backing_off', actions: [keepError, nextAttempt] },
  { target: 'failed', actions: keepError },
] as const;

/** After work that was rejected. */
const rejectedAttempt = [
  {
    guard: 'hasAttempts',
    target: 'executing',
    actions: [keepUsage, reportUsage, keepRejection, keepError, nextAttempt],
  },
  { target: 'failed', actions: [keepUsage, reportUsage, keepRejection, keepError] },
] as const;

const wait = (state: 'waiting_for_approval' | 'waiting_for_answer') =>
  [
    { guard: 'isStale' },
    {
      target: state,
      actions: issue.assign(({ context, event }) => {
        if (event.type !== 'WAITING_FOR_APPROVAL' && event.type !== 'WAITING_FOR_ANSWER') return {};
        const { spentMs = context.execution?.spentMs ?? 0, waitsFor } = event;
        return { execution: change(context.execution, { waitsFor, spentMs, answer: null }) };
      }),
    },
  ] as const;

/** The time-out of an attempt does not run while a person is asked. */
const waitingState = {
  on: {
    TIMEOUT: {},
    RESUMED: [
      { guard: 'isStale' },
      { guard: 'isOtherRun' },
      {
        target: 'working',
        actions: issue.assign(({ context, event }) => ({
          execution: change(context.execution, {
            waitsFor: null,
            answer: event.type === 'RESUMED' ? event.answer : null,
          }),
        })),
      },
    ],
  },
} as const;

export const issueStatechart = issue.createMachine({
  id: 'issue',
  context: ({ input }) => newIssue(input),
  initial: 'idle',
  on: {
    CONFIGURED: {
      actions: [
        changeBoards,
        agree,
        assign(({ context, event: { type: _, limits, agreed: __, ...parents } }) => ({
          ...Object.fromEntries(Object.entries(parents).filter(([, parent]) => parent !== undefined)),
          limits: { ...context.limits, ...limits },
        })),
      ],
    },
    CHECKS_CHANGED: { actions: keepPullRequest },
    // Its organisation is told of each answer.
    USAGE_ADDED: { actions: keepUsage },
  },
  states: {
    idle: {
      on: { ASSIGN_AGENT: toPreparing, UNASSIGN: {}, CANCEL: stop.CANCEL },
    },
    preparing: {
      entry: [announce('preparing'), work('prepare', ({ agent, assignment }) => ({ agent, assignment }))],
      exit: stopWork('prepare', 'TOOLS_READY', 'TOOLS_MISSING'),
      on: {
        ...stop,
        TOOLS_READY: {
          target: 'executing',
          actions: [
            assign({ tools: ({ event }) => event.tools }),
            issue.assign(({ context }) => beginAttempt(context, [])),
          ],
        },
        TOOLS_MISSING: toMissing,
        // What `prepare` has read may be older than this event.
        TOOLS_CHANGED: { target: 'preparing', reenter: true },
        ASSIGN_AGENT: { ...toPreparing, reenter: true },
        WORK_REFUSED: toBlocked,
        WORK_FAILED: workFailed('prepare'),
      },
    },
    blocked: {
      entry: [announce('blocked'), report('blocked')],
      on: { ...stop, TOOLS_CHANGED: toPreparing, ASSIGN_AGENT: toPreparing },
    },
    executing: {
      entry: announce('executing'),
      initial: 'working',
      on: {
        ...stop,
        COMPLETED: [
          { guard: 'isStale' },
          {
            target: 'verifying',
            actions: assign(({ context, event }) => ({
              execution: change(context.execution, { result: event.result, waitsFor: null }),
            })),
          },
        ],
        FAILED: failedAttempt,
        TIMEOUT: failedAttempt,
        // The next attempt does not begin, because what was to be done has changed.
        TOOLS_MISSING: toMissing,
        WORK_REFUSED: toBlocked,
        WORK_FAILED: [{ guard: isOther('execute') }, ...failedAttempt],
      },
      states: {
        working: {
          entry: [
            work('execute', ({ agent, assignment, tools, limits, execution }) => {
              const { attempt = 1, reasons = [], answer = null } = execution ?? {};
              return { attempt, reasons, answer, agent, assignment, tools, limits };
            }),
            cause(({ context: { attempts, limits, execution } }) => [
              {
                do: 'set_timer',
                name: 'attempt',
                delayMs: Math.max(1_000, limits.timeoutMs - (execution?.spentMs ?? 0)),
                event: { type: 'TIMEOUT', attempt: attempts },
              },
            ]),
          ],
          exit: [
            clearTimer('attempt'),
            stopWork('execute', 'COMPLETED', 'FAILED', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_ANSWER'),
          ],
          on: {
            WAITING_FOR_APPROVAL: wait('waiting_for_approval'),
            WAITING_FOR_ANSWER: wait('waiting_for_answer'),
          },
        },
        waiting_for_approval: waitingState,
        waiting_for_answer: waitingState,
        backing_off: {
          entry: cause(({ context: { attempts, limits } }) => [
            {
              do: 'set_timer',
              name: 'back_off',
              delayMs: limits.backOffMs * backOffGrowth ** Math.max(0, attempts - 2),
              event: { type: 'BACK_OFF_OVER', attempt: attempts },
            },
          ]),
          exit: clearTimer('back_off'),
          on: { BACK_OFF_OVER: [{ guard: 'isStale' }, { target: 'working' }] },
        },
      },
    },
    verifying: {
      entry: [
        announce('verifying'),
        work('verify', ({ attempts, execution, pr, pullRequestChecks }) => {
          const { result = null, checked = null, decisions = [] } = execution ?? {};
          return { attempt: attempts, result, pr, pullRequestChecks, checked, decisions: [...decisions] };
        }),
        cause(({ context: { attempts, limits } }) => [
          {
            do: 'set_timer',
            name: 'verification',
            // An issue from before there was a limit has none of its own.
            delayMs: limits.verifyMs ?? defaultTaskLimits.verifyMs,
            event: { type: 'TIMEOUT', attempt: attempts, work: 'verify' },
          },
        ]),
      ],
      exit: [clearTimer('verification'), stopWork('verify', 'VERIFIED', 'REJECTED')],
      on: {
        ...stop,
        VERIFIED: [
          { guard: 'isStale' },
          {
            target: 'done',
            actions: [
              keepUsage,
              reportUsage,
              assign(({ context, event: { evidence, delivered } }) => ({
                checks: { passed: true, evidence, reasons: [] },
                delivered: delivered ?? context.execution?.result ?? null,
                execution: change(context.execution, { waitsFor: null }),
                lastError: null,
              })),
            ],
          },
        ],
        REJECTED: [{ guard: 'isStale' }, ...rejectedAttempt],
        TIMEOUT: [{ guard: 'isStale' }, { guard: 'isOtherTimeout' }, ...rejectedAttempt],
        // A person has no time limit.
        WAITING_FOR_PERSON: [
          { guard: 'isStale' },
          { actions: [keepUsage, reportUsage, askPersons, clearTimer('verification')] },
        ],
        CHECK_DECIDED: [
          { guard: 'isStale' },
          { guard: 'isAsked', target: 'verifying', reenter: true, actions: keepDecision },
        ],
        CHECKS_CHANGED: {
          guard: ({ event }) => event.state !== 'pending',
          target: 'verifying',
          reenter: true,
          actions: keepPullRequest,
        },
        // The issue is checked in another way now.
        TOOLS_CHANGED: { target: 'verifying', reenter: true },
        WORK_FAILED: workFailed('verify'),
      },
    },
    failed: {
      entry: [announce('failed'), report('failed')],
      on: { ...stop, RETRY: toPreparing, ASSIGN_AGENT: toPreparing },
    },
    cancelled: {
      entry: announce('cancelled'),
      on: { UNASSIGN: toIdle, RETRY: toPreparing, ASSIGN_AGENT: toPreparing },
    },
    done: { type: 'final', entry: [announce('done'), report('done')] },
  },
});

/** Closing and reopening where the issue was filed is reported with its time. */
export const issueMachine = inOrder(
  toActorMachine({ statechart: issueStatechart, input: issueInput, events: issueEvents }),
  { CANCEL: () => 'filed', RETRY: () => 'filed', UNASSIGN: () => 'filed' },
);
