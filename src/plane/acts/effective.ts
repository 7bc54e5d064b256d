/** What an agent can call, how much of a model's context that takes, and what was granted but is refused. */
import { codeTools, isMetaTool } from '../../domain/discovery.js';
import type { EffectiveTool, EffectiveTools } from '../../domain/explain.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import { agentPrincipal, type Principal } from '../../domain/principal.js';
import { type Catalogue, decideCall, type NamedTool, withinReach } from '../../flows/calling/index.js';
import { shownTools } from '../../flows/finding/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshWithin } from '../../flows/workspaces/index.js';
import { getGrants, seesAccount } from '../../grants/index.js';
import { defined } from '../../util/defined.js';

export interface View {
  readonly asker: Principal;
  readonly agent: Principal;
  readonly configuration: WorkspaceConfiguration;
  readonly catalogue: Catalogue;
  /** With at most this many tools, an agent whose mode is `auto` sees all of them. */
  readonly directTools: number;
}

export async function listEffective(parts: PlaneParts, asker: Principal, name: string): Promise<EffectiveTools> {
  const { workspaceId } = asker;
  const found = await parts.directory(workspaceId).agent(name);
  const agent = agentPrincipal(found, workspaceId);
  const { directTools } = parts;
  return readEffective({ asker, agent, directTools, ...(await freshWithin(parts, workspaceId, [agent])) });
}

/** What the agent can call under this configuration, as far as the asker may see it. */
export function readEffective(view: View): EffectiveTools {
  const { configuration, catalogue, agent, directTools } = view;
  const allowed = withinReach(catalogue, configuration, agent).filter(
    (entry) => decide(view, entry).decision.effect !== 'deny',
  );
  const shown = shownTools(allowed, agent, configuration, directTools);
  const seen = allowed.filter((entry) => sees(view, entry) && !isMetaTool(entry.tool.id));
  const tools = seen.map((entry) => describe(view, entry));
  const set = configuration.agents.find(({ id }) => id === agent.id)?.toolMode ?? 'auto';
  return {
    agent: agent.name,
    tools,
    tokens: sum(tools.map(({ tokens }) => tokens)),
    mode: { set, ...describeShown(shown, { set, directTools }), tokens: sum(shown.map(countTokens)) },
    notOffered: listRefused(view),
  };
}

const decide = ({ configuration, agent }: View, { tool, connectionId }: NamedTool) =>
  decideCall({ configuration, principal: agent, tool, connectionId });

const sees = ({ configuration, asker }: View, { connectionId }: NamedTool): boolean =>
  connectionId === undefined || seesAccount(configuration, asker, connectionId);

function describe(view: View, entry: NamedTool): EffectiveTool {
  const { decision, approval } = decide(view, entry);
  const { name, tool, slug } = entry;
  const facts = { name, toolkit: tool.id.toolkit, risk: tool.risk, approval, rule: decision.rule };
  return { ...facts, ...defined({ connection: slug }), tokens: countTokens(entry) };
}

const charactersOfToken = 4;

function countTokens({ name, tool }: Pick<NamedTool, 'name' | 'tool'>): number {
  const text = JSON.stringify({ name, description: tool.description, input_schema: tool.inputSchema });
  return Math.ceil(text.length / charactersOfToken);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function describeShown(
  shown: readonly NamedTool[],
  { set, directTools }: { readonly set: EffectiveTools['mode']['set']; readonly directTools: number },
): Pick<EffectiveTools['mode'], 'shows' | 'reason'> {
  const isMeta = shown.some(({ tool }) => isMetaTool(tool.id));
  const isCode = isMeta && shown.every(({ tool }) => codeTools.includes(tool.id.name)) && set === 'code';
  const shows = isCode ? 'code' : isMeta ? 'meta' : 'tools';
  if (set !== 'auto') return { shows, reason: `The mode of the agent is ${set}` };
  const count = isMeta ? `more than ${directTools}` : `at most ${directTools}`;
  return { shows, reason: `It has ${count} tools` };
}

/** Granted tools that no arguments would make callable. */
function listRefused(view: View): EffectiveTools['notOffered'] {
  const { configuration, agent, catalogue, asker } = view;
  const grants = getGrants(configuration, agent.id).filter(
    ({ connectionId }) => connectionId === undefined || seesAccount(configuration, asker, connectionId),
  );
  return grants.flatMap(({ toolkit, connectionId, tools }) =>
    tools.flatMap((name) => {
      const entry = catalogue.findIn(toolkit, connectionId, name);
      const facts = { tool: `${toolkit}.${name}`, ...defined({ connection: entry?.slug }) };
      if (!entry) return [{ ...facts, rule: 'tool.unknown', reason: 'The tool or its account does not exist' }];
      const { decision } = decide(view, entry);
      return decision.effect === 'deny' ? [{ ...facts, rule: decision.rule, reason: decision.reason }] : [];
    }),
  );
}
