/**
 * A call under an idempotency key, in a run of its own. It is made once, even if it is asked for several times or a process is killed,
 * and each answer is the first one.
 */
import type { Approval } from '../../domain/approval.js';
import { type ErrorBody, HelveError } from '../../domain/errors.js';
import type { CallRequest } from '../../domain/execution.js';
import type { JsonValue } from '../../domain/json.js';
import type { Run, RunWait } from '../../domain/run.js';
import { orderedJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { approvalRequired } from '../calling/index.js';
import type { Runs } from './runs.js';

export interface KeyedCallParts {
  readonly runs: Pick<Runs, 'startCall' | 'followRun'>;
  readonly findApproval: (id: string) => Promise<Approval | undefined>;
  readonly approvalUrl: (id: string) => string | undefined;
  readonly now: () => Date;
}

export type KeyedCallRequest = Pick<
  CallRequest,
  'principal' | 'tool' | 'input' | 'intent' | 'door' | 'signal' | 'onStart'
> & {
  readonly idempotencyKey: string;
};

/** `executionId`: of the last attempt; absent until there is one. `rule`: the one that it waits for. */
export type KeyedAnswer = { readonly executionId?: string; readonly rule?: string } & (
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: ErrorBody }
);

const maxKey = 200;
/** Maximum number of times that a call that failed without an effect is repeated under its key. */
const maxAttempts = 20;

/**
 * Makes the call unless it has been made under this key, and returns its answer once it has one or waits for a person or for a
 * limit. A call that failed without an effect is made again when it is asked for again. A caller who aborts does not stop it.
 * Throws `invalid_input` for a key or arguments that cannot be stored, and `conflict` for a key of another call or program.
 */
export async function callUnderKey(parts: KeyedCallParts, request: KeyedCallRequest): Promise<KeyedAnswer> {
  const { principal, tool, intent, door, idempotencyKey: key } = request;
  if (key === '' || key.length > maxKey)
    throw new HelveError('invalid_input', `The idempotency key must have 1 to ${maxKey} characters`);
  const input = JSON.parse(orderedJson(request.input)) as JsonValue;
  for (let attempt = 1; ; attempt += 1) {
    const call = { tool, input, key, attempt, ...defined({ intent, door }) };
    const { run, isNew } = await parts.runs.startCall(principal, call);
    const wasOver = !isNew && run.finishedAt !== undefined;
    const answer = await waitForAnswer(parts, request, run);
    const canRepeat = wasOver && !answer.ok && answer.error.retryable && attempt < maxAttempts;
    if (!canRepeat) return answer;
  }
}

async function waitForAnswer(parts: KeyedCallParts, request: KeyedCallRequest, begun: Run): Promise<KeyedAnswer> {
  const { principal, signal, onStart } = request;
  let run = begun;
  let started: string | undefined;
  for await (const event of parts.runs.followRun(principal, begun.id, signal)) {
    if (event.type === 'call') {
      const { executionId } = event.call;
      if (executionId === undefined || executionId === started) continue;
      started = executionId;
      onStart?.(executionId);
      continue;
    }
    run = event.run;
    const waits = run.finishedAt === undefined ? await describeWait(parts, run.waits) : undefined;
    if (waits)
      return {
        ok: false,
        rule: waits.rule,
        error: waits.error.toJSON(),
        ...defined({ executionId: waits.executionId }),
      };
  }
  return readEnd(run);
}

interface Waits {
  readonly rule: string;
  readonly error: HelveError;
  readonly executionId: string | undefined;
}

/** Why the run has no answer yet, if somebody else has to do something first or time has to pass. */
async function describeWait(parts: KeyedCallParts, [wait]: readonly RunWait[]): Promise<Waits | undefined> {
  if (wait?.for === 'approval') return describeApproval(parts, wait);
  if (wait?.for === 'time') {
    const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(wait.until) - parts.now().getTime()) / 1_000));
    const error = new HelveError('rate_limited', `The call is over a limit; Helve will make it at ${wait.until}`, {
      hint: 'Helve then makes it by itself. To get its answer, send the same call with the same key again.',
      details: { retryAfterSeconds },
    });
    return { rule: 'limit.rate', error, executionId: wait.executionId };
  }
  if (wait?.for !== 'doubt') return undefined;
  const error = new HelveError('outcome_unknown', wait.reason, {
    hint: 'Check at the service whether it happened. A person can record that in the run of this call. Until then, do not send it under another key.',
    details: { executionId: wait.executionId },
  });
  return { rule: 'run.in_doubt', error, executionId: wait.executionId };
}

/** Undefined once the approval is decided, for then the run continues. */
async function describeApproval(
  { findApproval, approvalUrl, now }: KeyedCallParts,
  { approvalId, tool, executionId }: Extract<RunWait, { for: 'approval' }>,
): Promise<Waits | undefined> {
  const approval = await findApproval(approvalId);
  if (approval?.status !== 'pending' || approval.expiresAt <= now().toISOString()) return undefined;
  const hint =
    'Tell the person. After they approve, Helve makes the call by itself: to get its answer, send the same call with the same key again.';
  const url = approvalUrl(approvalId);
  return { rule: approval.rule, error: approvalRequired(approval, { name: tool, url, hint }), executionId };
}

function readEnd(run: Run): KeyedAnswer {
  const place = placeOf(run);
  if (run.status === 'succeeded') {
    const { answers } = run.value as { readonly answers: readonly JsonValue[] };
    return { ok: true, output: answers[0] ?? null, ...place };
  }
  const [call] = run.calls;
  if (call?.error) return { ok: false, error: call.error, ...place };
  return { ok: false, error: describeEnd(run).toJSON(), ...place };
}

function describeEnd({ id, status, finishedAt, error, calls: [call] }: Run): HelveError {
  const details = { runId: id };
  if (finishedAt === undefined)
    return new HelveError('outcome_unknown', 'The call is still running, but this request has stopped waiting for it', {
      hint: 'To get its answer, send the same call with the same key again.',
      details,
    });
  // It was begun, and its answer never came into the ledger.
  if (call?.executionId !== undefined)
    return new HelveError('outcome_unknown', `The call was ended (${status}) before its answer was known`, {
      hint: 'Check at the service whether it happened.',
      details: { ...details, executionId: call.executionId },
    });
  if (status === 'cancelled')
    return new HelveError('conflict', 'Somebody ended the run of this call before it was made', {
      hint: 'Use another key if the call is still wanted.',
      details,
    });
  return new HelveError('cancelled', error?.message ?? 'The call ended before it was made', {
    ...defined({ hint: error?.hint }),
    details,
  });
}

function placeOf({ calls: [call] }: Run): { readonly executionId?: string } {
  return defined({ executionId: call?.executionId });
}
