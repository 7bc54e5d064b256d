/** MCP on standard input and output: one connection, one principal, either era of the protocol. */
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpDoorStore } from '../../domain/mcp-session.js';
import type { Principal } from '../../domain/principal.js';
import { createConversations } from './conversations.js';
import type { McpParts } from './parts.js';
import { createRequestStates } from './request-state.js';
import { announceChanges, createServer } from './server.js';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioConnection {
  close(): Promise<void>;
  /** Settles when either side has ended the connection. */
  readonly closed: Promise<void>;
}

export async function serveOverStdio(
  { store, ...shared }: McpParts & { readonly store: McpDoorStore },
  principal: Principal,
  streams?: StdioStreams,
): Promise<StdioConnection> {
  const requestStates = createRequestStates(store, principal);
  const serverOptions = { ...shared.serverOptions, requestState: { verify: requestStates.open } };
  const conversations = createConversations(requestStates.seal);
  const parts: McpParts = { ...shared, requestStates, conversations, serverOptions };
  const wire = new StdioServerTransport(streams?.input, streams?.output);
  const handle = serveStdio(
    () => {
      const server = createServer(parts, { principal });
      announceChanges(parts, server, principal);
      return server;
    },
    { transport: wire },
  );
  const onClose = wire.onclose;
  const closed = new Promise<void>((resolve) => {
    wire.onclose = () => {
      onClose?.();
      conversations.close();
      resolve();
    };
  });
  return { close: handle.close, closed };
}
