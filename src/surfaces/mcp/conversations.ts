/**
 * A call that asks its client while it runs, at 2026-07-28. The client gets the question as an interim result and answers
 * with a second request, so the call waits here between the two. It continues from where it stopped and never restarts.
 *
 * The `requestState` of an interim result names the waiting call and the round. It is sealed and bound to the principal,
 * the tool and the arguments (request-state.ts), is valid for one request, and expires with the client's time to answer.
 * The client's answer goes to the tool that asked. It is not a person's approval and cannot become one. If it comes to
 * another process, that one forwards it (forwarding.ts).
 */
import { randomUUID } from 'node:crypto';
import {
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { HelveError } from '../../domain/errors.js';
import type { McpBoxes } from '../../domain/mcp-session.js';
import { Conversation, type Talk } from './conversation.js';
import { createForwarding, notWaiting } from './forwarding.js';
import { getPrincipal } from './principal.js';
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

/** `boxes`: where answers to questions of other processes are left; undefined: no other process serves these clients. */
export function createConversations(
  seal: RequestStates['seal'],
  limits = usualLimits,
  boxes?: McpBoxes,
): Conversations {
  const room = createWaitingRoom(limits);
  const process = randomUUID();
  const forwarding =
    boxes &&
    createForwarding(boxes, {
      waiting: () => room.ids(),
      leave: (id, round) => room.leave({ conversation: id, round }),
      serve: (conversation) => serve(conversation),
    });

  /**
   * Serves the request until the work has ended, or all its questions are known. Without a request: for another process,
   * so that meanwhile neither progress nor log lines reach the client.
   */
  async function serve<Result>(conversation: Conversation, context?: ServerContext) {
    if (context !== undefined) conversation.attach(context);
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
          requestState: await seal({ process, conversation: id, round, call }, context ?? conversation.first),
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
    async resume<Result>(waiting: WaitingForAnswers, context: ServerContext) {
      const { inputResponses, signal } = context.mcpReq;
      if (forwarding !== undefined && waiting.process !== process) {
        const { workspaceId } = getPrincipal(context, undefined);
        return forwarding.forward<Result | InputRequiredResult>({
          waiting,
          workspaceId,
          answers: inputResponses,
          signal,
        });
      }
      const conversation = room.leave(waiting);
      if (conversation === undefined) throw notWaiting();
      conversation.acceptAnswers(inputResponses);
      return serve<Result>(conversation, context);
    },
    close() {
      forwarding?.close();
      room.close();
    },
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
    ids: (): readonly string[] => [...waiting.keys()],
    /** Undefined if none waits in this round. Of two requests with the same state, one gets it. */
    leave({ conversation: id, round }: Pick<WaitingForAnswers, 'conversation' | 'round'>): Conversation | undefined {
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
