/**
 * One 2025-era transport session: a protocol server that remembers its client's capabilities, and streams
 * that can be resumed. No state of Helve depends on it; a client that loses it initialises again.
 */
import {
  isJSONRPCRequest,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { isPlainObject } from '../../util/canonical.js';
import type { EventLog } from './event-log.js';
import { createExchanges, type OpenStream } from './exchange.js';
import type { McpParts } from './parts.js';
import { carry, principalKey } from './principal.js';
import { batchVersion, refusals } from './replies.js';
import { announceChanges, createServer } from './server.js';

export interface Session {
  readonly id: string;
  readonly owner: string;
  lastUsed: number;
  /** Requests that are being answered, and open streams. */
  readonly busy: boolean;
  handle(request: Request, principal: Principal, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** How soon a client whose stream was cut should reconnect. */
const retryMs = 500;

export async function openSession(
  parts: McpParts,
  log: EventLog,
  id: string,
  principal: Principal,
  onClose: () => void,
): Promise<Session> {
  const server = createServer(parts);
  const { streams, exchanges } = getTransports(server, log, id);
  await server.connect(exchanges);
  announceChanges(parts, server, principal);
  const before = server.onclose;
  server.onclose = () => {
    before?.();
    log.forgetSession(id);
    onClose();
  };

  let inFlight = 0;
  const done = () => {
    inFlight--;
  };
  return {
    id,
    owner: principalKey(principal),
    lastUsed: Date.now(),
    get busy() {
      return inFlight > 0;
    },
    async handle(request, caller, body) {
      if (Array.isArray(body) && server.getNegotiatedProtocolVersion() !== batchVersion) return refusals.batch();
      inFlight++;
      try {
        const authInfo = carry(caller);
        const response = isOrdinary(body)
          ? (wrongHeaders(request) ?? (await exchanges.answer(body, { request, authInfo })))
          : await streams.handleRequest(request, { authInfo, parsedBody: body });
        return whenOver(response, done);
      } catch (error) {
        done();
        throw error;
      }
    },
    close: () => server.close(),
  };
}

/** The SDK's transport handles the streams; the exchanges in front of it answer requests that need no stream. */
function getTransports(server: Server, log: EventLog, id: string) {
  const streams = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: log.forSession(id),
    retryInterval: retryMs,
  });
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
    return { response, send: (sent, options) => streams.send(sent, options), ...(disconnect && { disconnect }) };
  }

  const exchanges = createExchanges({
    openStream,
    sendElsewhere: (message, options) => streams.send(message, options),
    onClose: () => void streams.close(),
    resumable: true,
    sessionId: id,
  });
  streams.onmessage = (message, extra) => {
    const opened = isJSONRPCRequest(message) ? opening.get(message.id) : undefined;
    if (opened === undefined) exchanges.deliver(message, extra);
    else opened(extra);
  };
  streams.onclose = () => void exchanges.close();
  return { streams, exchanges };
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
