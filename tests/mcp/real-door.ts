/**
 * The complete application, as `helve serve` wires it: listener, gate, bearer token, the mount of each agent, the MCP door and
 * the plane behind it, on a free loopback port. The workspace `default` has the agents alice and bob; another one
 * has an outsider whose agent is also called alice. All have the grants of the options.
 */
import { vi } from 'vitest';
import type { AuditEvent, AuditEventType } from '../../src/domain/audit.js';
import type { GrantInput } from '../../src/domain/grant.js';
import { agentPermissions, type Principal } from '../../src/domain/principal.js';
import { createHttpApp, type HttpApp, type Listening, listen } from '../../src/surfaces/http/index.js';
import { createMcpDoor, createTaskDoor, type McpDoor, type McpDoorOptions } from '../../src/surfaces/mcp/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../src/testing/index.js';

export interface Caller {
  readonly principal: Principal;
  readonly token: string;
  /** The address of this agent: `http://127.0.0.1:…/mcp/alice`. */
  readonly address: string;
}

export interface RealDoor {
  readonly helve: TestHelve;
  readonly door: McpDoor;
  readonly url: string;
  readonly alice: Caller;
  readonly bob: Caller;
  readonly outsider: Caller;
}

export interface RealDoorOptions extends TestHelveOptions, Pick<McpDoorOptions, 'extras' | 'sessionLimits'> {
  /**
   * Only for the conformance suite, which cannot send an Authorization header: requests without one get alice's
   * before any of our code has seen them.
   */
  readonly everybodyIsAlice?: boolean;
}

const open: (() => Promise<unknown>)[] = [];

/** Called at the end of this test, the last one first. */
export function atEnd(stop: () => Promise<unknown>): void {
  open.push(stop);
}

export async function endAll(): Promise<void> {
  for (const stop of open.splice(0).reverse()) await stop();
}

export async function openRealDoor(options: RealDoorOptions = {}): Promise<RealDoor> {
  const { extras, sessionLimits, everybodyIsAlice = false, ...plain } = options;
  let listening: Listening | undefined;
  const helve = await createTestHelve({ publicUrl: () => listening?.url, ...plain });
  const door = createMcpDoor({
    plane: helve.plane,
    mcpSessions: helve.mcpSessions,
    serverInfo: { name: 'helve', version: '0.0.0' },
    resultMaxChars: plain.resultMaxChars ?? 10_000,
    ...(extras && { extras }),
    ...(sessionLimits && { sessionLimits }),
  });
  const tasks = createTaskDoor({
    plane: helve.plane,
    mcpSessions: helve.mcpSessions,
    serverInfo: { name: 'helve-tasks', version: '0.0.0' },
    resultMaxChars: plain.resultMaxChars ?? 10_000,
  });
  let app: HttpApp | undefined;
  let spoken: string | undefined;
  listening = await listen({
    host: '127.0.0.1',
    port: 0,
    graceMs: 500,
    fetch(request, bindings) {
      if (spoken !== undefined && !request.headers.has('authorization')) request.headers.set('authorization', spoken);
      return app?.fetch(request, bindings) ?? new Response(null, { status: 503 });
    },
  });
  const { url } = listening;
  app = createHttpApp({
    plane: helve.plane,
    mcp: (request, principal) => door.handle(request, principal),
    taskMcp: (request, principal) => tasks.handle(request, principal),
    publicUrl: url,
  });
  atEnd(async () => {
    await Promise.all([door.close(), tasks.close()]);
    await listening?.close();
    await helve.close();
  });
  const elsewhere = await adminOf(helve, 'elsewhere');
  const [alice, bob, outsider] = await Promise.all([
    createCaller(helve, helve.admin, 'alice', url),
    createCaller(helve, helve.admin, 'bob', url),
    createCaller(helve, elsewhere, 'alice', url),
  ]);
  if (everybodyIsAlice) spoken = bearer(alice).authorization;
  return { helve, door, url, alice, bob, outsider };
}

async function adminOf(helve: TestHelve, workspace: string): Promise<Principal> {
  const { workspaceId } = await helve.ensureWorkspace(workspace);
  return (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
}

async function createCaller(helve: TestHelve, admin: Principal, slug: string, url: string): Promise<Caller> {
  const { plane } = helve;
  const { id } = await plane.createAgent(admin, { slug });
  await plane.replaceGrants(admin, slug, await grantsWithout(helve));
  const { secret } = await plane.issueAgentToken(admin, slug, {});
  const { workspaceId } = admin;
  const principal: Principal = { kind: 'agent', id, name: slug, workspaceId, permissions: agentPermissions };
  return { principal, token: secret, address: `${url}/mcp/${slug}` };
}

/** The grants of the test's options, without these tools. */
export async function grantsWithout({ plane, admin }: TestHelve, ...names: string[]): Promise<GrantInput[]> {
  const { grants } = await plane.grantCatalogue(admin, 'tester');
  return grants
    .map(({ toolkit, tools, limits, config }) => ({
      toolkit,
      limits,
      config,
      tools: tools.filter((tool) => !names.includes(tool)),
    }))
    .filter(({ tools }) => tools.length > 0);
}

export function bearer({ token }: Pick<Caller, 'token'>): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One request as this caller sends it; a text is sent unchanged. */
export function send(caller: Caller, body?: unknown, { method = 'POST', headers = {}, signal }: Sent = {}) {
  return fetch(caller.address, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...bearer(caller),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export function rpc(method: string, params: object = {}, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

export async function rowsOf({ helve }: RealDoor, type: AuditEventType): Promise<AuditEvent[]> {
  return (await helve.audited()).filter((row) => row.type === type);
}

/** The recorded events of calls and approvals, in order. */
export async function story({ helve }: RealDoor): Promise<string[]> {
  const types = (await helve.audited()).map(({ type }) => type);
  return types.filter((type) => /^(execution|approval)\./.test(type));
}

/** Waits for something that happens by itself, but not immediately. */
export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });

export const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
