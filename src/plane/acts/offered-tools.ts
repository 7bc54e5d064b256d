/**
 * Which of the tools that were granted to agents they are offered. The answer for an agent is kept as long as nothing that it depends
 * on has changed, so that a page of agents does not decide about each of their tools again.
 */
import { isMetaTool } from '../../domain/discovery.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import { type Agent, agentPrincipal } from '../../domain/principal.js';
import { type Catalogue, decideCall, type NamedTool } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshWithin } from '../../flows/workspaces/index.js';
import { getGrants } from '../../grants/index.js';

/** The account of each tool, undefined for a tool without one. Who may see the account is not looked at. */
export type OfferedTools = readonly (string | undefined)[];

interface Offers {
  readonly configuration: WorkspaceConfiguration;
  readonly offeredTo: (agent: Agent) => OfferedTools;
}

/** What decisions are made from. */
interface Reading {
  readonly configuration: WorkspaceConfiguration;
  /** Of the registry, when the tools were read. */
  readonly generation: number;
}

interface Kept {
  readonly basis: readonly unknown[];
  readonly tools: OfferedTools;
}

/** Agents of all workspaces whose answers are kept. */
const maxKept = 2_000;

/** `known`: a configuration that was just read; these agents are of its workspace. */
export type ReadOffers = (known: WorkspaceConfiguration, agents: readonly Agent[]) => Promise<Offers>;

/** Returns a function that reads the newest configuration of a workspace and what it offers to some of its agents. */
export function createOffers(parts: PlaneParts): ReadOffers {
  const kept = new Map<string, Kept>();

  /** Everything that the decisions about the granted tools of an agent depend on. */
  function basisOf({ configuration, generation }: Reading, { id, name }: Agent): readonly unknown[] {
    const { policies, connections, toolkits, pins } = configuration;
    return [getGrants(configuration, id), policies, connections, toolkits, pins, name, generation];
  }

  function find(configuration: WorkspaceConfiguration, agent: Agent): OfferedTools | undefined {
    const known = kept.get(agent.id);
    if (known === undefined) return undefined;
    const present = basisOf({ configuration, generation: parts.registry.generation }, agent);
    return present.every((part, at) => part === known.basis[at]) ? known.tools : undefined;
  }

  function decide(reading: Reading, catalogue: Catalogue, agent: Agent): OfferedTools {
    const { configuration } = reading;
    const basis = basisOf(reading, agent);
    const { tools, isComplete } = findOffered(configuration, catalogue, agent);
    // A toolkit that could not be read may come back without a change of anything else.
    if (!isComplete) return tools;
    kept.delete(agent.id);
    const [oldest = ''] = kept.keys();
    if (kept.size >= maxKept) kept.delete(oldest);
    kept.set(agent.id, { basis, tools });
    return tools;
  }

  return async (before, agents) => {
    const { workspaceId } = before;
    const within = (some: readonly Agent[]) =>
      freshWithin(
        parts,
        workspaceId,
        some.map((agent) => agentPrincipal(agent, workspaceId)),
      );
    // As before the tools are read: they may be older than a change that is reported meanwhile.
    let { generation } = parts.registry;
    const unknown = new Set(agents.filter((agent) => find(before, agent) === undefined));
    let fresh = await within([...unknown]);
    // What was known may have changed meanwhile: then the tools of all of them are needed.
    if (agents.some((agent) => !unknown.has(agent) && find(fresh.configuration, agent) === undefined)) {
      ({ generation } = parts.registry);
      fresh = await within(agents);
    }
    const { configuration, catalogue } = fresh;
    const known = new Map(agents.map((agent) => [agent.id, find(configuration, agent)]));
    return {
      configuration,
      offeredTo: (agent) => known.get(agent.id) ?? decide({ configuration, generation }, catalogue, agent),
    };
  };
}

/** `isComplete`: whether every granted tool is there. */
function findOffered(
  configuration: WorkspaceConfiguration,
  catalogue: Catalogue,
  agent: Agent,
): { readonly tools: OfferedTools; readonly isComplete: boolean } {
  const principal = agentPrincipal(agent, configuration.workspaceId);
  const offered = new Set<NamedTool>();
  let isComplete = true;
  // A tool without a grant is refused, so the others need not be looked at.
  for (const { toolkit, tools, connectionId } of getGrants(configuration, agent.id))
    for (const name of tools) {
      const entry = catalogue.findIn(toolkit, connectionId, name);
      if (entry === undefined) isComplete = false;
      if (entry === undefined || isMetaTool(entry.tool.id)) continue;
      const { decision } = decideCall({ configuration, principal, tool: entry.tool, connectionId: entry.connectionId });
      if (decision.effect !== 'deny') offered.add(entry);
    }
  return { tools: Array.from(offered, ({ connectionId }) => connectionId), isComplete };
}
