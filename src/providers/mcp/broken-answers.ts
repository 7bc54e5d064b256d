/**
 * Answers that violate the protocol: with neither result nor error, with both, or with an id that no request of ours has.
 * The library skips them, so the call would wait until its timeout. This code ends the call immediately, with a description
 * of the problem.
 */
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { createAsyncContext } from '../../util/async-context.js';
import { isPlainObject } from '../../util/canonical.js';
import { visibleText } from '../../util/visible-text.js';
import { lostMark } from './failures.js';

/** The problem of a message that was sent as an answer, apart from its id; undefined if there is none or it is not an answer. */
function findProblem(message: Readonly<Record<string, unknown>>): string | undefined {
  const [hasResult, hasError] = ['result' in message, 'error' in message];
  if (hasResult && hasError) return 'an answer with both a result and an error';
  return hasResult || hasError ? undefined : 'an answer with neither a result nor an error';
}

/** Replaces the answer that will not come. */
function lostAnswer(id: RequestId, problem?: string): JSONRPCMessage {
  const message = problem ?? 'The stream ended without the answer';
  return { jsonrpc: '2.0', id, error: { code: -32_000, message, data: { [lostMark]: problem ?? true } } };
}

/**
 * Over HTTP an answer comes in the response to its own request, or on the stream of that response, which the library
 * reads in the asynchronous context of the request. Call this before the transport is connected.
 */
export function guardAnswers(transport: StreamableHTTPClientTransport): void {
  const asking = createAsyncContext<JSONRPCRequest>();
  const send = transport.send.bind(transport);
  const fail = (id: RequestId, problem?: string) => transport.onmessage?.(lostAnswer(id, problem));

  transport.onmessage = (message) => {
    const request = asking.find();
    if (request === undefined || 'method' in message || message.id === request.id) return;
    fail(request.id, `an answer under the id ${shown(message.id)}, which is not the id of the request`);
  };
  // What the library could not read as a message; text that is not JSON may be skipped.
  transport.onerror = (error) => {
    const request = asking.find();
    if (request === undefined || !/ZodError$/.test(error.name)) return;
    fail(request.id, 'something that is not a message of the protocol');
  };
  transport.send = (message, options) => {
    if (Array.isArray(message) || !('id' in message) || !('method' in message)) return send(message, options);
    // The library ignores a stream that ends without the answer, and would wait until the timeout.
    const onRequestStreamEnd = (): void => {
      fail(message.id);
      options?.onRequestStreamEnd?.();
    };
    return asking.run(message, () => send(message, { ...options, onRequestStreamEnd }));
  };
}

export type AnswerGuard = ReturnType<typeof createAnswerGuard>;

/** Over stdio all answers share one stream. The passing messages show which requests are open. */
export function createAnswerGuard(deliver: (message: JSONRPCMessage) => void, onUnknownId: (problem: string) => void) {
  const open = new Set<RequestId>();
  return {
    sent(message: JSONRPCMessage): void {
      if (!('method' in message)) return;
      if ('id' in message) open.add(message.id);
      // Nothing more is expected.
      else if (message.method === 'notifications/cancelled') open.delete(message.params?.requestId as RequestId);
    },
    /** Whether the message may go on to the library. */
    admits(message: unknown): boolean {
      if (!isPlainObject(message) || 'method' in message) return true;
      if (!['id', 'result', 'error'].some((key) => key in message)) return true;
      const id = message.id as RequestId;
      const text = typeof id === 'string' ? Number(id) : Number.NaN;
      const asked = open.has(id) ? id : open.has(text) ? text : undefined;
      if (asked === undefined) {
        // An old number is only late. Any other id names no request, and an open request may be waiting for this answer.
        if (typeof id !== 'number' && open.size > 0) onUnknownId(foreignId(id));
        return typeof id === 'number';
      }
      open.delete(asked);
      const problem = asked === id ? findProblem(message) : foreignId(id);
      if (problem !== undefined) deliver(lostAnswer(asked, problem));
      return problem === undefined;
    },
  };
}

function foreignId(id: unknown): string {
  return `an answer under the id ${shown(id)}, which no request of Helve has`;
}

function shown(id: unknown): string {
  return visibleText(JSON.stringify(id)?.slice(0, 60) ?? 'undefined');
}
