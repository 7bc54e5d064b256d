/** An agent loses every grant over one account. The person who owns the account can do this without being allowed to grant. */
import type { Connection } from '../../../domain/connection.js';
import { HelveError } from '../../../domain/errors.js';
import type { Plane } from '../../../domain/plane.js';
import { type Principal, requirePermission } from '../../../domain/principal.js';
import { findConnection } from '../../../flows/connecting/index.js';
import type { PlaneParts } from '../../../flows/parts.js';
import { changedSince, draft } from '../../../flows/workspaces/index.js';
import { getGrants } from '../../../grants/index.js';
import { accountFacts } from '../../../util/acting-account.js';
import { refuseFileManaged } from '../file-managed.js';

export const withdrawFrom = (parts: PlaneParts): Plane['withdrawConnection'] =>
  async function withdrawConnection(principal, idOrSlug, name) {
    const { workspaceId } = principal;
    const connection = await findConnection(parts.accounts, principal, idOrSlug);
    if (!isOwner(principal, connection)) requirePermission(principal, 'grants:write');
    const agent = await parts.storage.workspace(workspaceId).findAgent(name);
    return changedSince(parts, workspaceId, async (configuration) => {
      const all = agent === undefined ? [] : getGrants(configuration, agent.id);
      const ended = all.filter(({ connectionId }) => connectionId === connection.id);
      if (agent === undefined || ended.length === 0) throw notGranted(connection, name);
      refuseFileManaged(agent);
      const removed = ended.flatMap(({ tools }) => tools);
      const event = draft('grants.replaced', principal, parts.now(), {
        agentId: agent.id,
        agent: agent.slug,
        withdrawn: ended.map(({ toolkit, tools }) => ({
          toolkit,
          connectionId: connection.id,
          ...accountFacts(connection),
          tools: [...tools],
        })),
      });
      const kept = all
        .filter((grant) => !ended.includes(grant))
        .map(({ id: _id, agentId: _agentId, ...grant }) => grant);
      await parts.storage
        .workspace(workspaceId)
        .change([event], (tables) => tables.replaceGrants(agent.id, kept), configuration.revision);
      return { removed };
    });
  };

function isOwner({ kind, id }: Principal, { ownerId }: Connection): boolean {
  return kind !== 'agent' && id === ownerId;
}

/** The same for an agent that does not exist: who owns an account may not list agents. */
function notGranted({ slug }: Connection, agent: string): HelveError {
  return new HelveError(
    'not_found',
    `No agent ${JSON.stringify(agent.slice(0, 100))} is granted anything with ${slug}`,
    {
      hint: 'The record of calls names the agents that use an account.',
    },
  );
}
