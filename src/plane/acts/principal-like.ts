/** The ways in which trusted code in this process names the caller. */
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import { agentPrincipal, type Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { systemPrincipal } from '../../flows/workspaces/index.js';
import { ensureAdmin } from './admin-link.js';

/** A principal, a secret, or a name. `{ user: 'admin' }` is the workspace's admin. */
export type PrincipalLike =
  | Principal
  | string
  | { readonly agent: string; readonly workspace?: string }
  | { readonly user: 'admin'; readonly workspace?: string };

/** Creates the function that resolves a principal, a secret or a name. It throws `unauthenticated`, `not_found`, and `invalid_input` for anything else. */
export function createPrincipalResolver(parts: PlaneParts, plane: Plane): (who: PrincipalLike) => Promise<Principal> {
  return async (who) => {
    if (typeof who === 'string') return plane.authenticate(who);
    if (!isNamed(who))
      throw new HelveError('invalid_input', 'principal: nobody is named who calls', {
        hint: "Give a token, { agent: 'name' }, { user: 'admin' } or a principal.",
      });
    if ('workspaceId' in who) return who;
    const name = who.workspace ?? 'default';
    const workspace = await parts.storage.system.findWorkspace(name);
    if (!workspace)
      throw new HelveError('not_found', `There is no workspace ${JSON.stringify(name)}`, {
        hint: 'Create it with helve.ensureWorkspace().',
      });
    if ('user' in who) return ensureAdmin(parts, workspace.id, systemPrincipal(workspace.id));
    const agent = await parts.directory(workspace.id).agent(who.agent);
    return agentPrincipal(agent, workspace.id);
  };
}

/** Programs without types give anything. Of people, only the admin has a name here: another one must not call as the admin. */
function isNamed(who: Exclude<PrincipalLike, string> | null | undefined): who is Exclude<PrincipalLike, string> {
  if (typeof who !== 'object' || who === null) return false;
  if ('workspaceId' in who) return true;
  return 'user' in who ? who.user === 'admin' : typeof who.agent === 'string';
}
