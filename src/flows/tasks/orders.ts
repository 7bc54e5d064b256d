/** Who ordered a merge, and with which account. Both are stored with the order and checked again when it is carried out. */
import { principalRef } from '../../audit/index.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { agentPrincipal, type Principal, type PrincipalRef } from '../../domain/principal.js';
import { mayNotActFor } from '../../principals/index.js';
import { defined } from '../../util/defined.js';
import { didYouMean, nearest } from '../../util/nearest.js';
import { decideCall, type NamedTool } from '../calling/index.js';
import { freshCatalogue } from '../workspaces/index.js';
import type { TaskParts } from './parts.js';
import { findPresentRights } from './present-rights.js';

/** How an order is kept. */
export interface StoredOrder {
  readonly by: PrincipalRef;
  readonly onBehalfOf?: PrincipalRef;
  /** Id of the connection. */
  readonly account: string;
}

type Parts = Pick<TaskParts, 'storage' | 'configurations' | 'catalogue' | 'now'>;

interface WantedTool {
  /** Default: `github`. */
  readonly toolkit?: string;
  readonly name: string;
  /** Absent: any arguments. */
  readonly input?: JsonObject;
  /** Whether tools that need a person's approval are excluded. */
  readonly isUnasked?: boolean;
}

/** The tools of this name that the principal may call, one for each account. */
async function findTools(
  parts: Parts,
  principal: Principal,
  { toolkit = 'github', name, input, isUnasked = false }: WantedTool,
): Promise<readonly NamedTool[]> {
  const { catalogue, configuration } = await freshCatalogue(parts, principal.workspaceId);
  return catalogue.entries.filter(({ tool, connectionId }) => {
    if (connectionId === undefined || tool.id.toolkit !== toolkit || tool.id.name !== name) return false;
    const { effect } = decideCall({ configuration, principal, tool, connectionId, ...defined({ input }) }).decision;
    return isUnasked ? effect === 'allow' : effect !== 'deny';
  });
}

/**
 * Chooses the GitHub account with which the principal's order is carried out. `account`: its slug or id; needed if
 * there are several. Throws `not_found` and `ambiguous`.
 */
export async function makeOrder(parts: Parts, principal: Principal, account: string | undefined): Promise<JsonObject> {
  const usable = (await findTools(parts, principal, { name: mergeTool })).flatMap(({ connectionId = '', name }) => {
    return { id: connectionId, slug: name.slice(0, name.lastIndexOf('__')) };
  });
  const fitting = account === undefined ? usable : usable.filter(({ id, slug }) => id === account || slug === account);
  const [chosen, ...others] = fitting;
  const slugs = usable.map(({ slug }) => slug);
  if (!chosen) {
    const near = account === undefined ? undefined : nearest(account, slugs);
    throw new HelveError(
      'not_found',
      `There is no account of GitHub${account === undefined ? '' : ` named ${account.slice(0, 100)}`} that ${principal.name} may merge with`,
      {
        hint: didYouMean(near, 'Connect one, or name one that you may use.'),
      },
    );
  }
  if (others.length > 0)
    throw new HelveError('ambiguous', `${principal.name} may merge with several accounts of GitHub`, {
      hint: `Name one as account: ${slugs.join(', ')}.`,
    });
  const { onBehalfOf } = principal;
  return {
    by: { ...principalRef(principal) },
    account: chosen.id,
    ...defined({ onBehalfOf: onBehalfOf && { ...onBehalfOf } }),
  };
}

export const mergeTool = 'merge_pull_request';

/** Returns the person who gave the order, with their current rights; or the reason if there is none. */
export async function findOrderer(
  { storage, now }: Parts,
  workspaceId: string,
  { by, onBehalfOf }: StoredOrder,
): Promise<Principal | string> {
  const workspace = storage.workspace(workspaceId);
  const gone = (who: PrincipalRef) => `${who.name}, who ordered it, no longer has access`;
  if (by.kind !== 'agent') {
    const rights = await findPresentRights(workspace, by, now());
    return rights ? { ...principalRef(by), workspaceId, ...rights } : gone(by);
  }
  const agent = await workspace.findAgent(by.id);
  const isPersonGone = onBehalfOf !== undefined && (await mayNotActFor(workspace, onBehalfOf, now()));
  if (!agent || isPersonGone) return gone(onBehalfOf ?? by);
  return { ...agentPrincipal(agent, workspaceId), ...defined({ onBehalfOf }) };
}

/** The name of a tool with this account, an id; undefined if the principal may not call it. */
export async function toolFor(
  parts: Parts,
  principal: Principal,
  { account, ...wanted }: WantedTool & { readonly account: string },
): Promise<string | undefined> {
  return (await findTools(parts, principal, wanted)).find(({ connectionId }) => connectionId === account)?.name;
}
