/** A kept result is read under what holds now: grants, policies and the account, for the arguments that it came of. */

import type { CallerFacts } from '../../domain/context.js';
import type { Decision } from '../../domain/grant.js';
import { agentPermissions, allPermissions, type Principal } from '../../domain/principal.js';
import type { StoredResult } from '../../domain/storage.js';
import { decideCall } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshCatalogue } from '../../flows/workspaces/index.js';
import { knowsAccount } from '../../grants/index.js';

export async function decideKept(
  parts: Pick<PlaneParts, 'configurations' | 'catalogue'>,
  caller: CallerFacts,
  { toolkit, tool: name, connectionId, input }: StoredResult,
): Promise<Decision> {
  const { configuration, catalogue } = await freshCatalogue(parts, caller.workspaceId);
  const found = catalogue.entries.find(
    ({ tool: { id }, connectionId: account }) => id.toolkit === toolkit && id.name === name && account === connectionId,
  );
  // The caller has come as far as this call: what it lacks otherwise was asked there.
  const principal: Principal = { ...caller, permissions: caller.kind === 'agent' ? agentPermissions : allPermissions };
  if (!found || !knowsAccount(configuration, principal, connectionId))
    return { effect: 'deny', rule: 'tool.unknown', reason: 'the tool is not there any more' };
  return decideCall({ configuration, principal, tool: found.tool, connectionId, input }).decision;
}
