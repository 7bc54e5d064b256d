/** Whether a task source works: for whom it acts, and with which account. Checked each time, because either may be removed. */
import type { Connection } from '../../../domain/connection.js';
import type { Principal, PrincipalRef } from '../../../domain/principal.js';
import type { TaskSource } from '../../../domain/task-source.js';
import { isVisible } from '../../../grants/index.js';
import { findPresentRights } from '../present-rights.js';
import type { SourceParts } from './parts.js';

type StandingParts = Pick<SourceParts, 'storage' | 'configurations' | 'now'>;

/** What the creator of a source must be allowed to do. */
const needed = ['tools:call', 'agents:act'] as const;

/** The person or key of a source with the rights that they have now; or why nobody acts for it. */
export async function findSourcePerson(
  { storage, now }: Pick<StandingParts, 'storage' | 'now'>,
  workspaceId: string,
  { createdBy }: Pick<TaskSource, 'createdBy'>,
): Promise<Principal | string> {
  const rights = await findPresentRights(storage.workspace(workspaceId), createdBy, now());
  if (!rights) return describeGone(createdBy);
  const missing = needed.find((permission) => !rights.permissions.includes(permission));
  if (missing !== undefined) return `${createdBy.name}, who made the source, no longer has the permission ${missing}`;
  const own = createdBy.kind === 'user' ? {} : { credentialId: createdBy.id };
  return { ...createdBy, workspaceId, ...rights, ...own };
}

const describeGone = ({ kind, name }: PrincipalRef): string =>
  kind === 'user'
    ? `${name}, who made the source, cannot sign in any more`
    : `The key ${name}, with which the source was made, has ended`;

/** The account with which the source writes back; or why it cannot. */
export async function findSourceAccount(
  { configurations }: Pick<StandingParts, 'configurations'>,
  person: Principal,
  { connectionId, provider }: Pick<TaskSource, 'connectionId' | 'provider'>,
): Promise<Connection | string> {
  const { connections } = await configurations.getFresh(person.workspaceId);
  const found = connections.find(({ id }) => id === connectionId);
  if (!found)
    return `The account of ${provider} with which it wrote was removed: make the source again with another one`;
  if (!isVisible(found, person))
    return `${person.name} may no longer use the account of ${provider} with which it writes`;
  if (found.status === 'active') return found;
  return `The account of ${provider} with which it writes is ${found.status}: connect it again`;
}

/** Why a source does not work; undefined if it does. */
export async function findProblem(
  parts: StandingParts,
  workspaceId: string,
  source: TaskSource,
): Promise<string | undefined> {
  const person = await findSourcePerson(parts, workspaceId, source);
  if (typeof person === 'string') return `${person}. Its deliveries are not acted on.`;
  if (source.provider === 'trigger') return findTriggerProblem(parts, person, source);
  const account = await findSourceAccount(parts, person, source);
  return typeof account === 'string' ? `${account}. Outcomes are not written back.` : undefined;
}

/**
 * The events of a subscription belong to its account: whoever may no longer use the account learns nothing about them.
 */
async function findTriggerProblem(
  parts: StandingParts,
  person: Principal,
  source: TaskSource,
): Promise<string | undefined> {
  const subscriptions = await parts.storage.workspace(person.workspaceId).triggers.list();
  if (!subscriptions.some(({ id }) => id === source.scope))
    return 'The subscription of its events has ended: subscribe again, and make the source again.';
  const account = await findSourceAccount(parts, person, source);
  return typeof account === 'string' ? `${account}. Its events are not acted on.` : undefined;
}
