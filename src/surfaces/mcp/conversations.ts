/**
 * A call that asks its client while it runs, at 2026-07-28. The client gets the question as an interim result and answers
 * with a second request, so the call waits here between the two. It continues from where it stopped and never restarts.
 *
 * The `requestState` of an interim result names the waiting call and the round. It is sealed and bound to the principal,
 * the tool and the arguments (request-state.ts), is valid for one request, and expires with the client's time to answer.
 * The client's answer goes to the tool that asked. It is not a person's approval and cannot become one.
 */
import {
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { HelveError } from '../../domain/errors.js';
import { Conversation, type Talk } from './conversation.js';
import { patienceMs, type RequestStates, type WaitingForAnswers } from './request-state.js';

/** A request and its purpose. */
export interface Beginning<Result> {
  readonly context: ServerContext;
  /** The caller, whose number of waiting calls is limited. */
  readonly owner: string;
  /** Fingerprint of the method, the tool and the arguments. */
  readonly call: string;
  work(talk: Talk): Promise<Result>;
}

export interface Conversations {
  /** Runs the work until it ends or asks. Throws the errors of the work. */
  begin<Result>(beginning: Beginning<Result>): Promise<Result | InputRequiredResult>;
  /** Passes the answers of the request to the waiting work. Throws a protocol error if no work waits for them. */
  resume<Result>(waiting: WaitingForAnswers, context: ServerContext): Promise<Result | InputRequiredResult>;
  /** Ends every waiting call. */
  close(): void;
}

export interface ConversationLimits {
  readonly maxWaiting: number;
  readonly maxPerOwner: number;
  /** How often one call may ask. */
  readonly maxRounds: number;
  readonly patienceMs: number;
}

const usualLimits: ConversationLimits = { maxWaiting: 1_000, maxPerOwner: 50, maxRounds: 50, patienceMs };

export function createConversations(seal: RequestStates['seal'], limits = usualLimits): Conversations {
  const room = createWaitingRoom(limits);

  /** Serves this request until the work has ended, or all its questions are known. */
  async function serve<Result>(conversation: Conversation, context: ServerContext) {
    conversation.attach(context);
    try {
      for (;;) {
        if (conversation.outcome !== undefined) return await (conversation.outcome as Promise<Result>);
        if (!conversation.isAsking) await conversation.nextChange();
        // Questions that the work asks in the same turn belong into the same interim result.
        else await new Promise(setImmediate);
        if (conversation.outcome !== undefined) continue;
        const refusal = room.refusalFor(conversation);
        if (refusal !== undefined) conversation.refuseQuestions(refusal);
        const inputRequests = conversation.openQuestions();
        if (inputRequests === undefined) continue;
        conversation.round += 1;
        room.enter(conversation);
        const { id, round, call } = conversation;
        return inputRequired({
          inputRequests: inputRequests as InputRequests,
          requestState: await seal({ conversation: id, round, call }, context),
        });
      }
    } finally {
      conversation.detach();
    }
  }

  return {
    begin({ context, owner, call, work }) {
      const conversation = new Conversation(owner, call, context);
      conversation.start(work);
      return serve(conversation, context);
    },
    async resume(waiting, context) {
      const conversation = room.leave(waiting);
      if (conversation === undefined) throw notWaiting();
      conversation.acceptAnswers(context.mcpReq.inputResponses);
      return serve(conversation, context);
    },
    close: () => room.close(),
  };
}

/** The calls between two requests. */
function createWaitingRoom(limits: ConversationLimits) {
  const waiting = new Map<string, { readonly conversation: Conversation; readonly timer: NodeJS.Timeout }>();
  return {
    /** The reason why one more call cannot wait. */
    refusalFor({ owner, round }: Conversation): HelveError | undefined {
      if (round >= limits.maxRounds) {
        return new HelveError('tool_failed', `The tool asked the client more than ${limits.maxRounds} times`);
      }
      const own = [...waiting.values()].filter(({ conversation }) => conversation.owner === owner);
      if (waiting.size < limits.maxWaiting && own.length < limits.maxPerOwner) return undefined;
      return new HelveError('rate_limited', 'Too many calls are waiting for their clients to answer', {
        hint: 'Answer or cancel the waiting calls, then call again.',
      });
    },
    enter(conversation: Conversation): void {
      const timer = setTimeout(() => {
        waiting.delete(conversation.id);
        conversation.end(new HelveError('expired', 'The client did not answer the tool’s question in time'));
      }, limits.patienceMs).unref();
      waiting.set(conversation.id, { conversation, timer });
    },
    /** Undefined if none waits in this round. Of two requests with the same state, one gets it. */
    leave({ conversation: id, round }: WaitingForAnswers): Conversation | undefined {
      const found = waiting.get(id);
      if (found?.conversation.round !== round) return undefined;
      waiting.delete(id);
      clearTimeout(found.timer);
      return found.conversation;
    },
    close(): void {
      for (const { conversation, timer } of waiting.values()) {
        clearTimeout(timer);
        conversation.giveUp('The connection was closed while the call waited for its client');
      }
      waiting.clear();
    },
  };
}

function notWaiting(): ProtocolError {
  const message =
    'No call waits for this requestState: it has been used, has expired, or another process started the call. ' +
    'Check whether the call had its effect before you call again.';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { reason: 'invalid_request_state' });
}
