/**
 * Forwards the answers of a client of 2026-07-28 that reach another process than the one whose call waits for them.
 * Both processes leave messages for each other in the store, and look for them while they expect any:
 *
 * - in the box of the call: the answers, or that the caller has given up;
 * - in a box of the request that brought them: the next result of the call and, while it runs, signs that it still
 *   does.
 */
import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ErrorBody, HelveError, toHelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { McpBoxes } from '../../domain/mcp-session.js';
import { poll } from '../../util/poll.js';
import type { Conversation } from './conversation.js';
import type { WaitingForAnswers } from './request-state.js';

/** The calls of this process. */
export interface CallsHere {
  /** The ids of those that wait for answers. */
  waiting(): readonly string[];
  /** The call, which no longer waits; undefined if it does not wait in this round. */
  leave(id: string, round: number): Conversation | undefined;
  /** The next result of the call, once it has its answers. */
  serve(conversation: Conversation): Promise<unknown>;
}

export interface Forwarded {
  readonly waiting: WaitingForAnswers;
  readonly workspaceId: string;
  readonly answers: unknown;
  /** Aborted when the caller gives up. */
  readonly signal: AbortSignal;
}

/** The longest time that a message waits before it is taken. */
const pollMs = 200;
/** After this long without being taken, the process of the call has ended. */
const takingMs = 5_000;
/** How often a process reports that a call still runs, and how long such a report counts. */
const runsMs = 10_000;
const silenceMs = 30_000;

export function createForwarding(boxes: McpBoxes, calls: CallsHere) {
  /** Requests that wait here, by their box, and calls that are served here for other processes. */
  const awaited = new Map<string, (body: JsonObject) => void>();
  const served = new Map<string, Conversation>();

  async function look(): Promise<void> {
    const mine = [...calls.waiting(), ...served.keys(), ...awaited.keys()];
    if (mine.length === 0) return;
    for (const { box, body } of await boxes.take(mine)) {
      const receive = awaited.get(box);
      if (receive !== undefined) receive(body);
      else if (body.gaveUp === true) served.get(box)?.giveUp('The caller cancelled the call');
      else void answer(box, body);
    }
  }

  /** Gives a waiting call its answers, and leaves its next result for the process that has the request. */
  async function answer(id: string, { workspaceId, reply, round, answers }: JsonObject): Promise<void> {
    const say = (body: JsonObject) => boxes.leave(String(workspaceId), String(reply), body).catch(() => undefined);
    const conversation = calls.leave(id, Number(round));
    if (conversation === undefined) return say({ refused: true });
    served.set(id, conversation);
    const running = setInterval(() => void say({}), runsMs).unref();
    conversation.acceptAnswers(answers);
    try {
      await say({ result: ((await calls.serve(conversation)) ?? null) as JsonValue });
    } catch (thrown) {
      await say({ error: toHelveError(thrown, 'internal').toJSON() as unknown as JsonObject });
    } finally {
      clearInterval(running);
      served.delete(id);
    }
  }

  // Calls report that the store is unavailable.
  const polling = poll(look, pollMs);

  return {
    /**
     * The next result of the call. Throws a protocol error if it does not wait, and `outcome_unknown` if its process no
     * longer reports that it runs.
     */
    async forward<Result>({ waiting, workspaceId, answers, signal }: Forwarded): Promise<Result> {
      const { conversation, round } = waiting;
      const reply = randomUUID();
      const message = { workspaceId, reply, round, answers: (answers ?? {}) as JsonObject };
      const left = boxes.leave(workspaceId, conversation, message);
      // After the answers: only a call that has them runs and can be stopped.
      const giveUp = async (): Promise<void> => {
        await left;
        await boxes.leave(workspaceId, conversation, { gaveUp: true });
      };
      const onAbort = (): void => void giveUp().catch(() => undefined);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      let limit: NodeJS.Timeout | undefined;
      try {
        return await new Promise<Result>((resolve, reject) => {
          const waitSilently = (): void => {
            clearTimeout(limit);
            limit = setTimeout(() => reject(silent()), silenceMs).unref();
          };
          const endUntaken = async (): Promise<void> => {
            const left = await boxes.take([conversation]);
            if (left.length > 0) reject(notWaiting());
            else waitSilently();
          };
          limit = setTimeout(() => endUntaken().catch(reject), takingMs).unref();
          awaited.set(reply, (body) => {
            if ('result' in body) resolve((body.result ?? undefined) as Result);
            else if ('error' in body) reject(toError(body.error as unknown as ErrorBody));
            else if ('refused' in body) reject(notWaiting());
            else waitSilently();
          });
          left.catch(reject);
        });
      } finally {
        clearTimeout(limit);
        awaited.delete(reply);
        signal.removeEventListener('abort', onAbort);
      }
    },
    close: polling.close,
  };
}

function toError({ code, message, hint, details }: ErrorBody): HelveError {
  return new HelveError(code, message, { hint, details });
}

function silent(): HelveError {
  return new HelveError('outcome_unknown', 'The process that runs the call no longer responds', {
    hint: 'Check whether the call had its effect before you call again.',
  });
}

/** For a `requestState` that no call waits for. */
export function notWaiting(): ProtocolError {
  const message =
    'No call waits for this requestState: it has been used, has expired, or the process of the call has ended. ' +
    'Check whether the call had its effect before you call again.';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { reason: 'invalid_request_state' });
}
