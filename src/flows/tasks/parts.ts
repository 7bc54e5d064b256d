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
  | 'pipeline'
  | 'now'
  | 'workers'
  | 'dataDir'
>;

/** The organisation of what was filed in Helve itself. */
export const ownOrg = 'own';

export const issueAddress = ({ workspaceId }: Pick<Principal, 'workspaceId'>, id: string): ActorAddress => ({
  workspaceId,
  kind: 'issue',
  id,
});
