/**
 * Counterparts for the tests: servers of the official libraries on a free loopback port, whose tools can be
 * changed while they run, and whose HTTP can be interfered with. Used only by tests.
 */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ProviderCall } from '../../../domain/provider.js';
import type { Tool } from '../../../domain/tool.js';
import type { McpProvider } from '../index.js';

export interface TestTool {
  name: string;
  title?: unknown;
  description?: unknown;
  inputSchema: Record<string, unknown>;
  outputSchema?: unknown;
  annotations?: unknown;
  execution?: unknown;
  run?: (
    input: Record<string, unknown>,
    context: ServerContext,
    server: Server,
  ) => Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult;
}

export interface SeenRequest {
  readonly http: string;
  readonly method: string | undefined;
  readonly tool: string | undefined;
  readonly headers: Headers;
}

export interface TestServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Names of the tools that ran. */
  readonly ran: string[];
  /** Can be changed while the server runs. */
  tools: TestTool[];
  /** Replaces the whole answer to `tools/list`. */
  list: ((cursor: string | undefined) => Record<string, unknown> | Promise<Record<string, unknown>>) | undefined;
  /** Answers instead of the server. */
  intercept:
    | ((request: Request, body: SeenRequest) => Promise<Response | undefined> | Response | undefined)
    | undefined;
  forgetSessions(): void;
  announce(): Promise<void>;
  close(): Promise<void>;
}

const object = { type: 'object' };

export const echoTool: TestTool = {
  name: 'echo',
  description: 'Answers with its input',
  inputSchema: object,
  run: (input) => ({ content: [], structuredContent: { echoed: input } }),
};
export const brokenTool: TestTool = {
  name: 'broken',
  inputSchema: object,
  run: () => ({ content: [{ type: 'text', text: 'broke' }], isError: true }),
};
export const patientTool: TestTool = {
  name: 'patient',
  inputSchema: object,
  run: (_, { mcpReq }) =>
    new Promise((resolve) => {
      mcpReq.signal.addEventListener('abort', () => resolve({ content: [] }), { once: true });
    }),
};

/** `sessions`: 2025-11-25 with sessions; `stateless`: 2026-07-28, and 2025-11-25 for clients that ask for it. */
export async function openTestServer(
  tools: readonly TestTool[],
  kind: 'sessions' | 'stateless' = 'sessions',
): Promise<TestServer> {
  const live = new Set<Server>();
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const state: Omit<TestServer, 'url' | 'close'> = {
    requests: [],
    ran: [],
    tools: [...tools],
    list: undefined,
    intercept: undefined,
    forgetSessions: () => sessions.clear(),
    async announce() {
      for (const server of live) await server.sendToolListChanged().catch(() => undefined);
    },
  };
  const newServer = (): Server => {
    const server = createServer(state);
    live.add(server);
    server.onclose = () => live.delete(server);
    return server;
  };
  const stateless = createMcpHandler(newServer);
  const serve =
    kind === 'stateless' ? (request: Request) => stateless.fetch(request) : sessionServer(sessions, newServer);
  const http = createHttpServer(
    getRequestListener(async (request) => {
      const seen = await look(request);
      state.requests.push(seen);
      return (await state.intercept?.(request, seen)) ?? serve(request);
    }),
  );
  const url = await listen(http);
  return Object.assign(state, {
    url,
    async close() {
      for (const server of live) await server.close().catch(() => undefined);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  });
}

function createServer(state: Pick<TestServer, 'tools' | 'ran' | 'list'>): Server {
  const server = new Server(
    { name: 'test', version: '1' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.setRequestHandler('tools/list', async ({ params }) => {
    if (state.list) return (await state.list(params?.cursor)) as never;
    return { tools: state.tools.map(({ run: _run, ...tool }) => tool) } as never;
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = state.tools.find(({ name }) => name === params.name);
    if (!tool?.run) return { content: [{ type: 'text', text: 'no such tool' }], isError: true };
    state.ran.push(tool.name);
    return tool.run(params.arguments ?? {}, context, server);
  });
  return server;
}

function sessionServer(sessions: Map<string, WebStandardStreamableHTTPServerTransport>, newServer: () => Server) {
  return async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const known = sessions.get(id);
      const gone = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } };
      return known ? known.handleRequest(request) : Response.json(gone, { status: 404 });
    }
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    });
    await newServer().connect(transport);
    return transport.handleRequest(request);
  };
}

async function look(request: Request): Promise<SeenRequest> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } };
  return { http: request.method, method, tool: params?.name, headers: request.headers };
}

export async function listen(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** One call as the plane makes it, with the definition that was listed last unless another tool is given. */
export async function callTool(
  provider: McpProvider,
  toolkit: string,
  tool: string | Tool,
  more: Partial<ProviderCall> = {},
) {
  const found = typeof tool === 'string' ? (await provider.tools(toolkit)).find(({ id }) => id.name === tool) : tool;
  if (!found) throw new Error(`There is no ${toolkit}.${String(tool)}`);
  return provider.execute({
    tool: found,
    input: {},
    config: {},
    executionId: 'e1',
    effectKey: '0123456789abcdef0123456789abcdef',
    caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
    signal: new AbortController().signal,
    progress: () => undefined,
    ...more,
  });
}
