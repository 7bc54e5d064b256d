/**
 * The MCP door: reads a request once, detects which era of the protocol it is from, and passes it on.
 * The HTTP surface has already checked the caller, the Host and the Origin.
 *
 * 2026-07-28 is stateless. 2025-11-25 and older are served statelessly too, unless the client has
 * initialised and presents the session id that it received, here or at another process.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  type Implementation,
  isInitializeRequest,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  readRequestBody,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { HelveError } from '../../domain/errors.js';
import type { McpDoorStore, McpSessions } from '../../domain/mcp-session.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { parseBoundedJson } from '../../util/json-text.js';
import { createConversations } from './conversations.js';
import type { McpExtras } from './extras.js';
import { createKnownTools } from './known-tools.js';
import { createListeners } from './listen.js';
import { knowOwnTools, type OwnTools } from './own-tools.js';
import { findHeaderMismatch } from './param-headers.js';
import type { McpParts } from './parts.js';
import { carry } from './principal.js';
import { refusals } from './replies.js';
import { createRequestStates } from './request-state.js';
import { createServer, serverCapabilities } from './server.js';
import { createSessions, type SessionLimits } from './sessions.js';
import { createStateless } from './stateless.js';
import { type StdioConnection, type StdioStreams, serveOverStdio } from './stdio.js';
import { withTypeResources } from './type-resources.js';

export type { StdioConnection } from './stdio.js';

export interface McpDoorOptions {
  readonly plane: Plane;
  /** Of the installation: every process on its store serves them. */
  readonly mcpSessions: McpSessions;
  readonly serverInfo: Implementation;
  readonly resultMaxChars: number;
  readonly instructions?: string;
  readonly extras?: McpExtras;
  readonly sessionLimits?: SessionLimits;
  /** What this door offers instead of the tools of the plane. */
  readonly ownTools?: OwnTools;
}

export interface McpDoor {
  handle(request: Request, principal: Principal): Promise<Response>;
  /** On this process's own streams unless others are given. */
  serveStdio(principal: Principal, streams?: StdioStreams): Promise<StdioConnection>;
  close(): Promise<void>;
}

const maxBytes = 4 * 1_024 * 1_024;

export function createMcpDoor(options: McpDoorOptions): McpDoor {
  const store: McpDoorStore = { kept: options.mcpSessions, door: options.serverInfo.name };
  const parts = splitParts(options, store);
  const sessions = createSessions(parts, store, options.sessionLimits);
  const stateless = createStateless(parts);
  const listeners = createListeners(parts);
  const modern = createMcpHandler(() => createServer(parts), { legacy: 'reject' });
  let closed = false;

  async function route(received: Request, principal: Principal, body: unknown): Promise<Response> {
    const request = withNamedTypes(received);
    // The era of the most frequent kind of request is known without looking at its shape.
    const known = claimsModernEra(request, body) ? undefined : sessions.handle(request, principal, body);
    if (known !== undefined) return known;
    const { kind } = classify(request, body);
    if (kind !== 'legacy') {
      if (getMethod(body) === 'subscriptions/listen') return listeners.handle(request, principal, body);
      return (
        (await refuseHeaders(parts, request, principal, body)) ??
        modern.fetch(request, { authInfo: carry(principal), parsedBody: body })
      );
    }
    if (request.method !== 'POST') return refusals.notAllowed();
    if (isInitializeRequest(body)) return sessions.open(request, principal, body);
    if (isPlainObject(body) && body.method === 'initialize') return refusals.malformedInitialize(body.id);
    return stateless(request, principal, body);
  }

  return {
    async handle(request, principal) {
      if (closed) return refusals.closed();
      try {
        if (request.method !== 'POST') return await route(request, principal, undefined);
        if (!isJsonContentType(request.headers.get('content-type'))) return refusals.notJson();
        const body = await readJson(request);
        return body instanceof Response ? body : await route(request, principal, body);
      } catch {
        return refusals.failed();
      }
    },
    serveStdio: (principal, streams) => serveOverStdio({ ...parts, store }, principal, streams),
    async close() {
      closed = true;
      parts.knownTools.close();
      parts.conversations.close();
      await Promise.all([sessions.close(), listeners.close(), modern.close()]);
    },
  };
}

function splitParts(options: McpDoorOptions, store: McpDoorStore): McpParts {
  const { plane, serverInfo, resultMaxChars, instructions, ownTools } = options;
  const extras = ownTools ? (options.extras ?? {}) : withTypeResources(plane, options.extras ?? {});
  const requestStates = createRequestStates(store);
  return {
    plane,
    serverInfo,
    resultMaxChars,
    extras,
    requestStates,
    conversations: createConversations(requestStates.seal, undefined, store.kept.boxes),
    knownTools: ownTools ? knowOwnTools(ownTools) : createKnownTools(plane),
    ...defined({ ownTools }),
    serverOptions: {
      capabilities: serverCapabilities(extras),
      // One for all servers: it compiles the forms of elicitations and is costly to create.
      jsonSchemaValidator: new AjvJsonSchemaValidator(),
      requestState: { verify: requestStates.open },
      ...defined({ instructions }),
    },
  };
}

/** A call of 2026-07-28 whose `Mcp-Param-*` headers and arguments disagree. Other code reports other errors. */
async function refuseHeaders(
  { knownTools }: McpParts,
  request: Request,
  principal: Principal,
  body: unknown,
): Promise<Response | undefined> {
  if (!isPlainObject(body) || body.method !== 'tools/call' || !isPlainObject(body.params)) return undefined;
  const { name, arguments: input } = body.params;
  if (typeof name !== 'string') return undefined;
  // The plane reports what cannot be listed.
  const tool = await knownTools.find(principal, name).catch(() => undefined);
  const mismatch = tool && findHeaderMismatch(tool.inputSchema, input, request.headers);
  return mismatch === undefined ? undefined : refusals.headerMismatch(mismatch, body.id);
}

async function readJson(request: Request): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  if (declared > maxBytes) return refusals.tooLarge();
  try {
    // HTTP itself enforces a declared length, and the listener has an optimised text().
    const read = declared >= 0 ? { text: await request.text() } : await readRequestBody(request, maxBytes);
    return 'text' in read ? parseBoundedJson(read.text) : refusals.tooLarge();
  } catch (error) {
    return error instanceof HelveError ? refusals.tooWide(error.message) : refusals.unreadable();
  }
}

/** Without its body. Most HTTP libraries send that they accept everything, where the protocol wants the two types named. */
function withNamedTypes(request: Request): Request {
  const acceptsAll = (request.headers.get('accept') ?? '*/*').includes('*/*');
  if (!acceptsAll || !['GET', 'POST', 'DELETE'].includes(request.method)) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

function claimsModernEra({ headers }: Request, body: unknown): boolean {
  const version = headers.get('mcp-protocol-version');
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return true;
  const meta = isPlainObject(body) && isPlainObject(body.params) ? body.params._meta : undefined;
  return isPlainObject(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY);
}

function classify(request: Request, body: unknown) {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = [
    header('mcp-protocol-version'),
    header('mcp-method'),
    header('mcp-name'),
  ];
  return classifyInboundRequest({
    httpMethod: request.method,
    ...defined({ protocolVersionHeader, mcpMethodHeader, mcpNameHeader, body }),
  });
}

function getMethod(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
}
