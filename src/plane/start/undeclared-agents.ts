/**
 * Agents that `helve.yaml` no longer declares: what the file gave them ends with the declaration. The agent remains
 * without rights; the operator can grant it something, remove it, or declare it again.
 */
import type { AuditDraft, AuditEventType } from '../../domain/audit.js';
import type { JsonObject } from '../../domain/json.js';
import type { Agent } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { draft, systemPrincipal } from '../../flows/workspaces/index.js';

/**
 * Ends grants, tokens and authorizations of each agent in one commit, with their audit rows. Returns the agents' slugs.
 */
export async function releaseUndeclaredAgents(
  parts: Pick<PlaneParts, 'storage' | 'now'>,
  workspaceId: string,
  declared: ReadonlySet<string>,
): Promise<readonly string[]> {
  const agents = await parts.storage.workspace(workspaceId).listAgents();
  const undeclared = agents.filter(({ managedBy, slug }) => managedBy === 'file' && !declared.has(slug));
  for (const agent of undeclared) await release(parts, workspaceId, agent);
  return undeclared.map(({ slug }) => slug);
}

async function release(
  { storage, now }: Pick<PlaneParts, 'storage' | 'now'>,
  workspaceId: string,
  agent: Agent,
): Promise<void> {
  const at = now();
  const { id: agentId, slug } = agent;
  const reason = 'no longer declared in helve.yaml';
  const row = (type: AuditEventType, body: JsonObject) => draft(type, systemPrincipal(workspaceId), at, body);
  // Filled while the lock is held: only then is it known what ends.
  const rows: AuditDraft[] = [
    row('agent.changed', { agentId, slug, managedBy: 'released', reason }),
    row('grants.replaced', { agentId, agent: slug, grants: [], reason }),
  ];
  await storage.workspace(workspaceId).change(rows, async (tables) => {
    await tables.changeAgent(agentId, { ...agent, managedBy: 'released' });
    await tables.replaceGrants(agentId, []);
    const ended = await tables.endAgentAccess(agentId, at.toISOString());
    for (const credentialId of ended.credentials)
      rows.push(row('credential.revoked', { credentialId, agentId, reason }));
    for (const id of ended.authorizations)
      rows.push(row('authorization.ended', { authorizationId: id, agentId, reason }));
  });
}
