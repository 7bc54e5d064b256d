/**
 * One 2025-era transport session in this process: a protocol server that remembers its client's capabilities, and
 * streams that can be resumed. Its data is in the store, from which any process can recreate it (sessions.ts); messages
 * for a call of another process go there through the store (relay.ts).
 */
import { randomInt } from 'node:crypto';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../domain/json.js';
import type { McpWishes } from '../../domain/mcp-session.js';
import type { Principal } from '../../domain/principal.js';
import { isPlainObject } from '../../util/canonical.js';
import { type EventLog, isOfNoCall } from './event-log.js';
import { createExchanges, type OpenStream } from './exchange.js';
import type { McpParts } from './parts.js';
import { carry, principalKey } from './principal.js';
import { createRelay } from './relay.js';
import { batchVersion, refusals } from './replies.js';
import { announceChanges, createServer } from './server.js';
import { listRequests, noWishes } from './wishes.js';

export interface Session {
  readonly id: string;
  readonly owner: string;
  lastUsed: number;
  /** When the store was last asked whether it has ended. */
  lastSeen: number;
  /** Requests that are being answered, and open streams. */
  readonly busy: boolean;
  /** Whether another process may have left something for it. */
  readonly expectsMessages: boolean;
  handle(request: Request, principal: Principal, body: unknown): Promise<Response>;
  /** What another process has left for it, once. */
  receive(id: string, body: JsonObject): void;
  /** Gives the protocol server all wishes of the client, whichever process received them. */
  follow(wishes: McpWishes): Promise<void>;
  /** Notes that these are the current wishes, which the protocol server knows already. */
  note(wishes: McpWishes): void;
  close(): Promise<void>;
}

export interface SessionParts {
  readonly parts: McpParts;
  readonly log: EventLog;
  readonly id: string;
  readonly principal: Principal;
  /** Leaves a message for the other processes. */
  post(body: JsonObject): Promise<void>;
  onClose(): void;
}

/** How soon a client whose stream was cut should reconnect. */
const retryMs = 500;

export async function openSession({ parts, log, id, principal, post, onClose }: SessionParts): Promise<Session> {
  const server = createServer(parts);
  const { streams, exchanges, questions } = getTransports(server, log, id);
  await server.connect(exchanges);
  announceChanges(parts, server, principal);
  const relay = createRelay({ sessionId: id, log, post, deliver: (message) => streams.onmessage?.(message) });
  const before = server.onclose;
  server.onclose = () => {
    before?.();
    relay.close();
    log.forgetSession(id);
    onClose();
  };

  let inFlight = 0;
  let wishes = noWishes;
  const received = new Set<string>();
  const done = () => {
    inFlight--;
  };

  async function answer(request: Request, caller: Principal, body: unknown): Promise<Response> {
    const authInfo = carry(caller);
    if (isOrdinary(body)) return wrongHeaders(request) ?? exchanges.answer(body, { request, authInfo });
    if (isForAnother(body)) {
      await post({ client: body });
      return new Response(null, { status: 202 });
    }
    const event = request.method === 'GET' ? request.headers.get('last-event-id') : null;
    if (event === null || log.isOwn(event)) return streams.handleRequest(request, { authInfo, parsedBody: body });
    if (!isOfNoCall(event)) return relay.resume(event);
    const response = await streams.handleRequest(withoutEvent(request), { authInfo });
    // The messages that the other process has sent meanwhile are unknown here.
    await server.sendToolListChanged();
    for (const uri of wishes.watched) await server.sendResourceUpdated({ uri });
    return response;
  }

  /** Whether it is about a call, or answers a question, of another process. */
  function isForAnother(body: unknown): body is JsonObject {
    if (!isPlainObject(body)) return false;
    if ('result' in body || 'error' in body) return !questions.isOwn(body.id);
    if (body.method !== 'notifications/cancelled' || !isPlainObject(body.params)) return false;
    return !exchanges.has(body.params.requestId as RequestId);
  }

  return {
    id,
    owner: principalKey(principal),
    lastUsed: Date.now(),
    lastSeen: Date.now(),
    get busy() {
      return inFlight > 0 || relay.isWaiting;
    },
    get expectsMessages() {
      return exchanges.isBusy || relay.isWaiting || log.hasCallStreams(id);
    },
    async handle(request, caller, body) {
      if (Array.isArray(body) && server.getNegotiatedProtocolVersion() !== batchVersion) return refusals.batch();
      inFlight++;
      try {
        return whenOver(await answer(request, caller, body), done);
      } catch (error) {
        done();
        throw error;
      }
    },
    receive(messageId, body) {
      if (received.has(messageId)) return;
      received.add(messageId);
      relay.receive(body);
    },
    async follow(next) {
      const requests = listRequests(wishes, next);
      wishes = next;
      for (const request of requests) await exchanges.answer(request, { authInfo: carry(principal) });
    },
    note(now) {
      wishes = now;
    },
    close: () => server.close(),
  };
}

