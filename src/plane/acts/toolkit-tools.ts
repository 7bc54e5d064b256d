/** Toolkits and their tools, as those who look after a workspace see them. */
import { HelveError } from '../../domain/errors.js';
import type { ToolkitSetting } from '../../domain/grant.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { Tool } from '../../domain/tool.js';
import type { SwitchedTool, ToolSummariesQuery, ToolSummary, ToolSummaryPage } from '../../domain/tool-summaries.js';
import { decideCall, withinReach } from '../../flows/calling/index.js';
import { describeSummary } from '../../flows/finding/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshWithin, knownToolkit, toolkitFacts, toolkitsInUse } from '../../flows/workspaces/index.js';
import { visibleConnections } from '../../grants/index.js';
import { cutPage } from '../../util/cut-page.js';
import { defined } from '../../util/defined.js';
import { suggestName } from '../../util/nearest.js';

type ToolkitAct = 'toolkits' | 'toolkitTools' | 'toolkitTool' | 'toolSummaries' | 'unofferedTools';

const maxSummary = 200;

export function createToolkitActs(parts: PlaneParts): Pick<Plane, ToolkitAct> {
  const { registry, configurations } = parts;
  return {
    async toolkits(principal) {
      const configuration = await configurations.getFresh(principal.workspaceId);
      const connections = visibleConnections(configuration, principal);
      const has = toolkitsInUse({ ...configuration, connections });
      return (await registry.toolkits()).filter(has).map((toolkit) => ({
        toolkit: toolkitFacts(toolkit),
        setting: findSetting(configuration.toolkits, toolkit.slug),
      }));
    },
    async unofferedTools(principal, slug) {
      await knownToolkit(registry, slug);
      // Only an operator may see what is set up.
      return principal.kind === 'agent' ? [] : registry.unoffered(slug, principal.workspaceId);
    },
    toolkitTools: (principal, slug) => listTools(parts, principal, slug),
    async toolkitTool(principal, slug, name) {
      const tools = await listTools(parts, principal, slug);
      const found = tools.find(({ tool }) => tool.id.name === name);
      if (found) return found;
      const names = tools.map(({ tool }) => tool.id.name);
      throw new HelveError('not_found', `${slug} has no tool ${JSON.stringify(name.slice(0, 100))}`, {
        hint: suggestName(name, names),
      });
    },
    async toolSummaries(principal, slug, query) {
      return toPage(await listTools(parts, principal, slug), query);
    },
  };
}

async function listTools(parts: PlaneParts, principal: Principal, slug: string): Promise<SwitchedTool[]> {
  const { registry, configurations } = parts;
  await knownToolkit(registry, slug);
  const { toolkits } = await configurations.getFresh(principal.workspaceId);
  const { enabled, enabledTools } = findSetting(toolkits, slug);
  const mayCall = principal.kind === 'agent' ? await callable(parts, principal) : undefined;
  const tools = (await registry.tools(slug, principal.workspaceId)).filter(({ tool }) => mayCall?.(tool) ?? true);
  return tools.map(({ tool }) => ({
    tool,
    enabled: enabled && (enabledTools === undefined || enabledTools.includes(tool.id.name)),
  }));
}

function toPage(all: readonly SwitchedTool[], query: ToolSummariesQuery): ToolSummaryPage {
  const { search = '', before, after } = query;
  if (before !== undefined && after !== undefined)
    throw new HelveError('invalid_input', 'A page comes either before a tool or after one, not both', {
      hint: 'Send only one of them: before or after.',
    });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all
    .filter(({ tool: { id, title, description } }) => {
      const text = `${id.name}\n${title}\n${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort(({ tool: one }, { tool: other }) => (one.id.name < other.id.name ? -1 : 1));
  const { page, next, previous } = cutPage(found, ({ tool }) => tool.id.name, query);
  return { tools: page.map(summarise), total: found.length, ...defined({ next, previous }) };
}

function summarise({ tool, enabled }: SwitchedTool): ToolSummary {
  const { id, title, risk, annotations, group } = tool;
  const effect = annotations.readOnlyHint ? 'reads' : annotations.destructiveHint ? 'replaces' : 'adds';
  const summary = describeSummary(tool, maxSummary);
  return { name: id.name, title, summary, risk, effect, enabled, ...defined({ group }) };
}

/** An agent sees the schemas of the tools that it may call and no others; only an operator may see what is set up. */
async function callable(parts: PlaneParts, principal: Principal): Promise<(tool: Tool) => boolean> {
  const { configuration, catalogue } = await freshWithin(parts, principal.workspaceId, [principal]);
  const allowed = withinReach(catalogue, configuration, principal).filter(
    ({ tool, connectionId }) => decideCall({ configuration, principal, tool, connectionId }).decision.effect !== 'deny',
  );
  const names = new Set(allowed.map(({ tool }) => `${tool.id.toolkit}\n${tool.id.name}`));
  return ({ id }) => names.has(`${id.toolkit}\n${id.name}`);
}

function findSetting(settings: readonly ToolkitSetting[], toolkit: string): ToolkitSetting {
  return settings.find((setting) => setting.toolkit === toolkit) ?? { toolkit, enabled: true };
}
