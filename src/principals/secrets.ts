/** Secrets of principals: created here, shown once, stored only as a hash. */
import type { IssuedCredential, IssueOptions } from '../domain/plane.js';
import type { Credential, CredentialKind, Permission, Role } from '../domain/principal.js';
import { defined } from '../util/defined.js';
import { newId, newSecret, sha256 } from '../util/hash.js';

const prefixes: Readonly<Record<CredentialKind, string>> = {
  agent_token: 'helve_agent',
  user_token: 'helve_user',
  refresh_token: 'helve_refresh',
  api_key: 'helve_key',
  admin_link: 'helve_link',
  session: 'helve_session',
};

/** The form of a secret of any kind, as `newSecret` writes it: rejects junk before the store is queried. */
export const secretShape = /^helve_(?:agent|user|refresh|key|link|session)_[A-Za-z0-9_-]{43}$/;

export interface NewCredential {
  readonly stored: Credential;
  readonly issued: IssuedCredential;
}

/**
 * Creates a credential and its secret. It expires with `parent` at the latest. Without `principalId` it is its own
 * principal.
 */
export function newCredential(
  kind: CredentialKind,
  principalId: string | undefined,
  permissions: readonly Permission[],
  options: IssueOptions & { readonly role?: Role },
  now: Date,
  parent?: Pick<Credential, 'id' | 'expiresAt'>,
): NewCredential {
  const secret = newSecret(prefixes[kind]);
  const id = newId();
  const expiresAt = findEnd(options, now, parent);
  const { hash, ...shown }: Credential = {
    id,
    kind,
    // An API key is its own principal.
    principalId: principalId ?? id,
    name: options.name ?? kind.replace('_', ' '),
    hash: sha256(secret),
    prefix: secret.slice(0, prefixes[kind].length + 5),
    permissions,
    createdAt: now.toISOString(),
    ...defined({ expiresAt, role: options.role }),
    ...(parent === undefined ? {} : { parentId: parent.id }),
  };
  return { stored: { ...shown, hash }, issued: { credential: shown, secret } };
}

/** The requested expiry, but no later than that of the parent. */
function findEnd(
  { expiresInSeconds }: IssueOptions,
  now: Date,
  parent: Pick<Credential, 'expiresAt'> | undefined,
): string | undefined {
  const own = expiresInSeconds === undefined ? undefined : new Date(now.getTime() + expiresInSeconds * 1_000);
  // Undefined, which never ends, is sorted last.
  return [own?.toISOString(), parent?.expiresAt].sort()[0];
}

/** Whether a credential is neither revoked nor expired. */
export function isLive(credential: Credential, now: Date): boolean {
  return (
    credential.revokedAt === undefined &&
    (credential.expiresAt === undefined || credential.expiresAt > now.toISOString())
  );
}
