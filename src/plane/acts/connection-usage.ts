/** Who uses an account: the agents that have tools of it, how often they called with it, and when last. */
import type { CallActs, ConnectionUsage } from '../../domain/calls.js';
import { type Principal, requirePermission } from '../../domain/principal.js';
import { findConnection } from '../../flows/connecting/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { defined } from '../../util/defined.js';

type Lists = Pick<CallActs, 'listCalls' | 'callFacets'>;

export async function readUsage(
  parts: PlaneParts,
  lists: Lists,
  { principal, connection: idOrSlug }: { readonly principal: Principal; readonly connection: string },
): Promise<ConnectionUsage> {
  const { workspaceId } = principal;
  const connection = await findConnection(parts.accounts, principal, idOrSlug);
  // Whose account it is may know who uses it, also without the right to read all grants.
  if (principal.kind === 'agent' || connection.ownerId !== principal.id) requirePermission(principal, 'grants:read');
  const configuration = await parts.configurations.getFresh(workspaceId);
  const facets = await lists.callFacets(principal, { connection: connection.id });
  const counts = new Map(facets.actor.map(({ value, count }) => [value, count]));
  const readLast = async (actor?: string): Promise<string | undefined> => {
    const query = { connection: connection.id, limit: 1, ...defined({ actor }) };
    const [last] = (await lists.listCalls(principal, query)).calls;
    return last?.finishedAt ?? last?.startedAt;
  };
  const tools = new Map<string, string[]>();
  for (const { agentId, connectionId, tools: more } of configuration.grants)
    if (connectionId === connection.id) tools.set(agentId, [...(tools.get(agentId) ?? []), ...more]);
  const users = configuration.agents.flatMap((agent) => {
    const mine = tools.get(agent.id);
    return mine === undefined ? [] : [{ agent, tools: mine }];
  });
  const agents = await Promise.all(
    users.map(async ({ agent: { id, slug, name }, tools: mine }) => ({
      id,
      slug,
      name,
      tools: mine,
      calls: counts.get(id) ?? 0,
      ...defined({ lastUsedAt: await readLast(id) }),
    })),
  );
  const lastUsedAt = await readLast();
  return { connection: connection.slug, agents, calls: facets.total, ...defined({ lastUsedAt }) };
}
