/**
 * One protocol server, for one request (stateless), one transport session or one stdio connection. Both
 * revisions are served by the same handlers; making one costs microseconds, so nothing is pooled or
 * shared between principals.
 */
import { Server } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { callTool } from './call-tool.js';
import { extraCapabilities } from './extras.js';
import { handleExtras } from './handle-extras.js';
import { listTools } from './list-tools.js';
import type { McpParts } from './parts.js';
import { principalOf } from './principal.js';
import { guarded } from './protocol-errors.js';

export interface ServerScope {
  /** The only principal of this connection; absent where each request brings its own. */
  readonly principal?: Principal;
}

export function createServer(parts: McpParts, { principal }: ServerScope = {}): Server {
  const server = new Server(parts.serverInfo, parts.serverOptions);
  server.setRequestHandler('tools/list', ({ params }, context) =>
    guarded(() => listTools(parts, principalOf(context, principal), params?.cursor)),
  );
  server.setRequestHandler('tools/call', ({ params }, context) =>
    guarded(() => callTool(parts, server, params, context, principalOf(context, principal))),
  );
  handleExtras(server, parts, principal);
  return server;
}

/** A long-lived server tells its client when the list may have changed, until it is closed. */
export function announceChanges(parts: McpParts, server: Server, principal: Principal): void {
  const stop = parts.plane.onConfigurationChange(principal, () => {
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
