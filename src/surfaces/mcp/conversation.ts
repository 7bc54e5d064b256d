/**
 * One call of a tool that may ask its client, at 2026-07-28: the open questions, and the request that is currently
 * answered, if there is one. `conversations.ts` stores the calls that wait between two requests.
 */
import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { HelveError, toHelveError } from '../../domain/errors.js';
import { ownValue, type Question } from './questions.js';

/** What running work can use of its client. */
export interface Talk {
  /** Aborted when the caller has given up. */
  readonly signal: AbortSignal;
  /** The current request; undefined between two requests, and after the answer. */
  currentRequest(): ServerContext | undefined;
  capabilities(): ClientCapabilities | undefined;
  /** Rejects with a `HelveError` if the client does not answer in time, cannot be asked, or has disconnected. */
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
}

interface OpenQuestion {
  readonly question: Question<unknown>;
  resolve(answer: unknown): void;
  reject(error: HelveError): void;
}

export class Conversation implements Talk {
  readonly id = randomUUID();
  readonly owner: string;
  readonly call: string;
  /** How often the client has been asked. */
  round = 0;
  /** The outcome of the work, set when it has ended. */
  outcome: Promise<unknown> | undefined;
  /** The request that began it. */
  readonly first: ServerContext;
  /** Answers that came with the first request, before any question. */
  readonly #early: Readonly<Record<string, unknown>>;
  readonly #stop = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  #request: ServerContext | undefined;
  #ended: HelveError | undefined;
  #unnamed = 0;
  #change = createChange();

  /** `owner`: who asks; `call`: the fingerprint of the request. */
  constructor(owner: string, call: string, first: ServerContext) {
    this.owner = owner;
    this.call = call;
    this.first = first;
    // An answer that came with a state belongs to the question of that state only.
    this.#early = first.mcpReq.requestState() === undefined ? { ...first.mcpReq.inputResponses } : {};
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  currentRequest(): ServerContext | undefined {
    return this.#request;
  }

  capabilities(): ClientCapabilities | undefined {
    return listCapabilities(this.#request ?? this.first);
  }

  ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const early = question.key === undefined ? undefined : question.readAnswer(ownValue(this.#early, question.key));
    if (early !== undefined) return Promise.resolve(early);
    if (question.key === undefined) this.#unnamed += 1;
    const key = question.key ?? `question-${this.#unnamed}`;
    if (this.#open.has(key)) {
      return Promise.reject(new HelveError('tool_failed', `The tool asked "${key}" twice at the same time`));
    }
    return new Promise((resolve, reject) => {
      this.#open.set(key, { question, resolve: resolve as OpenQuestion['resolve'], reject });
      this.#change.announce();
    });
  }

  start(work: (talk: Talk) => Promise<unknown>): void {
    const result = work(this);
    const settle = (): void => {
      this.outcome = result;
      this.#change.announce();
    };
    result.then(settle, settle);
  }

  /** Attaches the request that is answered now. Until `detach`, a caller that disconnects gives up the call. */
  attach(request: ServerContext): void {
    this.#request = request;
    const { signal } = request.mcpReq;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  detach(): void {
    this.#request?.mcpReq.signal.removeEventListener('abort', this.#onAbort);
    this.#request = undefined;
  }

  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  /** Settles when the work has asked a question or ended since the last time. */
  async nextChange(): Promise<void> {
    await this.#change.happened;
    this.#change = createChange();
  }

  /** The question for the client; undefined if the client of this request can answer none. */
  openQuestions(): Record<string, unknown> | undefined {
    for (const [key, { question, reject }] of this.#open) {
      if (question.isPossible(this.capabilities())) continue;
      this.#open.delete(key);
      reject(new HelveError('tool_failed', `The client can no longer be asked for ${question.request.method}`));
    }
    if (this.#open.size === 0) return undefined;
    return Object.fromEntries([...this.#open].map(([key, { question }]) => [key, question.request]));
  }

  /** A question without a fitting answer stays open and is asked again; other answers are ignored. */
  acceptAnswers(responses: unknown): void {
    for (const [key, { question, resolve, reject }] of this.#open) {
      try {
        const answer = question.readAnswer(ownValue(responses, key));
        if (answer === undefined) continue;
        resolve(answer);
      } catch (thrown) {
        // The other questions, and the call itself, still have a request that answers them.
        reject(toHelveError(thrown, 'tool_failed'));
      }
      this.#open.delete(key);
    }
  }

  refuseQuestions(reason: HelveError): void {
    for (const { reject } of this.#open.values()) reject(reason);
    this.#open.clear();
  }

  /** Rejects all questions, because none can be asked any more. */
  end(reason: HelveError): void {
    this.#ended = reason;
    this.refuseQuestions(reason);
  }

  /** The caller has disconnected: tells the work to stop. */
  giveUp(reason: string): void {
    this.#stop.abort();
    this.end(new HelveError('cancelled', reason));
  }

  #onAbort = (): void => this.giveUp('The caller cancelled the call');
}

/** Resolves once at each change; every waiter creates a new promise afterwards. */
function createChange() {
  let announce: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    announce = resolve;
  });
  return { happened, announce };
}

/** The capabilities of the client of a 2026-07-28 request; undefined for an older revision. */
export function listCapabilities({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
}
