/** A page of agents with their grants, work and recent calls, for people who manage them. */
import { createCallerCounts } from '../../audit/index.js';
import type { AgentPage, AgentSummary, AgentsQuery, AgentUsage } from '../../domain/agents.js';
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Plane } from '../../domain/plane.js';
import type { Agent, Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { getGrants, seesAccount } from '../../grants/index.js';
import { cutPage } from '../../util/cut-page.js';
import { defined } from '../../util/defined.js';
import { createSlices } from '../../util/slices.js';
import { findRunning, readCondition } from './list-calls.js';
import { createOffers, type ReadOffers } from './offered-tools.js';

const dayMs = 24 * 3_600_000;
const turnMs = 5;

type Reader = (agent: Agent) => AgentUsage;
type Listed = WorkspaceConfiguration['agents'];

interface ListParts {
  readonly parts: PlaneParts;
  readonly readOffers: ReadOffers;
  /** By slug. Not as the store sorts: each does it in its own way. */
  readonly sort: (agents: Listed) => Listed;
}

export function createAgentList(parts: PlaneParts): Plane['listAgents'] {
  const sorted = new WeakMap<Listed, Listed>();
  const sort = (agents: Listed): Listed => {
    const inOrder = sorted.get(agents) ?? agents.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
    sorted.set(agents, inOrder);
    return inOrder;
  };
  const readOffers = createOffers(parts);
  return (principal, query) => listAgents({ parts, readOffers, sort }, principal, query);
}

async function listAgents(list: ListParts, principal: Principal, query: AgentsQuery): Promise<AgentPage> {
  const { parts, sort } = list;
  const { search = '', before, after } = query;
  if (before !== undefined && after !== undefined)
    throw new HelveError('invalid_input', 'A page comes either before an agent or after one, not both', {
      hint: 'Send only one of them: before or after.',
    });
  const { workspaceId } = principal;
  const configuration = await parts.configurations.getFresh(workspaceId);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, slug }: Pick<Agent, 'name' | 'slug'>): boolean =>
    words.every((word) => name.toLowerCase().includes(word) || slug.includes(word));
  const found = sort(configuration.agents).filter(matches);
  const { page, next, previous } = cutPage(found, ({ slug }) => slug, query);
  const known = await parts.storage.workspace(workspaceId).listAgents(page.map(({ id }) => id));
  const byId = new Map(known.map((agent) => [agent.id, agent]));
  // One that has been deleted since is left out.
  const present = page.flatMap(({ id }) => byId.get(id) ?? []);
  return {
    agents: await summarise(list, { asker: principal, configuration, page: present }),
    total: found.length,
    ...defined({ next, previous }),
  };
}

interface Page {
  readonly asker: Principal;
  readonly configuration: WorkspaceConfiguration;
  readonly page: readonly Agent[];
}

async function summarise(list: ListParts, found: Page): Promise<AgentSummary[]> {
  const { asker, page } = found;
  if (page.length === 0) return [];
  const readers = [await readTools(list, found), await readCalls(list.parts, asker)];
  const slices = createSlices(turnMs);
  const summaries: AgentSummary[] = [];
  for (const agent of page) {
    const usage: AgentUsage = Object.assign({}, ...readers.map((read) => read(agent)));
    summaries.push({ ...agent, usage });
    await slices.rest();
  }
  return summaries;
}

/** What was granted and what is offered of it, as far as the asker may know. */
async function readTools({ readOffers }: ListParts, { asker, page, ...known }: Page): Promise<Reader> {
  const { permissions } = asker;
  if (!permissions.includes('grants:read')) return () => ({});
  const mayKnowOffered = permissions.includes('policies:read');
  const { configuration, offeredTo } = await readOffers(known.configuration, mayKnowOffered ? page : []);
  const sees = (connectionId: string | undefined): boolean =>
    connectionId === undefined || seesAccount(configuration, asker, connectionId);
  return (agent) => {
    let granted = 0;
    for (const { connectionId, tools } of getGrants(configuration, agent.id))
      if (sees(connectionId)) granted += tools.length;
    return mayKnowOffered ? { granted, offered: offeredTo(agent).filter(sees).length } : { granted };
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
