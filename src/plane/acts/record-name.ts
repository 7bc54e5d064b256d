/** Tools and actors as the record has them. */

import { HelveError } from '../../domain/errors.js';
import { toAuditName } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import { recordName } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { isLive } from '../../principals/index.js';
import { didYouMean, nearest } from '../../util/nearest.js';

/** The audit record uses one form of a tool's name; a reader may write any of them. */
export async function withRecordName<Query extends { readonly tool?: string }>(
  { catalogue, registry }: Pick<PlaneParts, 'catalogue' | 'registry'>,
  { workspaceId }: Principal,
  query: Query,
): Promise<Query> {
  if (query.tool === undefined) return query;
  const [known] = (await catalogue(workspaceId)).match(query.tool);
  if (known) return { ...query, tool: recordName(known) };
  // Its account may no longer exist; the record still has its calls.
  const [toolkit = '', name] = query.tool.split('.');
  const title = (await registry.findToolkit(toolkit))?.title;
  return name === undefined || title === undefined ? query : { ...query, tool: toAuditName({ toolkit, name }, title) };
}

/**
 * The record has the id of an actor; a reader may write the name of an agent, a person or a live key. Anything else stays as it is:
 * the record keeps the ids of actors that no longer exist.
 * @throws `ambiguous` if several actors have the name; `not_found` if no actor has it, but one has a similar name
 */
export async function withActorId<Query extends { readonly actorId?: string }>(
  { storage, now }: Pick<PlaneParts, 'storage' | 'now'>,
  { workspaceId }: Principal,
  query: Query,
): Promise<Query> {
  const { actorId: named } = query;
  if (named === undefined) return query;
  const workspace = storage.workspace(workspaceId);
  const [agents, people, keys] = await Promise.all([
    workspace.listAgents(),
    workspace.listUsers(),
    workspace.listCredentials(),
  ]);
  const known = [
    ...agents.map(({ id, slug }) => ({ id, name: slug })),
    ...people,
    ...keys.filter((one) => one.kind === 'api_key' && isLive(one, now())),
  ];
  const found = known.filter(({ name }) => name === named);
  const [actor, ...others] = found;
  if (known.some(({ id }) => id === named)) return query;
  if (actor === undefined) {
    const meant = nearest(
      named,
      known.map(({ name }) => name),
    );
    if (meant === undefined) return query;
    throw new HelveError('not_found', `Nobody is called ${JSON.stringify(named)}`, { hint: didYouMean(meant) });
  }
  if (others.length === 0) return { ...query, actorId: actor.id };
  throw new HelveError('ambiguous', `Several actors are called ${JSON.stringify(named.slice(0, 100))}`, {
    hint: `Give one of their ids: ${found.map(({ id }) => id).join(', ')}.`,
  });
}
