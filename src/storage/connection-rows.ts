/** Converts rows of accounts and of what belongs to them to nouns and back. */
import type { Account, Connection } from '../domain/connection.js';
import type { DefinitionPin } from '../domain/grant.js';
import type { JsonObject } from '../domain/json.js';
import type { PrincipalRef } from '../domain/principal.js';
import type { AuthConfig, OAuthFlow, StoredSecret } from '../domain/storage.js';
import {
  compact,
  decodeJson,
  encodeJson,
  encodeOptionalJson,
  encodeOptionalTime,
  encodePrincipal,
  encodeTime,
} from './codec.js';
import type { AuthConfigRow, ConnectionRow, DefinitionPinRow, OAuthFlowRow, SecretRow } from './schema.js';

type Row<T> = Omit<T, 'workspace_id'>;

export function toConnection(row: Row<ConnectionRow>): Connection {
  return compact({
    id: row.id,
    toolkit: row.toolkit,
    name: row.name,
    slug: row.slug,
    status: row.status,
    reason: row.reason,
    visibility: row.visibility,
    ownerId: row.owner_id,
    scheme: row.scheme,
    settings: decodeJson<JsonObject>(row.settings),
    account: row.account === null ? null : decodeJson<Account>(row.account),
    scopes: row.scopes === null ? null : decodeJson<string[]>(row.scopes),
    createdAt: row.created_at,
    connectedAt: row.connected_at,
  });
}

export function fromConnection(connection: Connection): Row<ConnectionRow> {
  return {
    id: connection.id,
    toolkit: connection.toolkit,
    name: connection.name,
    slug: connection.slug,
    status: connection.status,
    reason: connection.reason ?? null,
    visibility: connection.visibility,
    owner_id: connection.ownerId,
    scheme: connection.scheme,
    settings: encodeJson(connection.settings),
    account: encodeOptionalJson(connection.account),
    scopes: encodeOptionalJson(connection.scopes),
    created_at: encodeTime(connection.createdAt),
    connected_at: encodeOptionalTime(connection.connectedAt),
  };
}

export function toSecret(row: Row<SecretRow>): StoredSecret {
  return compact({
    sealed: row.sealed,
    keyId: row.key_id,
    version: row.version,
    expiresAt: row.expires_at,
    lock:
      row.lock_holder === null || row.lock_until === null ? null : { holder: row.lock_holder, until: row.lock_until },
    pause:
      row.retry_at === null || row.retry_since === null
        ? null
        : { since: row.retry_since, until: row.retry_at, failures: row.retry_failures },
  });
}

export function toFlow(row: OAuthFlowRow): OAuthFlow {
  return compact({
    id: row.id,
    workspaceId: row.workspace_id,
    connectionId: row.connection_id,
    ticketHash: row.ticket_hash,
    stateHash: row.state_hash,
    browserHash: row.browser_hash,
    sealed: row.sealed,
    keyId: row.key_id,
    startedBy: decodeJson<PrincipalRef>(row.started_by),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  });
}

export function fromFlow(flow: OAuthFlow): Row<OAuthFlowRow> {
  return {
    id: flow.id,
    connection_id: flow.connectionId,
    ticket_hash: flow.ticketHash,
    state_hash: flow.stateHash,
    browser_hash: flow.browserHash ?? null,
    sealed: flow.sealed,
    key_id: flow.keyId,
    started_by: encodePrincipal(flow.startedBy),
    created_at: encodeTime(flow.createdAt),
    expires_at: encodeTime(flow.expiresAt),
  };
}

export function toAuthConfig(row: Row<AuthConfigRow>): AuthConfig {
  const overrides = decodeJson<JsonObject>(row.overrides);
  return { provider: row.provider, clientId: row.client_id, overrides, updatedAt: row.updated_at };
}

export function fromAuthConfig(config: AuthConfig): Row<AuthConfigRow> {
  const { provider, clientId: client_id, overrides, updatedAt } = config;
  return { provider, client_id, overrides: encodeJson(overrides), updated_at: encodeTime(updatedAt) };
}

export function toPin(row: Row<DefinitionPinRow>): DefinitionPin {
  const { toolkit, tool, hash, definition: text, pinned_at: pinnedAt } = row;
  return { toolkit, tool, hash, text, pinnedAt };
}

export function fromPin({ toolkit, tool, hash, text, pinnedAt }: DefinitionPin): Row<DefinitionPinRow> {
  return { toolkit, tool, hash, definition: text, pinned_at: encodeTime(pinnedAt) };
}