/**
 * The questions of a process to a client have numbers that no other process uses, so that the answer says whose question it
 * was. The protocol server itself counts from 0.
 */
function createQuestionNumbers() {
  const width = 2 ** 20;
  const first = randomInt(1, 2 ** 30) * width;
  const isOwn = (id: unknown): id is number => typeof id === 'number' && id >= first && id < first + width;
  return {
    isOwn,
    outward: (message: JSONRPCMessage): JSONRPCMessage =>
      'method' in message && 'id' in message && typeof message.id === 'number'
        ? { ...message, id: message.id + first }
        : message,
    inward: (message: JSONRPCMessage): JSONRPCMessage =>
      !('method' in message) && isOwn(message.id) ? { ...message, id: message.id - first } : message,
  };
}

function withoutEvent(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('last-event-id');
  return new Request(request.url, { method: 'GET', headers, signal: request.signal });
}

/** The SDK's transport handles the streams; the exchanges in front of it answer requests that need no stream. */
function getTransports(server: Server, log: EventLog, id: string) {
  const streams = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: log.forSession(id),
    retryInterval: retryMs,
  });
  const questions = createQuestionNumbers();
  // Requests whose exchange asks for a stream: the server has them already and must not get them twice.
  const opening = new Map<RequestId, (extra: MessageExtraInfo | undefined) => void>();

  async function openStream(message: JSONRPCRequest, { request }: MessageExtraInfo): Promise<OpenStream> {
    let disconnect: (() => void) | undefined;
    opening.set(message.id, (extra) => {
      disconnect = extra?.closeSSEStream;
    });
    const version = server.getNegotiatedProtocolVersion();
    const response = await streams.handleRequest(asSession(request, id, version), { parsedBody: message });
    opening.delete(message.id);
    return {
      response,
      send: (sent, options) => streams.send(questions.outward(sent), options),
      ...(disconnect && { disconnect }),
    };
  }

  const exchanges = createExchanges({
    openStream,
    sendElsewhere: (message, options) => streams.send(questions.outward(message), options),
    onClose: () => void streams.close(),
    resumable: true,
    sessionId: id,
  });
  streams.onmessage = (message, extra) => {
    // An answer to a question that this process has not asked.
    if (!('method' in message) && !questions.isOwn(message.id)) return;
    const opened = isJSONRPCRequest(message) ? opening.get(message.id) : undefined;
    if (opened === undefined) exchanges.deliver(questions.inward(message), extra);
    else opened(extra);
  };
  streams.onclose = () => void exchanges.close();
  return { streams, exchanges, questions };
}

/** Calls `done` when the response has been sent: immediately, or when its stream has ended. */
function whenOver(response: Response, done: () => void): Response {
  const { headers, status } = response;
  // In this order, because reading the body of a plain text response would turn it into a stream.
  const { body } = headers.get('content-type')?.startsWith('text/event-stream') ? response : { body: null };
  if (body === null) {
    done();
    return response;
  }
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const read = await reader.read().catch((): undefined => undefined);
      if (read?.value !== undefined) return controller.enqueue(read.value);
      done();
      controller.close();
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  return new Response(watched, { status, headers });
}

/** One request other than the handshake. The SDK handles the rest: batches, notifications, answers, bad input. */
function isOrdinary(body: unknown): body is JSONRPCRequest {
  if (!isPlainObject(body) || body.jsonrpc !== '2.0' || body.method === 'initialize') return false;
  const { id, method, params } = body;
  const isId = typeof id === 'string' || Number.isInteger(id);
  return isId && typeof method === 'string' && (params === undefined || isPlainObject(params));
}

export function wrongHeaders({ headers }: Request): Response | undefined {
  const accept = headers.get('accept');
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) return refusals.notAcceptable();
  const version = headers.get('mcp-protocol-version');
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return refusals.unknownVersion(version);
  return undefined;
}

/** The request as the SDK's transport needs it for a stream: in the version that the session agreed on. */
function asSession(request: Request | undefined, id: string, version: string | undefined): Request {
  return new Request(request?.url ?? 'http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': id,
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    },
  });
}
