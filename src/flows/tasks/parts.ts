/** What the flows of tasks are given. */
import type { ActorAddress } from '../../domain/actor-host.js';
import type { Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../parts.js';

export type TaskParts = Pick<
  PlaneParts,
  | 'actors'
  | 'storage'
  | 'configurations'
  | 'catalogue'
  | 'registry'
  | 'directory'
  | 'journal'
  | 'now'
  | 'workers'
  | 'dataDir'
>;

/** The organisation of what was filed in Helve itself. */
export const ownOrg = 'own';

/** The organisation of a repository: `github:acme` of `github:acme/shop`. */
export function orgOf(repo: string | undefined): string | undefined {
  const at = repo?.indexOf('/') ?? -1;
  return at > 0 ? repo?.slice(0, at) : undefined;
}

export const issueAddress = ({ workspaceId }: Pick<Principal, 'workspaceId'>, id: string): ActorAddress => ({
  workspaceId,
  kind: 'issue',
  id,
});
