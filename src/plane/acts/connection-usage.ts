/** Who uses an account: the agents that have tools of it, how often they called with it, and when last. */
import type { CallerCounts } from '../../audit/index.js';
import type { ConnectionUsage } from '../../domain/calls.js';
import type { Grant } from '../../domain/grant.js';
import { type Principal, requirePermission } from '../../domain/principal.js';
import { findConnection } from '../../flows/connecting/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { defined } from '../../util/defined.js';
import { createLookup } from '../../util/lookup.js';
import { findRunning, readCondition } from './list-calls.js';

const grantsByConnection = createLookup(({ connectionId = '' }: Grant) => connectionId);

export async function readUsage(parts: PlaneParts, principal: Principal, idOrSlug: string): Promise<ConnectionUsage> {
  const { workspaceId } = principal;
  const connection = await findConnection(parts.accounts, principal, idOrSlug);
  // Whose account it is may know who uses it, also without the right to read all grants.
  if (principal.kind === 'agent' || connection.ownerId !== principal.id) requirePermission(principal, 'grants:read');
  const configuration = await parts.configurations.getFresh(workspaceId);
  const counts = await countCallers(parts, principal, connection.id);
  const tools = new Map<string, string[]>();
  for (const { agentId, tools: more } of grantsByConnection(configuration.grants, connection.id))
    tools.set(agentId, [...(tools.get(agentId) ?? []), ...more]);
  const agents = configuration.agents.flatMap(({ id, slug, name }) => {
    const mine = tools.get(id);
    return mine === undefined ? [] : [{ id, slug, name, tools: mine, ...describe(counts.find(id)) }];
  });
  return { connection: connection.slug, agents, ...describe(counts.total()) };
}

/** A running call was made when it began. */
async function countCallers(parts: PlaneParts, principal: Principal, connection: string): Promise<CallerCounts> {
  const condition = await readCondition(parts, principal, { connection });
  const { columns } = await findRunning(parts, principal, condition);
  const counts = await parts.readCallers(principal.workspaceId, condition);
  counts.add({ ...columns, endedAt: columns.endedAt.map((at, place) => at - (columns.durationMs[place] ?? 0)) });
  return counts;
}

function describe(counted: { readonly calls: number; readonly lastAt: number } | undefined) {
  const { calls = 0, lastAt } = counted ?? {};
  return {
    calls,
    ...defined({ lastUsedAt: calls === 0 || lastAt === undefined ? undefined : new Date(lastAt).toISOString() }),
  };
}
