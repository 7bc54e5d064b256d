/**
 * Pending approvals whose call has changed since a person was asked: approving them would run nothing, so they end when somebody looks at
 * them. A list may have hundreds, so what a tool means now is worked out once for all approvals of it, and only if it is at hand.
 */
import { setTimeout } from 'node:timers/promises';
import type { StoredApproval } from '../../domain/approval.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { NamedTool } from '../../flows/calling/index.js';
import { findUnvouchedSignIn, hashMeaning } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { getGrants, lookUpConnection } from '../../grants/index.js';

type Parts = Pick<PlaneParts, 'approvals' | 'catalogue' | 'findSetup' | 'now' | 'runs'>;

/** A list waits no longer than this for a document or a server: a later look finds out. */
const patienceMs = 100;

/** `configuration`: the present one. Returns the approvals in their order, with those that it has ended as they are then. */
export async function endChanged(
  parts: Parts,
  configuration: WorkspaceConfiguration,
  stored: readonly StoredApproval[],
): Promise<readonly StoredApproval[]> {
  const now = parts.now().toISOString();
  if (!stored.some((one) => isPending(one, now))) return stored;
  const { workspaceId } = configuration;
  const findChange = createChangeFinder(parts, configuration);
  const looked = stored.map(async (one) => {
    const change = isPending(one, now) ? await findChange(one) : undefined;
    return change === undefined ? one : parts.approvals(workspaceId).withdraw(one, change);
  });
  const present = await Promise.all(looked);
  // A run that waits for one of them asks again.
  if (present.some((one, at) => one !== stored[at])) parts.runs.wake(workspaceId);
  return present;
}

const isPending = ({ status, expiresAt }: StoredApproval, now: string): boolean =>
  status === 'pending' && expiresAt > now;

/** Finds out what has changed, in the words of a person; undefined if nothing has, or if that cannot be told now. */
function createChangeFinder(parts: Parts, configuration: WorkspaceConfiguration) {
  const meanings = new Map<string, Promise<string | undefined>>();
  return async (approval: StoredApproval): Promise<string | undefined> => {
    const { connectionId, requestedAt, meaning } = approval;
    if (approval.policyVersion !== configuration.policyVersion)
      return 'The policies have changed since it was asked for';
    const signedInAt = findUnvouchedSignIn(lookUpConnection(configuration, connectionId));
    if (signedInAt !== undefined && signedInAt > requestedAt)
      return 'Its account has signed in again since it was asked for, and the service does not say whose account it is';
    if (meaning === undefined) return undefined;
    const { principal, toolkit, tool } = approval;
    const key = JSON.stringify([principal.kind, principal.id, toolkit, tool, connectionId]);
    const known = meanings.get(key) ?? readPresentMeaning(parts, configuration, approval);
    meanings.set(key, known);
    const present = await known;
    return present === undefined || present === meaning
      ? undefined
      : 'The definition, tool_config or settings of its tool have changed since it was asked for';
  };
}

/** As an approval that is asked for now would store it; undefined if the tool is not at hand. */
async function readPresentMeaning(
  parts: Parts,
  configuration: WorkspaceConfiguration,
  { principal, toolkit, tool: name, connectionId }: StoredApproval,
): Promise<string | undefined> {
  const entry = await findTool(parts, configuration.workspaceId, { toolkit, name, connectionId });
  if (!entry) return undefined;
  const { tool } = entry;
  const grants = principal.kind === 'agent' && !tool.intrinsic ? getGrants(configuration, principal.id) : [];
  const { config = {} } = grants.find((one) => one.toolkit === toolkit && one.connectionId === connectionId) ?? {};
  const connection = lookUpConnection(configuration, connectionId);
  const own = Object.hasOwn(config, name) ? config[name] : undefined;
  return (await hashMeaning({ tool, config: own ?? {}, connection }, parts)) ?? '';
}

interface Wanted {
  readonly toolkit: string;
  readonly name: string;
  readonly connectionId: string | undefined;
}

async function findTool(
  { catalogue }: Parts,
  workspaceId: string,
  { toolkit, name, connectionId }: Wanted,
): Promise<NamedTool | undefined> {
  const target = connectionId === undefined ? { toolkit } : { toolkit, connectionId };
  const over = new AbortController();
  const atHand = catalogue(workspaceId, [target]).then(
    (found) => found.findIn(toolkit, connectionId, name),
    () => undefined,
  );
  const tooLong = setTimeout(patienceMs, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  return Promise.race([atHand, tooLong]).finally(() => over.abort());
}
