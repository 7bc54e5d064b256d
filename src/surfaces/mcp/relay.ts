/**
 * Serves a session whose client talks to another process than the one that has its calls. Both leave messages for each
 * other in the store:
 *
 * - an answer to a question, and the cancellation of a call, for the process in which the call runs;
 * - the request for the rest of a call's stream that was cut, for the process that has it;
 * - that rest, for the process to which the client has come.
 */
import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../domain/json.js';
import type { EventLog } from './event-log.js';

export interface Relay {
  /** A message that another process, or this one, has left for this session. Unknown ones are for others. */
  receive(body: JsonObject): void;
  /** The rest of a call's stream that another process has: it ends with the answer of the call. */
  resume(eventId: string): Promise<Response>;
  /** Whether messages are awaited. */
  readonly isWaiting: boolean;
  close(): void;
}

export interface RelayParts {
  readonly sessionId: string;
  readonly log: EventLog;
  /** Hands a message of the client to the protocol server of this process. */
  deliver(message: JSONRPCMessage): void;
  /** Leaves a message. */
  post(body: JsonObject): Promise<void>;
}

/** How long a client waits for a process that sends nothing, which may have ended. */
const silenceMs = 30_000;
/** Maximum number of stream rests that are sent at the same time: a client has few calls whose streams are cut. */
const maxTold = 8;
const encoder = new TextEncoder();

export function createRelay({ sessionId, log, deliver, post }: RelayParts): Relay {
  /** Streams of clients that wait here, and rests that are sent to other processes, by the request for them. */
  const waiting = new Map<string, (event: string, message: JsonObject) => void>();
  const telling = new Map<string, () => void>();

  function endTelling(request: string): void {
    telling.get(request)?.();
    telling.delete(request);
  }

  /** Tells the process of the request what follows the event, each message after the one before. */
  function tell(request: string, after: string): void {
    const [oldest] = telling.keys();
    if (telling.size >= maxTold && oldest !== undefined) endTelling(oldest);
    let told = Promise.resolve();
    // Noted before, because the rest may be complete already.
    telling.set(request, () => undefined);
    const stop = log.follow(sessionId, after, (event, message) => {
      told = told
        .then(() => post({ rest: request, event, message: { ...message } as JsonObject }))
        .catch(() => undefined);
      if (isAnswer(message)) endTelling(request);
    });
    if (telling.has(request)) telling.set(request, stop);
    else stop();
  }

  return {
    receive({ resume, after, rest, event, message, client }) {
      if (typeof resume === 'string' && typeof after === 'string' && log.isOwn(after)) tell(resume, after);
      if (typeof rest === 'string') waiting.get(rest)?.(String(event), message as JsonObject);
      if (client !== undefined) deliver(client as unknown as JSONRPCMessage);
    },
    async resume(after) {
      const request = randomUUID();
      let timer: NodeJS.Timeout | undefined;
      const forget = (): void => {
        clearTimeout(timer);
        waiting.delete(request);
      };
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          const end = (): void => {
            forget();
            controller.close();
          };
          timer = setTimeout(end, silenceMs).unref();
          waiting.set(request, (event, message) => {
            timer?.refresh();
            controller.enqueue(encoder.encode(`event: message\nid: ${event}\ndata: ${JSON.stringify(message)}\n\n`));
            if (isAnswer(message)) end();
          });
        },
        cancel: forget,
      });
      await post({ resume: request, after });
      return new Response(stream, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'mcp-session-id': sessionId },
      });
    },
    get isWaiting() {
      return waiting.size + telling.size > 0;
    },
    close() {
      for (const request of [...telling.keys()]) endTelling(request);
      waiting.clear();
    },
  };
}

function isAnswer(message: object): boolean {
  return 'result' in message || 'error' in message;
}
