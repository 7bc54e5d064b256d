/** A stored result is read under the present grants, policies and account, for the arguments that produced it. */

import type { CallerFacts } from '../../domain/context.js';
import type { Decision } from '../../domain/grant.js';
import { agentPermissions, allPermissions, type Principal } from '../../domain/principal.js';
import type { StoredResult } from '../../domain/storage.js';
import { decideCall } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshCatalogue } from '../../flows/workspaces/index.js';
import { knowsAccount } from '../../grants/index.js';
import { defined } from '../../util/defined.js';

export async function decideKept(
  parts: Pick<PlaneParts, 'configurations' | 'catalogue'>,
  caller: CallerFacts,
  { toolkit, tool: name, connectionId, input }: StoredResult,
): Promise<Decision> {
  const target = { toolkit, ...defined({ connectionId }) };
  const { configuration, catalogue } = await freshCatalogue(parts, caller.workspaceId, [target]);
  const found = catalogue.findIn(toolkit, connectionId, name);
  // The caller has got as far as this call: other permissions were checked there.
  const principal: Principal = { ...caller, permissions: caller.kind === 'agent' ? agentPermissions : allPermissions };
  if (!found || !knowsAccount(configuration, principal, connectionId))
    return { effect: 'deny', rule: 'tool.unknown', reason: 'the tool no longer exists' };
  return decideCall({ configuration, principal, tool: found.tool, connectionId, input }).decision;
}
