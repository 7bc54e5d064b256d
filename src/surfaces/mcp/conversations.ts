/**
 * A call that asks its client while it runs, at 2026-07-28. The client is asked by an interim result and answers with a
 * second request, so the call waits here between the two: it goes on where it stopped and is never begun a second time.
 *
 * The `requestState` of an interim result names the waiting call and the round. It is sealed and bound to the principal,
 * the tool and the arguments (request-state.ts), is good for one request, and expires with the client's time to answer.
 * What the client answers goes to the tool that asked. It is not a person's approval and cannot become one.
 */
import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { HelveError } from '../../spec/errors.js';
import { ownValue, type Question } from './questions.js';
import { patienceMs, type RequestStates, type WaitingForAnswers } from './request-state.js';

/** What running work has of its client. */
export interface Talk {
  /** Aborted when the caller has given up. */
  readonly signal: AbortSignal;
  /** The request that is being answered; undefined between two, and after the answer. */
  currentRequest(): ServerContext | undefined;
  capabilities(): ClientCapabilities | undefined;
  /** Rejects with a `HelveError` when the client does not answer in time, cannot be asked, or has gone. */
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
}

/** A request and what it is for. */
export interface Beginning<Result> {
  readonly context: ServerContext;
  /** Who asks: each may have so many calls waiting. */
  readonly owner: string;
  /** Fingerprint of the method, the tool and the arguments. */
  readonly call: string;
  work(talk: Talk): Promise<Result>;
}

export interface Conversations {
  /** Runs the work until it ends or asks. Throws what the work throws. */
  begin<Result>(beginning: Beginning<Result>): Promise<Result | InputRequiredResult>;
  /** Gives the answers of the request to the work that waits for them. Throws a protocol error if none does. */
  resume<Result>(waiting: WaitingForAnswers, context: ServerContext): Promise<Result | InputRequiredResult>;
  /** Ends every call that waits. */
  close(): void;
}

export interface ConversationLimits {
  readonly mostWaiting: number;
  readonly mostOfOneOwner: number;
  /** How often one call may ask. */
  readonly mostRounds: number;
  readonly patienceMs: number;
}

const usualLimits: ConversationLimits = { mostWaiting: 1_000, mostOfOneOwner: 50, mostRounds: 50, patienceMs };

