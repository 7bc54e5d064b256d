/** What people may do, by role. A person's permissions follow from their role at each request. */
import { allPermissions, type Credential, type Permission, type Role, type User } from './principal.js';

/**
 * `admin`: everything. `auditor`: reads everything and changes nothing. `member`: their own accounts, the calls that are made
 * with them as far as a person must approve them, and what is in the catalogue.
 */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  admin: allPermissions,
  auditor: allPermissions.filter((permission) => permission.endsWith(':read')),
  member: ['tools:read', 'connections:read', 'connections:write', 'approvals:read', 'approvals:decide'],
};

export const roles = Object.keys(rolePermissions) as readonly Role[];

/** The part of a person's principal that follows from their role. */
export function readRole({ role }: Pick<User, 'role'>): {
  readonly permissions: readonly Permission[];
  readonly ownAccountsOnly?: true;
} {
  return { permissions: rolePermissions[role], ...(role === 'member' ? { ownAccountsOnly: true } : {}) };
}

/** What a credential that is its own principal may do: its role decides, if it has one. */
export function readKey({ role, permissions }: Pick<Credential, 'role' | 'permissions'>): ReturnType<typeof readRole> {
  return role === undefined ? { permissions } : readRole({ role });
}
