/** Programs that run: the requests, a run as its readers see it, and its events. */
import { z } from 'zod';
import { codeVerdict } from './code.js';
import { agentField, idempotencyKey, text } from './requests.js';
import { errorBody, jsonObject, namedShapes, timestamp } from './shapes.js';

const positive = z.number().positive().optional();

const runLimits = z.strictObject({
  cpuMs: positive.describe('Milliseconds in which the program itself runs, waits not counted'),
  wallMs: positive.describe('Milliseconds from a start or a resumption to the end or the next wait'),
  memoryMb: positive,
  calls: positive.describe('How many calls it may make'),
  callsInFlight: positive,
  logBytes: positive,
  valueBytes: positive,
});

export const runBody = z.strictObject({
  code: z
    .string()
    .min(1)
    .max(262_144)
    .describe('TypeScript: statements with await and return, a module with export default, or an async function'),
  mode: z
    .enum(['check', 'plan', 'run'])
    .optional()
    .describe('check: only type-checks it. plan: runs it without effects and lists them. Default: run'),
  agent: agentField,
  limits: runLimits.optional().describe('Each at most the limit of the installation, which is the default'),
  intent: z.string().max(2_000).optional().describe('What the person asked for, in their words'),
  idempotencyKey: idempotencyKey
    .optional()
    .describe(
      'A second start of the same program with the same key answers with the first run; also as the header Idempotency-Key',
    ),
  plan: text.optional().describe('The id of an approved plan: the run makes exactly its effects'),
  wait: z.boolean().optional().describe('false, or the header Prefer: respond-async: answers 202 as soon as it runs'),
});
namedShapes.add(runBody, { id: 'RunRequest' });

const runStatus = z.enum([
  'queued',
  'running',
  'waiting',
  'in_doubt',
  'succeeded',
  'failed',
  'refused',
  'diverged',
  'cancelled',
]);

export const runsQuery = z.strictObject({
  agent: agentField,
  status: runStatus.optional(),
  principal: text.optional().describe('The id of the agent, key or person that started them; needs audit:read'),
  approval: text.optional().describe('The id of an approval: only runs that wait for it'),
  plan: z.literal('pending').optional().describe('Only plans that a person can still decide about'),
  before: text.optional().describe('`next` of the previous page: runs that started earlier'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 50'),
});

const place = { number: z.int().min(1).describe('The number of the call'), tool: z.string() };

const runCall = z.object({
  ...place,
  status: z.enum(['running', 'ok', 'failed', 'waiting', 'in_doubt', 'planned']),
  executionId: z.string().optional(),
  startedAt: timestamp.optional(),
  finishedAt: timestamp.optional(),
  attempts: z.int().optional().describe('How often it was made: more than once if an answer was lost'),
  error: errorBody.optional(),
});
namedShapes.add(runCall, { id: 'RunCall' });
export const runCalls = z.object({ calls: z.array(runCall) });

const within = z
  .object({ runId: z.string(), number: z.int() })
  .optional()
  .describe('The program of the agent that asks, and its call; a decision about the agent’s run is passed on to it');
const forOthers = z
  .literal(true)
  .optional()
  .describe('Whoever reads this cannot decide, because it concerns an account of somebody else');
const attempt = z.string().optional().describe('The attempt that has to be made again');
const runWait = z.discriminatedUnion('for', [
  z.object({ for: z.literal('approval'), ...place, approvalId: z.string(), executionId: attempt, within }),
  z.object({
    for: z.literal('time'),
    until: timestamp,
    number: place.number.optional(),
    tool: z.string().optional(),
    executionId: attempt,
  }),
  z.object({
    for: z.literal('doubt'),
    ...place,
    executionId: z.string(),
    since: timestamp,
    reason: z.string(),
    within,
    forOthers,
  }),
  z.object({
    for: z.literal('answer'),
    ...place,
    question: z.string(),
    choices: z.array(z.string()).optional().describe('The answers that the program understands; absent: any text'),
    within,
  }),
]);

const planFacts = z.object({
  effects: z.array(
    z.object({
      ...place,
      connection: z.string().optional().describe('Slug of the account that acts'),
      connectionId: z.string().optional(),
      arguments: jsonObject.describe('A placeholder stands for what an earlier effect will answer: ⟦call 3: number⟧'),
      approval: z.string().optional().describe('The rule by which it needs an approval'),
    }),
  ),
  status: z.enum(['pending', 'approved', 'rejected', 'used']),
  expiresAt: timestamp,
  forOthers,
});

export const run = z.object({
  id: z.string(),
  mode: z
    .enum(['check', 'plan', 'run', 'agent', 'call'])
    .describe(
      'agent: the loop of an agent; call: one call with an idempotency key; both have their work as JSON in code',
    ),
  status: runStatus.describe('queued: it has not begun, or not gone on, because it waits for a place for programs'),
  principal: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  code: z.string(),
  intent: z.string().optional(),
  startedAt: timestamp,
  finishedAt: timestamp.optional(),
  value: z.unknown().optional().describe('What the program returned'),
  logs: z.array(z.object({ level: z.enum(['log', 'info', 'warn', 'error', 'debug']), text: z.string() })),
  calls: z.array(runCall),
  waits: z.array(runWait).describe('What it waits for'),
  takeovers: z.array(timestamp).optional().describe('When a process took it over from one that had ended'),
  error: z
    .object({
      name: z.string(),
      message: z.string(),
      code: z.string().optional(),
      hint: z.string().optional(),
      line: z.int().optional().describe('From 1, in the text of the program'),
      column: z.int().optional(),
    })
    .optional(),
  issues: codeVerdict.shape.issues.optional(),
  planned: planFacts.optional().describe('The plan that it made'),
  plan: z.string().optional().describe('The id of the plan that it follows'),
  issueId: z.string().optional().describe('The id of the issue that its agent works on'),
  url: z.string().optional().describe('Where a person sees it and decides'),
});
namedShapes.add(run, { id: 'Run' });

export const runReply = z.union([run, codeVerdict]).describe('With mode check a CodeVerdict, else the run');

export const runList = z.object({
  runs: z.array(
    run
      .omit({ code: true, logs: true, calls: true, value: true, issues: true })
      .extend({ callCount: z.int().describe('How many calls it has made') }),
  ),
  next: z.string().optional().describe('`before` of the next page'),
});

export const runEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), run }),
  z.object({ type: z.literal('call'), runId: z.string(), call: runCall }),
  z.object({ type: z.literal('settled'), run }),
]);
namedShapes.add(runEvent, { id: 'RunEvent' });

const number = place.number;
export const runDecisionBody = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('happened'),
    number,
    output: z.unknown().optional().describe('What the program gets as the answer of the tool'),
  }),
  z.strictObject({ decision: z.literal('not_happened'), number }),
  z.strictObject({
    decision: z.literal('answer'),
    number,
    text: z.string().max(10_000).describe('What the program gets as the answer to its question'),
  }),
  z.strictObject({ decision: z.literal('approve_plan') }),
  z.strictObject({ decision: z.literal('reject_plan') }),
  z.strictObject({ decision: z.literal('stop') }),
]);
namedShapes.add(runDecisionBody, { id: 'RunDecision' });
