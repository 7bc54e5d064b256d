/** A 2025-era request without a session, answered by a server that lives only for this request. */
import {
  isJSONRPCRequest,
  type JSONRPCRequest,
  legacyStatelessFallback,
  type MessageExtraInfo,
  PerRequestHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { createExchanges, type OpenStream } from './exchange.js';
import type { McpParts } from './parts.js';
import { carry } from './principal.js';
import { batchVersion, refusals } from './replies.js';
import { createServer } from './server.js';
import { wrongHeaders } from './session.js';

export function createStateless(parts: McpParts) {
  const fallback = legacyStatelessFallback(() => createServer(parts));

  return async function handle(request: Request, principal: Principal, body: unknown): Promise<Response> {
    const version = request.headers.get('mcp-protocol-version') ?? batchVersion;
    if (Array.isArray(body) && version !== batchVersion) return refusals.batch();
    const authInfo = carry(principal);
    // Batches (2025-03-26), notifications and anything that is not a message.
    if (!isJSONRPCRequest(body)) return fallback(request, { authInfo, parsedBody: body });
    return wrongHeaders(request) ?? answer(body, { request, authInfo });
  };

  async function answer(message: JSONRPCRequest, extra: MessageExtraInfo & { request: Request }): Promise<Response> {
    const server = createServer(parts);
    const exchanges = createExchanges({ openStream, sendElsewhere, onClose: () => undefined, resumable: false });
    await server.connect(exchanges);
    // The answer could not be fetched later, so a caller that disconnects has cancelled.
    const abandon = () => void server.close();
    extra.request.signal.addEventListener('abort', abandon, { once: true });
    return exchanges.answer(message, extra);
  }
}

async function sendElsewhere(): Promise<void> {
  // There is no stream for change notifications here.
}

/** A plain stream for this one exchange, closed by its answer. */
async function openStream(message: JSONRPCRequest): Promise<OpenStream> {
  const stream = new PerRequestHTTPServerTransport({ classification: { era: 'legacy' }, responseMode: 'sse' });
  stream.onmessage = () => undefined;
  await stream.start();
  return { response: await stream.handleMessage(message), send: (sent, options) => stream.send(sent, options) };
}
