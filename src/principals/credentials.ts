/** The credentials of one workspace: issue, list, revoke. Every change writes its audit row in the same commit. */
import type { AuditDraft, AuditEventType } from '../domain/audit.js';
import { HelveError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import type { IssuedCredential, IssueOptions } from '../domain/plane.js';
import {
  agentPermissions,
  allPermissions,
  type Credential,
  type CredentialKind,
  type Permission,
  type Principal,
  type PrincipalRef,
  type Role,
} from '../domain/principal.js';
import { readKey } from '../domain/roles.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import { isLive, newCredential } from './secrets.js';

export interface CredentialActs {
  /**
   * A credential created from an API key ends with that key at the latest. Throws `unauthenticated` if that key has
   * already ended, and `conflict` if the workspace is no longer at the `revision`.
   */
  issue(
    by: Issuer,
    kind: CredentialKind,
    principalId: string | undefined,
    options: IssueOptions & { readonly revision?: number; readonly role?: Role },
    permissions?: readonly Permission[],
  ): Promise<IssuedCredential>;
  /** Throws `not_found`. */
  credential(id: string): Promise<Credential>;
  /** Revokes a credential and everything issued from it. Throws `not_found`. */
  revoke(by: PrincipalRef, credentialId: string, reason?: string): Promise<void>;
  /** Ends every live session of a user, in one commit; returns how many there were. */
  endSessions(by: PrincipalRef, userId: string): Promise<number>;
  credentials(): Promise<Omit<Credential, 'hash'>[]>;
}

/** `credentialId`: the credential that they presented; absent for trusted code in this process. */
type Issuer = PrincipalRef & Pick<Principal, 'credentialId'>;

export function createRows(now: () => Date) {
  return (
    type: AuditEventType,
    { kind, id, name, onBehalfOf }: PrincipalRef & Pick<Principal, 'onBehalfOf'>,
    body: JsonObject,
  ): AuditDraft => ({
    type,
    at: now().toISOString(),
    actor: { kind, id, name },
    ...defined({ onBehalfOf }),
    body,
  });
}

export function createCredentialActs(workspace: WorkspaceStorage, now: () => Date): CredentialActs {
  const row = createRows(now);
  return {
    async issue(by, kind, principalId, options, permissions = permissionsFor(kind)) {
      const parent = await keyBehind(workspace, by);
      const { stored, issued } = newCredential(kind, principalId, permissions, options, now(), parent);
      const { id: credentialId, expiresAt, parentId } = issued.credential;
      const body: JsonObject = {
        credentialId,
        kind,
        principalId: stored.principalId,
        permissions: [...permissions],
        ...defined({ expiresAt, parentId, role: options.role }),
      };
      const rows = [row('credential.created', by, body)];
      await workspace.change(rows, (tables) => tables.insertCredential(stored), options.revision);
      return issued;
    },
    async credential(id) {
      return (await workspace.findCredential(id)) ?? noCredential();
    },
    async revoke(by, credentialId, reason) {
      const body = { credentialId, ...defined({ reason }) };
      const revoked = await workspace.change([row('credential.revoked', by, body)], (tables) =>
        tables.revokeCredential(credentialId, now().toISOString()),
      );
      if (!revoked) noCredential();
    },
    async endSessions(by, userId) {
      const mine = (await workspace.listCredentials()).filter(
        (one) => one.kind === 'session' && one.principalId === userId && isLive(one, now()),
      );
      const rows = mine.map(({ id: credentialId }) => row('credential.revoked', by, { credentialId }));
      await workspace.change(rows, async (tables) => {
        for (const { id } of mine) await tables.revokeCredential(id, now().toISOString());
      });
      return mine.length;
    },
    async credentials() {
      const all = await workspace.listCredentials();
      // Programs renew their tokens every hour: spent ones would crowd out the rest.
      const listed = all.filter((one) => one.authorizationId === undefined || isLive(one, now()));
      return listed.map(({ hash: _, ...shown }) => ({ ...shown, ...pickPermissions(shown) }));
    },
  };
}

/** Returns the API key that the caller presented, or that their link or session was created from. */
export async function keyBehind(
  workspace: WorkspaceStorage,
  { credentialId }: Pick<Principal, 'credentialId'>,
): Promise<Credential | undefined> {
  const shown = credentialId === undefined ? undefined : await workspace.findCredential(credentialId);
  if (shown === undefined || shown.kind === 'api_key') return shown;
  return shown.parentId === undefined ? undefined : workspace.findCredential(shown.parentId);
}

function pickPermissions(credential: Pick<Credential, 'role' | 'permissions'>): Pick<Credential, 'permissions'> {
  return { permissions: readKey(credential).permissions };
}

function noCredential(): never {
  throw new HelveError('not_found', 'There is no live credential with this id', {
    hint: 'List the credentials for their ids.',
  });
}

function permissionsFor(kind: CredentialKind): readonly Permission[] {
  return kind === 'agent_token' ? agentPermissions : kind === 'api_key' ? [] : allPermissions;
}