export function createConversations(seal: RequestStates['seal'], limits = usualLimits): Conversations {
  const waiting = new Map<string, { readonly conversation: Conversation; readonly timer: NodeJS.Timeout }>();

  /** Why one more call cannot wait. */
  function refusalToWait({ owner, round }: Conversation): HelveError | undefined {
    if (round >= limits.mostRounds) {
      return new HelveError('tool_failed', `The tool asked the client more than ${limits.mostRounds} times`);
    }
    const own = [...waiting.values()].filter(({ conversation }) => conversation.owner === owner);
    if (waiting.size < limits.mostWaiting && own.length < limits.mostOfOneOwner) return undefined;
    return new HelveError('rate_limited', 'Too many calls are waiting for answers of their clients', {
      hint: 'Answer or give up the calls that are waiting, then call again.',
    });
  }

  function startWaiting(conversation: Conversation): void {
    const timer = setTimeout(() => {
      waiting.delete(conversation.id);
      conversation.end(notAnswered());
    }, limits.patienceMs).unref();
    waiting.set(conversation.id, { conversation, timer });
  }

  /** Serves this request: until the work has ended, or all that it asked for is known. */
  async function serve<Result>(conversation: Conversation, context: ServerContext) {
    conversation.attach(context);
    try {
      for (;;) {
        if (conversation.outcome !== undefined) return await (conversation.outcome as Promise<Result>);
        if (!conversation.isAsking()) await conversation.nextChange();
        // What the work asks in the same turn belongs into the same interim result.
        else await new Promise(setImmediate);
        if (conversation.outcome !== undefined || !conversation.isAsking()) continue;
        const refusal = refusalToWait(conversation);
        if (refusal !== undefined) conversation.refuseQuestions(refusal);
        const inputRequests = conversation.openQuestions();
        if (inputRequests === undefined) continue;
        conversation.round += 1;
        startWaiting(conversation);
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
      const conversation = createConversation(owner, call, context);
      conversation.start(work);
      return serve(conversation, context);
    },
    async resume({ conversation: id, round }, context) {
      const found = waiting.get(id);
      if (found === undefined || found.conversation.round !== round) throw notWaiting();
      // Before anything else: of two requests with the same state, one is served.
      waiting.delete(id);
      clearTimeout(found.timer);
      found.conversation.acceptAnswers(context.mcpReq.inputResponses);
      return serve(found.conversation, context);
    },
    close() {
      for (const { conversation, timer } of waiting.values()) {
        clearTimeout(timer);
        conversation.end(new HelveError('shutting_down', 'Helve stopped while the call waited for its client'));
      }
      waiting.clear();
    },
  };
}

interface OpenQuestion {
  readonly question: Question<unknown>;
  resolve(answer: unknown): void;
  reject(error: HelveError): void;
}

type Conversation = ReturnType<typeof createConversation>;

function createConversation(owner: string, call: string, first: ServerContext) {
  const stop = new AbortController();
  const open = new Map<string, OpenQuestion>();
  // An answer that came with a state answers what that state asked, and nothing else.
  const early = first.mcpReq.requestState() === undefined ? { ...first.mcpReq.inputResponses } : {};
  let request: ServerContext | undefined;
  let ended: HelveError | undefined;
  let unnamed = 0;
  let change = createChange();

  const giveUp = (): void => {
    stop.abort();
    end(new HelveError('cancelled', 'The caller cancelled the call'));
  };

  function end(reason: HelveError): void {
    ended = reason;
    refuseQuestions(reason);
  }

  function refuseQuestions(reason: HelveError): void {
    for (const { reject } of open.values()) reject(reason);
    open.clear();
  }

  function ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (ended !== undefined) return Promise.reject(ended);
    const given = question.key === undefined ? undefined : question.readAnswer(ownValue(early, question.key));
    if (given !== undefined) return Promise.resolve(given);
    unnamed += question.key === undefined ? 1 : 0;
    const key = question.key ?? `question-${unnamed}`;
    if (open.has(key)) return Promise.reject(new HelveError('tool_failed', `The tool asked "${key}" twice at once`));
    return new Promise((resolve, reject) => {
      open.set(key, { question, resolve: resolve as OpenQuestion['resolve'], reject });
      change.announce();
    });
  }

  const conversation = {
    id: randomUUID(),
    owner,
    call,
    round: 0,
    outcome: undefined as Promise<unknown> | undefined,
    start(work: (talk: Talk) => Promise<unknown>): void {
      const talk: Talk = {
        signal: stop.signal,
        currentRequest: () => request,
        capabilities: () => capabilitiesOf(request ?? first),
        ask,
      };
      const result = work(talk);
      const settle = (): void => {
        conversation.outcome = result;
        change.announce();
      };
      result.then(settle, settle);
    },
    attach(context: ServerContext): void {
      request = context;
      if (context.mcpReq.signal.aborted) giveUp();
      else context.mcpReq.signal.addEventListener('abort', giveUp, { once: true });
    },
    detach(): void {
      request?.mcpReq.signal.removeEventListener('abort', giveUp);
      request = undefined;
    },
    isAsking: () => open.size > 0,
    async nextChange(): Promise<void> {
      await change.happened;
      change = createChange();
    },
    /** What the client is to be asked; undefined: nothing that this client can answer. */
    openQuestions(): Record<string, unknown> | undefined {
      for (const [key, { question, reject }] of open) {
        if (question.isPossible(capabilitiesOf(request ?? first))) continue;
        open.delete(key);
        reject(new HelveError('tool_failed', `The client can no longer be asked for ${question.request.method}`));
      }
      if (open.size === 0) return undefined;
      return Object.fromEntries([...open].map(([key, { question }]) => [key, question.request]));
    },
    /** A question without a fitting answer stays open and is asked again; what nobody asked for is ignored. */
    acceptAnswers(responses: unknown): void {
      for (const [key, { question, resolve }] of open) {
        const answer = question.readAnswer(ownValue(responses, key));
        if (answer === undefined) continue;
        open.delete(key);
        resolve(answer);
      }
    },
    refuseQuestions,
    end,
  };
  return conversation;
}

/** Announced once, by whoever changes something; whoever waits for it makes a new one afterwards. */
function createChange() {
  let announce: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    announce = resolve;
  });
  return { happened, announce };
}

/** What the client of a 2026-07-28 request can do; undefined for a request of an older revision. */
export function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}

function notWaiting(): ProtocolError {
  const message =
    'No call waits for this requestState: it has been used, its time is up, or another process began the call. ' +
    'Look whether the call had its effect before you call again.';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { reason: 'invalid_request_state' });
}

function notAnswered(): HelveError {
  return new HelveError('expired', 'The client did not answer the question of the tool in time');
}
