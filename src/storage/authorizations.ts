/**
 * Programs that people authorized. Each step is one statement that also checks the previous state, so that exactly one
 * of many simultaneous callers succeeds; the resulting credentials end in the same commit as the authorization.
 */
import type { Kysely } from 'kysely';
import type {
  Authorization,
  AuthorizationChanges,
  AuthorizationTable,
  ClientTable,
  RegisteredClient,
} from '../domain/authorization.js';
import type { PrincipalRef } from '../domain/principal.js';
import type { SystemStorage } from '../domain/storage.js';
import { compact, decodeJson, encodeJson, encodeOptionalTime, encodePrincipal, encodeTime } from './codec.js';
import type { AuthorizationRow, OAuthClientRow, Schema } from './schema.js';
import type { Scope } from './scope.js';

export function createAuthorizations(scope: Scope): AuthorizationTable {
  const live = (id: string, status: Authorization['status'], now: string) =>
    scope
      .updateTable('authorizations')
      .where('id', '=', id)
      .where('status', '=', status)
      .where('expires_at', '>', encodeTime(now));

  return {
    async insert(authorization) {
      await scope.insertInto('authorizations', fromAuthorization(authorization)).execute();
    },
    async find(id) {
      const row = await scope.selectFrom('authorizations').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAuthorization(row);
    },
    async agree(id, { hash, expiresAt }, now) {
      const agreed = { status: 'agreed', secret_hash: hash, expires_at: encodeTime(expiresAt) } as const;
      return (await live(id, 'asked', now).set(agreed).executeTakeFirst()).numUpdatedRows === 1n;
    },
    async redeem(id, expiresAt, now) {
      const times = { expires_at: encodeTime(expiresAt), exchanged_at: encodeTime(now) };
      const exchanged = { status: 'exchanged', ...times } as const;
      return (await live(id, 'agreed', now).set(exchanged).executeTakeFirst()).numUpdatedRows === 1n;
    },
    async refuse(id, now) {
      const gone = scope.deleteFrom('authorizations').where('id', '=', id).where('status', '=', 'asked');
      return (await gone.where('expires_at', '>', encodeTime(now)).executeTakeFirst()).numDeletedRows === 1n;
    },
  };
}

/** For use inside a configuration change. */
export function createAuthorizationChanges(scope: Scope): AuthorizationChanges {
  return {
    async spendCredential(id, at) {
      const spent = scope
        .updateTable('credentials')
        .set({ revoked_at: encodeTime(at) })
        .where('id', '=', id);
      return (await spent.where('revoked_at', 'is', null).executeTakeFirst()).numUpdatedRows === 1n;
    },
    async extendAuthorization(id, expiresAt) {
      const open = scope.updateTable('authorizations').where('id', '=', id).where('status', '=', 'exchanged');
      const result = await open.set({ expires_at: encodeTime(expiresAt) }).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async endAuthorization(id, at) {
      const open = scope.updateTable('authorizations').where('id', '=', id).where('status', '<>', 'ended');
      const result = await open.set({ status: 'ended' }).executeTakeFirst();
      await scope
        .updateTable('credentials')
        .set({ revoked_at: encodeTime(at) })
        .where('authorization_id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      return result.numUpdatedRows === 1n;
    },
  };
}

export function systemAuthorizations(db: Kysely<Schema>): Pick<SystemStorage, 'clients' | 'findAuthorization'> {
  return {
    clients: createClients(db),
    async findAuthorization(secretHash) {
      const query = db.selectFrom('authorizations').selectAll().where('secret_hash', '=', secretHash);
      const row = await query.executeTakeFirst();
      return row && toAuthorization(row);
    },
  };
}

function createClients(db: Kysely<Schema>): ClientTable {
  return {
    async insert(client) {
      await db.insertInto('oauth_clients').values(fromClient(client)).execute();
    },
    async find(id, now) {
      const row = await db
        .selectFrom('oauth_clients')
        .selectAll()
        .where('id', '=', id)
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', encodeTime(now))]))
        .executeTakeFirst();
      return row && toClient(row);
    },
    async keep(id) {
      await db.updateTable('oauth_clients').set({ expires_at: null }).where('id', '=', id).execute();
    },
    async countUnused() {
      const count = db.selectFrom('oauth_clients').select((is) => is.fn.countAll<string>().as('count'));
      return Number((await count.where('expires_at', 'is not', null).executeTakeFirstOrThrow()).count);
    },
  };
}

/** Returns the number of deleted rows. All rows of an authorization expire before it does. */
export async function purgeAuthorizations(db: Kysely<Schema>, now: string): Promise<bigint> {
  const spent = db.deleteFrom('credentials').where('authorization_id', 'is not', null).where('expires_at', '<=', now);
  const clients = db.deleteFrom('oauth_clients').where('expires_at', '<=', now);
  const ended = db.deleteFrom('authorizations').where('expires_at', '<=', now);
  let gone = 0n;
  for (const query of [spent, clients, ended]) gone += (await query.executeTakeFirst()).numDeletedRows;
  return gone;
}

function toAuthorization(row: AuthorizationRow): Authorization {
  return compact({
    id: row.id,
    workspaceId: row.workspace_id,
    status: row.status,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    agentId: row.agent_id,
    user: decodeJson<PrincipalRef>(row.person),
    resource: row.resource,
    scopes: decodeJson<Authorization['scopes']>(row.scopes),
    challenge: row.challenge,
    state: row.state,
    secretHash: row.secret_hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    parentId: row.parent_id,
    exchangedAt: row.exchanged_at,
  });
}

function fromAuthorization(authorization: Authorization): Omit<AuthorizationRow, 'workspace_id'> {
  return {
    id: authorization.id,
    status: authorization.status,
    client_id: authorization.clientId,
    client_name: authorization.clientName,
    redirect_uri: authorization.redirectUri,
    agent_id: authorization.agentId ?? null,
    person: encodePrincipal(authorization.user),
    resource: authorization.resource,
    scopes: encodeJson(authorization.scopes),
    challenge: authorization.challenge,
    state: authorization.state ?? null,
    secret_hash: authorization.secretHash,
    created_at: encodeTime(authorization.createdAt),
    expires_at: encodeTime(authorization.expiresAt),
    parent_id: authorization.parentId ?? null,
    exchanged_at: encodeOptionalTime(authorization.exchangedAt),
  };
}

function toClient(row: OAuthClientRow): RegisteredClient {
  const redirectUris = decodeJson<string[]>(row.redirect_uris);
  return compact({ id: row.id, name: row.name, redirectUris, createdAt: row.created_at, expiresAt: row.expires_at });
}

function fromClient({ id, name, redirectUris, createdAt, expiresAt }: RegisteredClient): OAuthClientRow {
  return {
    id,
    name,
    redirect_uris: encodeJson(redirectUris),
    created_at: encodeTime(createdAt),
    expires_at: encodeOptionalTime(expiresAt),
  };
}
