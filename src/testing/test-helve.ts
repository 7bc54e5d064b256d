/** A whole plane in memory in one line, with one agent that has the grants of the test and a clock that the test moves. */

import type { ConnectionInput } from '../domain/accounts.js';
import type { AuditEvent } from '../domain/audit.js';
import type { CallRequest, ToolResult } from '../domain/execution.js';
import type { GrantInput, Policy } from '../domain/grant.js';
import { agentPrincipal, type Principal } from '../domain/principal.js';
import type { Storage } from '../domain/storage.js';
import type { ToolDefinition } from '../domain/tool.js';
import { createHelve, type Helve, type HelveOptions } from '../helve.js';
import { createSharedProcesses } from '../plane/wiring/shared-processes.js';
import { openStore } from '../plane/wiring/store.js';
import { computedOnce } from '../util/computed-once.js';
import { defined } from '../util/defined.js';

export interface TestHelveOptions extends HelveOptions {
  /** Model-facing names that the agent may use. Default: every tool. */
  readonly granted?: readonly string[];
  /** By model-facing name: `tool_config` of the agent's grant. */
  readonly toolConfig?: GrantInput['config'];
  /** By model-facing name: argument limits of the agent's grant. */
  readonly toolLimits?: GrantInput['limits'];
  readonly policies?: readonly Policy[];
  /** Default `default`. */
  readonly workspace?: string;
  /** Accounts, connected before the agent is granted its tools. */
  readonly connections?: readonly TestConnection[];
}

export interface TestConnection extends ConnectionInput {
  readonly credentials?: Readonly<Record<string, string>>;
  /** Whether to check with the service whose account it is. Default: no. */
  readonly check?: boolean;
}

export interface TestHelve extends Helve {
  readonly workspaceId: string;
  readonly agent: Principal;
  readonly admin: Principal;
  /** Calls as the agent. */
  call(tool: string, input?: unknown, more?: Partial<CallRequest>): Promise<ToolResult>;
  /** The record so far, oldest first. */
  audited(): Promise<AuditEvent[]>;
  /** Closed with this Helve. */
  readonly storage: Storage;
  /** Moves the plane's clock. */
  advance(milliseconds: number): void;
}

/** Starting a compiler, a thread and a worker takes longer than most tests. They do not keep the process running, and end with it. */
const sharedProcesses = computedOnce(() => createSharedProcesses());

/**
 * Opens a plane in memory, unless `options` say otherwise, with an agent that has its grants. Planes of one process check and run programs
 * in shared threads and processes; `processes: createSharedProcesses()` gives a plane others, which the test closes.
 */
export async function createTestHelve(options: TestHelveOptions = {}): Promise<TestHelve> {
  let ahead = 0;
  const noLimits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
  const { now = () => new Date(Date.now() + ahead) } = options;
  const { granted, toolConfig, toolLimits, policies, workspace = 'default', connections = [], ...given } = options;
  const storage = await openStore(options, now);
  const helve = await createHelve({ limits: noLimits, now, processes: sharedProcesses(), ...given, storage });
  const { workspaceId } = await helve.ensureWorkspace(workspace);
  const admin = await asPrincipal(helve, workspaceId);
  const created = await helve.plane.createAgent(admin, { slug: 'tester' });
  const { slug } = created;
  for (const { credentials = {}, check = false, ...input } of connections) {
    const { id } = await helve.plane.addConnection(admin, input);
    await helve.plane.connect(admin, id, { credentials, check });
  }
  await helve.plane.replaceGrants(admin, slug, await getGrants(helve, admin, { granted, toolConfig, toolLimits }));
  if (policies) await helve.plane.replacePolicies(admin, policies);
  const agent = agentPrincipal(created, workspaceId);

  return {
    ...helve,
    workspaceId,
    agent,
    admin,
    storage,
    call: (tool, input, more) => helve.execute({ principal: { agent: slug, workspace }, tool, input, ...more }),
    async audited() {
      const events: AuditEvent[] = [];
      // Also after a test has ended the session.
      const { credentialId: _, ...reader } = admin;
      for await (const event of helve.plane.exportAudit(reader)) events.push(event);
      return events;
    },
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}

async function asPrincipal(helve: Helve, workspaceId: string): Promise<Principal> {
  const link = await helve.adminLink(workspaceId);
  return (await helve.plane.redeemAdminLink(link)).principal;
}

async function getGrants(
  helve: Helve,
  admin: Principal,
  { granted, toolConfig = {}, toolLimits = {} }: TestHelveOptions,
): Promise<GrantInput[]> {
  const grants = new Map<string, { target: Target; tools: string[]; config: Loose; limits: Loose }>();
  const { entries } = await helve.plane.grantCatalogue(admin, 'tester');
  const all = entries.flatMap(({ toolkit: { slug }, connectionId, tools }) =>
    tools.map(({ modelName, name }) => ({ modelName, name, toolkit: slug, connectionId })),
  );
  for (const { modelName, name, toolkit, connectionId } of all) {
    const isIntrinsic = (await helve.registry.find(toolkit, name))?.tool.intrinsic;
    if (isIntrinsic || (granted && !granted.includes(name) && !granted.includes(modelName))) continue;
    const key = `${toolkit}\n${connectionId ?? ''}`;
    const target = { toolkit, ...defined({ connectionId }) };
    const grant = grants.get(key) ?? { target, tools: [], config: {}, limits: {} };
    grant.tools.push(name);
    if (toolConfig[name]) Object.assign(grant.config, { [name]: toolConfig[name] });
    if (toolLimits[name]) Object.assign(grant.limits, { [name]: toolLimits[name] });
    grants.set(key, grant);
  }
  return [...grants.values()].map(({ target, ...grant }) => ({ ...target, ...grant }));
}

type Target = Pick<GrantInput, 'toolkit' | 'connectionId'>;
type Loose = Record<string, never>;

/** A tool for tests: everything has a default, so that a test names only what it is about. */
export function testTool(overrides: Partial<ToolDefinition> & Pick<ToolDefinition, 'name'>): ToolDefinition {
  return {
    title: overrides.name,
    description: `The test tool ${overrides.name}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    capabilities: [],
    execute: async (input) => ({ echoed: input }),
    ...overrides,
  };
}
