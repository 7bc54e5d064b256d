/** Several workspaces in one installation: the people of the first one add others, and see nothing that is in them. */
import { HelveError } from '../../domain/errors.js';
import type { Principal, User, Workspace } from '../../domain/principal.js';
import { firstWorkspace, type WorkspaceActs } from '../../domain/workspaces.js';
import type { PlaneParts } from '../../flows/parts.js';
import { changedInLine, draft, systemPrincipal } from '../../flows/workspaces/index.js';
import { newId } from '../../util/hash.js';
import { issueLink, newUser, readName } from './invite.js';

export function createWorkspaceActs(parts: PlaneParts): WorkspaceActs {
  const { storage, journal, now } = parts;

  async function getOwn({ workspaceId }: Principal): Promise<Workspace> {
    const own = await storage.system.findWorkspace(workspaceId);
    if (own?.id === workspaceId) return own;
    throw new HelveError('not_found', 'There is no such workspace');
  }

  /** Makes the row, or finds one, which an earlier attempt may have left without people. */
  async function ensureRow(slug: string, name: string): Promise<Workspace> {
    const at = now();
    const wanted: Workspace = { id: newId(), slug, name, createdAt: at.toISOString() };
    const event = draft('workspace.created', systemPrincipal(wanted.id), at, { slug, name });
    return (await storage.system.createWorkspace(wanted, [event])).workspace;
  }

  /** Throws `conflict` if it has people: of several callers at the same time, only one adds its admin. */
  const addFirst = ({ id, slug }: Workspace, user: User): Promise<void> =>
    changedInLine(parts, id, async ({ revision }) => {
      const tables = storage.workspace(id);
      if ((await tables.listUsers()).length > 0)
        throw new HelveError('conflict', `There is already a workspace ${slug}`, { hint: 'Choose another slug.' });
      const body = { userId: user.id, name: user.name, role: user.role };
      const event = draft('user.created', systemPrincipal(id), now(), body);
      await tables.change([event], ({ insertUser }) => insertUser(user), revision);
    });

  return {
    async workspaces(principal) {
      const own = await getOwn(principal);
      return own.slug === firstWorkspace ? storage.system.listWorkspaces() : [own];
    },
    async createWorkspace(principal, { slug, name = slug, admin }) {
      const own = await getOwn(principal);
      if (own.slug !== firstWorkspace) throw notOfInstallation();
      checkSlug(slug);
      const user: User = newUser({ ...admin, role: 'admin' }, now());
      const workspace = await ensureRow(slug, readName(name));
      await addFirst(workspace, user);
      // The caller's own record says who did it; that of the new workspace does not name people of another.
      const body = { workspaceId: workspace.id, slug, name: workspace.name };
      await journal.append({ workspaceId: own.id, events: [draft('workspace.created', principal, now(), body)] });
      return { workspace, user, ...(await issueLink(parts, systemPrincipal(workspace.id), user)) };
    },
  };
}

function checkSlug(slug: unknown): void {
  if (typeof slug === 'string' && /^[a-z][a-z0-9-]{0,31}$/.test(slug)) return;
  throw new HelveError('invalid_input', `${JSON.stringify(String(slug).slice(0, 100))} is not a workspace slug`, {
    hint: 'Use lower-case letters, digits and -, starting with a letter, at most 32 characters.',
  });
}

function notOfInstallation(): HelveError {
  return new HelveError('forbidden', 'Only admins of the installation add workspaces', {
    hint: `Ask an admin of the workspace ${firstWorkspace}.`,
  });
}
