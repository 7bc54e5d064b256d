/**
 * One protocol server, for one request (stateless), one transport session or one stdio connection. The
 * same handlers serve both revisions; creating a server costs microseconds, so nothing is pooled or
 * shared between principals.
 */
import { type JSONRPCRequest, type Result, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { callOwnTool } from './call-own-tool.js';
import { callTool } from './call-tool.js';
import { extraCapabilities } from './extras.js';
import { handleExtras } from './handle-extras.js';
import { listTools } from './list-tools.js';
import type { McpParts } from './parts.js';
import { getPrincipal } from './principal.js';
import { guarded, inWords } from './protocol-errors.js';

export interface ServerScope {
  /** The only principal of this connection; absent if each request has its own. */
  readonly principal?: Principal;
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Answers a malformed request with a sentence. `_wrapHandler` is the method that the SDK lets subclasses override. */
class PlainServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return (request, context) =>
      wrapped(request, context).catch((thrown: unknown) => Promise.reject(inWords(method, thrown)));
  }
}

export function createServer(parts: McpParts, { principal }: ServerScope = {}): Server {
  const server = new PlainServer(parts.serverInfo, parts.serverOptions);
  server.setRequestHandler('tools/list', ({ params }, context) =>
    guarded(() => listTools(parts, getPrincipal(context, principal), params?.cursor)),
  );
  server.setRequestHandler('tools/call', ({ params }, context) =>
    guarded(() => {
      const caller = getPrincipal(context, principal);
      if (parts.ownTools === undefined) return callTool(parts, server, params, context, caller);
      return callOwnTool({ parts, server, context, principal: caller }, parts.ownTools, params);
    }),
  );
  handleExtras(server, parts, principal);
  return server;
}

/** Until it is closed, a long-lived server notifies its client when the list may have changed. */
export function announceChanges(parts: McpParts, server: Server, principal: Principal): void {
  const stop = parts.knownTools.onChange(principal, () => {
    server.sendToolListChanged().catch(() => undefined);
  });
  const before = server.onclose;
  server.onclose = () => {
    before?.();
    stop();
  };
}

export function serverCapabilities(extras: McpParts['extras']) {
  return { tools: { listChanged: true }, logging: {}, ...extraCapabilities(extras) };
}
