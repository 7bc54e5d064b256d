/** The workspace's admin, and the one-time link that signs them in. */
import type { AuditDraft } from '../spec/audit.js';
import type { IssuedCredential } from '../spec/plane.js';
import { allPermissions, type Principal, type PrincipalRef } from '../spec/principal.js';
import { newId } from '../util/hash.js';
import type { PlaneParts } from './parts.js';

const linkSeconds = 15 * 60;

/** The workspace's admin; made on first use. */
export async function ensureAdmin(parts: PlaneParts, workspaceId: string, by: PrincipalRef): Promise<Principal> {
  const workspace = parts.storage.workspace(workspaceId);
  const [known] = await workspace.listUsers();
  const user = known ?? { id: newId(), name: 'admin', role: 'admin' as const, createdAt: parts.now().toISOString() };
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
    parts.configurations.changed(workspaceId);
  }
  return { kind: 'user', id: user.id, name: user.name, workspaceId, permissions: allPermissions };
}

export async function adminLink(parts: PlaneParts, by: Principal): Promise<IssuedCredential> {
  const admin = await ensureAdmin(parts, by.workspaceId, by);
  const options = { name: 'admin link', expiresInSeconds: linkSeconds };
  const issued = await parts.directory(by.workspaceId).issue(by, 'admin_link', admin.id, options);
  parts.configurations.changed(by.workspaceId);
  return issued;
}
