/** Somebody who is invited, and the link with which they sign in, once. */
import { HelveError } from '../../domain/errors.js';
import type { NewUser, SignInLink } from '../../domain/people.js';
import type { Principal, User } from '../../domain/principal.js';
import { rolePermissions } from '../../domain/roles.js';
import type { PlaneParts } from '../../flows/parts.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';

const linkSeconds = 24 * 3_600;

/** Throws `conflict` if the workspace is no longer at the `revision` at which the person was looked up. */
export async function issueLink(
  parts: PlaneParts,
  by: Principal,
  { id, name, role, revision }: User & { readonly revision?: number },
): Promise<SignInLink> {
  const options = { name: `sign-in link for ${name}`, expiresInSeconds: linkSeconds, ...defined({ revision }) };
  const directory = parts.directory(by.workspaceId);
  const { secret, credential } = await directory.issue(by, 'admin_link', id, options, rolePermissions[role]);
  const path = `/admin/login?token=${secret}`;
  return { link: parts.accounts.publicUrl(path) ?? path, ...defined({ expiresAt: credential.expiresAt }) };
}

/** Throws `invalid_input` for a name or an address that is none. */
export function newUser({ name, email, role }: NewUser, at: Date): User {
  const facts = { id: newId(), name: readName(name), role, status: 'invited', createdAt: at.toISOString() } as const;
  return { ...facts, ...defined({ email: email && readEmail(email) }) };
}

/** Throws `invalid_input`. */
export function readName(name: string): string {
  const plain = name.trim();
  if (plain !== '' && plain.length <= 100 && !/\p{Cc}/u.test(plain)) return plain;
  throw new HelveError('invalid_input', 'A name has 1 to 100 visible characters');
}

/** Throws `invalid_input`. */
export function readEmail(email: string): string {
  const plain = email.trim();
  if (plain.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(plain)) return plain;
  throw new HelveError('invalid_input', `${JSON.stringify(plain.slice(0, 100))} is not an e-mail address`);
}
