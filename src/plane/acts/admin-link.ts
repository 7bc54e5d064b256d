/** The workspace's admin, and the one-time sign-in link for them. */
import type { AuditDraft } from '../../domain/audit.js';
import type { IssuedCredential } from '../../domain/plane.js';
import { allPermissions, type Principal, type PrincipalRef, type User } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { newId } from '../../util/hash.js';

const linkSeconds = 15 * 60;

/** Returns the workspace's admin; creates it on first use. */
export async function ensureAdmin(parts: PlaneParts, workspaceId: string, by: PrincipalRef): Promise<Principal> {
  const workspace = parts.storage.workspace(workspaceId);
  const known = (await workspace.listUsers()).find(({ role, status }) => role === 'admin' && status !== 'disabled');
  const createdAt = parts.now().toISOString();
  const user: User = known ?? { id: newId(), name: 'admin', role: 'admin', status: 'active', createdAt };
  if (!known) {
    const { kind, id, name } = by;
    const actor = { kind, id, name };
    const row: AuditDraft = {
      type: 'user.created',
      at: user.createdAt,
      actor,
      body: { userId: user.id, role: user.role },
    };
    await workspace.change([row], (tables) => tables.insertUser(user));
  }
  return { kind: 'user', id: user.id, name: user.name, workspaceId, permissions: allPermissions };
}

export async function adminLink(parts: PlaneParts, by: Principal): Promise<IssuedCredential> {
  const admin = await ensureAdmin(parts, by.workspaceId, by);
  const options = { name: 'admin link', expiresInSeconds: linkSeconds };
  return parts.directory(by.workspaceId).issue(by, 'admin_link', admin.id, options);
}
