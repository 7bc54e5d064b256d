/** Calling and listing tools. */

import type { LiveExecution } from '../execution/index.js';
import { decideAccess } from '../grants/index.js';
import { requirePermission } from '../principals/index.js';
import { satisfies } from '../schema/checks.js';
import type { CallRequest, ExecutionEvent, ListedTool, ToolResult } from '../spec/execution.js';
import type { Decision, ToolkitSetting } from '../spec/grant.js';
import type { Plane } from '../spec/plane.js';
import { agentPrincipal, type Principal } from '../spec/principal.js';
import { shownTools } from './discovery/index.js';
import type { PlaneParts } from './parts.js';
import { knownToolkit, toolkitFacts, toolkitsInUse } from './toolkit-facts.js';

type Calls = Pick<
  Plane,
  'execute' | 'tools' | 'toolkits' | 'toolkitTools' | 'validateAccess' | 'actAs' | 'follow' | 'onConfigurationChange'
>;

export function createCalls(parts: PlaneParts): Calls {
  return {
    execute: (request) => execute(parts, request),
    tools: (principal, options) => listTools(parts, principal, options?.all ?? false),
    ...toolkitActs(parts),
    async validateAccess(principal, name): Promise<Decision> {
      requirePermission(principal, 'tools:read');
      const { configuration, catalogue } = await freshCatalogue(parts, principal.workspaceId);
      const found = catalogue.find(name);
      if (!found)
        return {
          effect: 'deny',
          rule: 'tool.unknown',
          reason: `There is no tool ${JSON.stringify(name.slice(0, 100))}`,
        };
      const { tool, connectionId } = found;
      const connection = connectionId === undefined ? {} : { connectionId };
      return decideAccess({ configuration, principal, tool, ...connection }, satisfies).decision;
    },
    async actAs(principal, name) {
      requirePermission(principal, 'agents:act');
      const agent = await parts.directory(principal.workspaceId).agent(name);
      const { kind, id, name: person, workspaceId } = principal;
      const acting = agentPrincipal(agent, workspaceId);
      // Acting as an agent adds its grants and takes nothing from what the caller lacks.
      const permissions = acting.permissions.filter((permission) => principal.permissions.includes(permission));
      return { ...acting, permissions, onBehalfOf: { kind, id, name: person } };
    },
    follow: (principal, executionId, signal) => follow(parts, principal, executionId, signal),
    onConfigurationChange: (principal, listener) => parts.configurations.onChange(principal.workspaceId, listener),
  };
}

async function execute({ pipeline, live, now }: PlaneParts, request: CallRequest): Promise<ToolResult> {
  let execution: LiveExecution | undefined;
  const { principal, tool, onStart, onProgress, ...rest } = request;
  const result = await pipeline.run({
    principal,
    tool,
    ...rest,
    onStart(id) {
      execution = live.started(principal, id, tool, now());
      onStart?.(id);
    },
    onProgress(update) {
      execution?.progress(update, now());
      onProgress?.(update);
    },
  });
  execution?.finished(result, now());
  return result;
}

/** One after the other: the tools are those of the newest connections, and seeing some for the first time pins them. */
export async function freshCatalogue({ configurations, catalogue }: PlaneParts, workspaceId: string) {
  await configurations.getFresh(workspaceId);
  const tools = await catalogue(workspaceId);
  return { catalogue: tools, configuration: await configurations.get(workspaceId) };
}

async function listTools(parts: PlaneParts, principal: Principal, all: boolean): Promise<ListedTool[]> {
  requirePermission(principal, 'tools:read');
  const { configuration, catalogue } = await freshCatalogue(parts, principal.workspaceId);
  const allowed = catalogue.entries.flatMap(({ name, tool, connectionId }): ListedTool[] => {
    const connection = connectionId === undefined ? {} : { connectionId };
    const { decision } = decideAccess({ configuration, principal, tool, ...connection }, satisfies);
    return decision.effect === 'deny' ? [] : [{ name, tool, ...connection }];
  });
  return all ? allowed : [...shownTools(allowed, principal, configuration, parts.directTools)];
}

function toolkitActs({ registry, configurations }: PlaneParts): Pick<Plane, 'toolkits' | 'toolkitTools'> {
  return {
    async toolkits(principal) {
      requirePermission(principal, 'tools:read');
      const configuration = await configurations.getFresh(principal.workspaceId);
      const has = toolkitsInUse(configuration);
      return (await registry.toolkits()).filter(has).map((toolkit) => ({
        toolkit: toolkitFacts(toolkit),
        setting: settingOf(configuration.toolkits, toolkit.slug),
      }));
    },
    async toolkitTools(principal, slug) {
      requirePermission(principal, 'tools:read');
      await knownToolkit(registry, slug);
      const { toolkits } = await configurations.getFresh(principal.workspaceId);
      const { enabled, enabledTools } = settingOf(toolkits, slug);
      return (await registry.tools(slug)).map(({ tool }) => ({
        tool,
        enabled: enabled && (enabledTools === undefined || enabledTools.includes(tool.id.name)),
      }));
    },
  };
}

function settingOf(settings: readonly ToolkitSetting[], toolkit: string): ToolkitSetting {
  return settings.find((setting) => setting.toolkit === toolkit) ?? { toolkit, enabled: true };
}

/** Live where it runs here; otherwise what the record has of it, once. */
async function* follow(
  parts: PlaneParts,
  principal: Principal,
  executionId: string,
  signal: AbortSignal,
): AsyncIterable<ExecutionEvent> {
  requirePermission(principal, 'tools:read');
  const live = parts.live.follow(principal, executionId, signal);
  if (live) return yield* live;
  const record = await parts.records.execution(principal, executionId);
  yield { type: 'recorded', executionId, record, at: record.finishedAt ?? record.startedAt };
}
