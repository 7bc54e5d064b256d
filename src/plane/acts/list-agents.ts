/** A page of agents with what each has, does and did, for those who look after them. */
import { createCallerCounts } from '../../audit/index.js';
import type { AgentPage, AgentSummary, AgentsQuery, AgentUsage } from '../../domain/agents.js';
import { isMetaTool } from '../../domain/discovery.js';
import { HelveError } from '../../domain/errors.js';
import { type Agent, agentPrincipal, type Principal } from '../../domain/principal.js';
import { decideCall, type NamedTool } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshWithin } from '../../flows/workspaces/index.js';
import { getGrants, seesAccount } from '../../grants/index.js';
import { cutPage } from '../../util/cut-page.js';
import { defined } from '../../util/defined.js';
import { createSlices } from '../../util/slices.js';
import { findRunning, readCondition } from './list-calls.js';

const dayMs = 24 * 3_600_000;
const turnMs = 5;

type Reader = (agent: Agent) => AgentUsage;

export async function listAgents(parts: PlaneParts, principal: Principal, query: AgentsQuery): Promise<AgentPage> {
  const { search = '', before, after } = query;
  if (before !== undefined && after !== undefined)
    throw new HelveError('invalid_input', 'A page is either before an agent or after one', {
      hint: 'Send one of them.',
    });
  const { workspaceId } = principal;
  const { agents } = await parts.configurations.getFresh(workspaceId);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, slug }: Pick<Agent, 'name' | 'slug'>): boolean =>
    words.every((word) => name.toLowerCase().includes(word) || slug.includes(word));
  // Not as the store sorts: each does it in its own way.
  const found = agents.filter(matches).sort((one, other) => (one.slug < other.slug ? -1 : 1));
  const { page, next, previous } = cutPage(found, ({ slug }) => slug, query);
  const known = await parts.storage.workspace(workspaceId).listAgents(page.map(({ id }) => id));
  const byId = new Map(known.map((agent) => [agent.id, agent]));
  // One that has been deleted since is left out.
  const present = page.flatMap(({ id }) => byId.get(id) ?? []);
  return {
    agents: await summarise(parts, principal, present),
    total: found.length,
    ...defined({ next, previous }),
  };
}

async function summarise(parts: PlaneParts, asker: Principal, page: readonly Agent[]): Promise<AgentSummary[]> {
  if (page.length === 0) return [];
  const readers = [await readTools(parts, asker, page), await readCalls(parts, asker)];
  const slices = createSlices(turnMs);
  const summaries: AgentSummary[] = [];
  for (const agent of page) {
    const usage: AgentUsage = Object.assign({}, ...readers.map((read) => read(agent)));
    summaries.push({ ...agent, usage });
    await slices.rest();
  }
  return summaries;
}

/** What was granted, and what of it is offered; as far as the asker may know. */
async function readTools(parts: PlaneParts, asker: Principal, page: readonly Agent[]): Promise<Reader> {
  const { permissions, workspaceId } = asker;
  if (!permissions.includes('grants:read')) return () => ({});
  const principals = page.map((agent) => agentPrincipal(agent, workspaceId));
  const { configuration, catalogue } = await freshWithin(parts, workspaceId, principals);
  const sees = (connectionId: string | undefined): boolean =>
    connectionId === undefined || seesAccount(configuration, asker, connectionId);
  return (agent) => {
    const granted = getGrants(configuration, agent.id)
      .filter(({ connectionId }) => sees(connectionId))
      .flatMap(({ toolkit, tools, connectionId }) => tools.map((name) => ({ toolkit, name, connectionId })));
    if (!permissions.includes('policies:read')) return { granted: granted.length };
    const principal = agentPrincipal(agent, workspaceId);
    // A tool without a grant is refused, so the others need not be looked at.
    const offered = new Set<NamedTool>();
    for (const { toolkit, name, connectionId } of granted) {
      const entry = catalogue.findIn(toolkit, connectionId, name);
      if (entry === undefined || isMetaTool(entry.tool.id)) continue;
      const { decision } = decideCall({ configuration, principal, tool: entry.tool, connectionId: entry.connectionId });
      if (decision.effect !== 'deny') offered.add(entry);
    }
    return { granted: granted.length, offered: offered.size };
  };
}

/** The calls of the last day, and when the agent called last; of calls that the asker may see. */
async function readCalls(parts: PlaneParts, asker: Principal): Promise<Reader> {
  if (!asker.permissions.includes('tools:read')) return () => ({});
  const dayAgo = parts.now().getTime() - dayMs;
  const condition = await readCondition(parts, asker, {});
  const { columns: running } = await findRunning(parts, asker, condition);
  const ever = await parts.readCallers(asker.workspaceId, condition);
  const lastDay = createCallerCounts({ ...condition, since: dayAgo });
  for (const counts of [ever, lastDay]) counts.add(running);
  for await (const block of parts.callIndex.blocks(asker.workspaceId)) {
    // Blocks come newest first.
    if (block.lastEndedAt < dayAgo) break;
    lastDay.add(block);
  }
  return ({ id }) => {
    const last = ever.find(id)?.lastAt;
    return {
      callsLastDay: lastDay.find(id)?.calls ?? 0,
      ...defined({ lastSeenAt: last === undefined ? undefined : new Date(last).toISOString() }),
    };
  };
}
