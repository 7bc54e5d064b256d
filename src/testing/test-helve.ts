/** A whole plane in memory in one line, with one agent that holds what the test says and a clock that the test moves. */

import { createHelve, type Helve, type HelveOptions } from '../helve.js';
import type { AuditEvent } from '../spec/audit.js';
import type { CallRequest, ToolResult } from '../spec/execution.js';
import type { GrantInput, Policy } from '../spec/grant.js';
import { agentPrincipal, type Principal } from '../spec/principal.js';
import type { ToolDefinition } from '../spec/tool.js';

export interface TestHelveOptions extends HelveOptions {
  /** Model-facing names that the agent may use. Default: every tool there is. */
  readonly granted?: readonly string[];
  /** By model-facing name: `tool_config` of the agent's grant. */
  readonly toolConfig?: GrantInput['config'];
  /** By model-facing name: argument limits of the agent's grant. */
  readonly toolLimits?: GrantInput['limits'];
  readonly policies?: readonly Policy[];
  /** Default `default`. */
  readonly workspace?: string;
}

export interface TestHelve extends Helve {
  readonly workspaceId: string;
  readonly agent: Principal;
  readonly admin: Principal;
  /** Calls as the agent. */
  call(tool: string, input?: unknown, more?: Partial<CallRequest>): Promise<ToolResult>;
  /** The record so far, oldest first. */
  audited(): Promise<AuditEvent[]>;
  /** Moves the plane's clock. */
  advance(milliseconds: number): void;
}

export async function createTestHelve(options: TestHelveOptions = {}): Promise<TestHelve> {
  let ahead = 0;
  const noLimits = { perIp: null, perPrincipal: null, perTool: null };
  const helve = await createHelve({ limits: noLimits, now: () => new Date(Date.now() + ahead), ...options });
  const { workspaceId } = await helve.ensureWorkspace(options.workspace ?? 'default');
  const workspace = options.workspace ?? 'default';
  const admin = await asPrincipal(helve, workspaceId);
  const created = await helve.plane.createAgent(admin, { slug: 'tester' });
  const { slug } = created;
  await helve.plane.replaceGrants(admin, slug, await grantsOf(helve, options));
  if (options.policies) await helve.plane.replacePolicies(admin, options.policies);
  const agent = agentPrincipal(created, workspaceId);

  return {
    ...helve,
    workspaceId,
    agent,
    admin,
    call: (tool, input, more) => helve.execute({ principal: { agent: slug, workspace }, tool, input, ...more }),
    async audited() {
      const events: AuditEvent[] = [];
      for await (const event of helve.plane.exportAudit(admin)) events.push(event);
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

async function grantsOf(
  helve: Helve,
  { granted, toolConfig = {}, toolLimits = {} }: TestHelveOptions,
): Promise<GrantInput[]> {
  const grants = new Map<string, { tools: string[]; config: Record<string, never>; limits: Record<string, never> }>();
  for (const { tool } of await helve.registry.all()) {
    if (tool.intrinsic || (granted && !granted.includes(tool.id.name))) continue;
    const grant = grants.get(tool.id.toolkit) ?? { tools: [], config: {}, limits: {} };
    grant.tools.push(tool.id.name);
    const { name } = tool.id;
    if (toolConfig[name]) Object.assign(grant.config, { [name]: toolConfig[name] });
    if (toolLimits[name]) Object.assign(grant.limits, { [name]: toolLimits[name] });
    grants.set(tool.id.toolkit, grant);
  }
  return [...grants].map(([toolkit, grant]) => ({ toolkit, ...grant }));
}

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
