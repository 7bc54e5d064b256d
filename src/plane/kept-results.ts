/** A kept result is read under what holds now: grants, policies and the account, for the arguments that it came of. */
import { knowsAccount } from '../grants/index.js';
import type { CallerFacts } from '../spec/context.js';
import type { Decision } from '../spec/grant.js';
import { agentPermissions, allPermissions, type Principal } from '../spec/principal.js';
import type { StoredResult } from '../spec/storage.js';
import { freshCatalogue } from './calls.js';
import { decideCall } from './decision.js';
import type { PlaneParts } from './parts.js';

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
