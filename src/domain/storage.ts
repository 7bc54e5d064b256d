/**
 * The storage port. Two implementations pass one contract suite (`testing/storage-contract.ts`).
 *
 * A workspace's rows are reached only through `workspace(id)`, so that no query can forget the
 * tenant. What is not tenant-bound (credentials by hash, instances, open intents) is in `system`.
 */
import type { ApprovalStatus, DecisionRoute, StoredApproval } from './approval.js';
import type { AuditDraft, AuditEvent, AuditQuery, JournalEntry, JournalOutcome, PendingIntent, Seal } from './audit.js';
import type { Authorization, AuthorizationChanges, AuthorizationTable, ClientTable } from './authorization.js';
import type { CatalogueSourceName, CatalogueStorage } from './catalogue.js';
import type { Connection } from './connection.js';
import type { DefinitionPin, Grant, GrantInput, Policy, ToolkitSetting, WorkspaceConfiguration } from './grant.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ReceivedEvent, TriggerSubscription } from './marketplace.js';
import type { Agent, Credential, PrincipalRef, User, Workspace } from './principal.js';
import type { DocumentStore } from './reach.js';

/** The hash that the first row of a workspace's record follows. */
export const chainStart = '0'.repeat(64);

export interface Storage {
  readonly kind: 'sqlite' | 'postgres';
  readonly system: SystemStorage;
  readonly catalogue: CatalogueStorage;
  workspace(workspaceId: string): WorkspaceStorage;
  /**
   * Adds entries to the record in one durable commit. Each entry is written whole or not at all; one
   * that is not says why and does not hinder the rest. Order within a workspace is the given order.
   */
  commit(entries: readonly JournalEntry[]): Promise<JournalOutcome[]>;
  /**
   * The clock that all processes on this store share, for leases and pauses: PostgreSQL's own, since the clocks of hosts
   * differ; on SQLite the clock of this machine.
   */
  now(): Promise<Date>;
  close(): Promise<void>;
}

export interface SystemStorage {
  listWorkspaces(): Promise<Workspace[]>;
  findWorkspace(idOrSlug: string): Promise<Workspace | undefined>;
  /** Creates the workspace unless its slug exists; says which happened. Safe when two processes race. */
  createWorkspace(
    workspace: Workspace,
    events: readonly AuditDraft[],
  ): Promise<{ created: boolean; workspace: Workspace }>;
  findCredential(hash: string): Promise<{ workspaceId: string; credential: Credential } | undefined>;
  readonly clients: ClientTable;
  /** By the secret that moves it on, whatever its workspace. */
  findAuthorization(secretHash: string): Promise<Authorization | undefined>;
  /** Says that the process lives, at the store's time. `added` when the store did not hold its row. */
  touchInstance(instance: Omit<InstanceRow, 'seenAt'>): Promise<'added' | 'updated'>;
  /** With `seenAt`: only while the row has not been touched since. */
  removeInstance(instanceId: string, seenAt?: string): Promise<void>;
  listInstances(): Promise<InstanceRow[]>;
  listIntents(): Promise<PendingIntent[]>;
  /** The flow that a ticket or a state belongs to, whatever its workspace. */
  findFlow(by: { readonly ticketHash: string } | { readonly stateHash: string }): Promise<OAuthFlow | undefined>;
  /** By the source's own id, whatever its workspace. */
  findSubscription(
    source: CatalogueSourceName,
    externalId: string,
  ): Promise<{ readonly workspaceId: string; readonly subscription: TriggerSubscription } | undefined>;
  /** All that is sealed under another key than `keyIdNot`, approvals and sign-ins too, by workspace and subject, `after` exclusive. */
  listSecrets(query: {
    readonly keyIdNot: string;
    readonly after?: { readonly workspaceId: string; readonly subject: string };
    readonly limit: number;
  }): Promise<(SealedSecret & { readonly workspaceId: string; readonly subject: string })[]>;
  /** Deletes what ended before `now`: key-value pairs, results, approvals, flows, clients, authorizations and their credentials; how many rows went. */
  purgeExpired(now: string): Promise<number>;
}

/** One running process, so that others can tell its unfinished work from a dead process's. */
export interface InstanceRow {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Tells two processes with one host name and pid apart: boot, pid namespace and start time, as the operating system gives them. */
  readonly startToken: string;
  readonly seenAt: string;
}

export interface WorkspaceStorage {
  readonly workspaceId: string;
  /** Throws `not_found` when there is no such workspace. */
  configuration(): Promise<WorkspaceConfiguration>;
  revision(): Promise<number>;
  /**
   * Every change to configuration: the work, its audit rows and the raised revision in one commit. With a `revision`
   * that is not the present one nothing is done, and `conflict` with `details.staleRevision` is thrown.
   */
  change<T>(
    events: readonly AuditDraft[],
    work: (tables: ConfigurationTables) => Promise<T>,
    revision?: number,
  ): Promise<T>;
  listAgents(): Promise<Agent[]>;
  findAgent(idOrSlug: string): Promise<Agent | undefined>;
  listUsers(): Promise<User[]>;
  findUser(id: string): Promise<User | undefined>;
  listCredentials(): Promise<Credential[]>;
  findCredential(id: string): Promise<Credential | undefined>;
  /** True for exactly one caller: marks an unrevoked, unexpired credential revoked. */
  takeCredential(id: string, now: string): Promise<boolean>;
  /** When a session was last used. No change of the configuration. */
  noteUse(credentialId: string, at: string): Promise<void>;
  readonly approvals: ApprovalTable;
  readonly audit: AuditTable;
  readonly keyValues: KeyValueTable;
  readonly results: ResultTable;
  /** `space` is a toolkit's slug. */
  documents(space: string): DocumentTable;
  readonly secrets: SecretTable;
  readonly flows: FlowTable;
  readonly triggers: TriggerTable;
  readonly authorizations: AuthorizationTable;
  listAuthConfigs(): Promise<AuthConfig[]>;
}

/** A workspace's own client at an OAuth provider, in place of the installation's. Its secret is in the vault. */
export interface AuthConfig {
  readonly provider: string;
  readonly clientId: string;
  /** Endpoints and habits that differ from the provider's data, as in `helve.yaml`. */
  readonly overrides: JsonObject;
  readonly updatedAt: string;
}

/** What only the vault can read. */
export interface SealedSecret {
  readonly sealed: string;
  readonly keyId: string;
}

export interface StoredSecret extends SealedSecret {
  /** Rises with every new content; sealing it under another key is none. */
  readonly version: number;
  /** When the content should be renewed. */
  readonly expiresAt?: string;
  /** Who is renewing it, until when. */
  readonly lock?: { readonly holder: string; readonly until: string };
  /** The last attempts to renew it failed. */
  readonly pause?: RenewalPause;
}

/** When a renewal that failed may be tried again, by the store's clock. */
export interface RenewalPause {
  /** When the pause began: a clock that says an earlier time was set back. */
  readonly since: string;
  readonly until: string;
  /** How many attempts have failed, one after the other. */
  readonly failures: number;
}

export type SecretContent = SealedSecret & Pick<StoredSecret, 'expiresAt'>;

/** By subject: `connection:<id>`, `auth_config:<provider>`. */
export interface SecretTable {
  find(subject: string): Promise<StoredSecret | undefined>;
  /** The secret, locked for the holder; undefined while somebody else holds it who is not among `dead` and whose time is not up. */
  lock(
    subject: string,
    lock: { readonly holder: string; readonly now: string; readonly until: string; readonly dead: readonly string[] },
  ): Promise<StoredSecret | undefined>;
  /** New content and the lock given back; false when the lock was lost: then nothing is written. */
  renew(subject: string, holder: string, content: SecretContent, at: string): Promise<boolean>;
  /** The lock given back without new content. */
  unlock(subject: string, holder: string, pause: RenewalPause | undefined): Promise<void>;
  /** The same content under another key, unless it has changed meanwhile. Also for `approval:<id>` and `flow:<id>`. */
  reseal(subject: string, from: string, to: SealedSecret): Promise<boolean>;
}

/** A sign-in under way. Its secrets (verifier, what the browser was given) are sealed. */
export interface OAuthFlow {
  readonly id: string;
  readonly workspaceId: string;
  readonly connectionId: string;
  readonly ticketHash: string;
  readonly stateHash: string;
  /** SHA-256 of the cookie of the browser that began; set once, when the link is opened. */
  readonly browserHash?: string;
  readonly sealed: string;
  readonly keyId: string;
  readonly startedBy: PrincipalRef;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** What a workspace is told of by apps, and what it was told. */
export interface TriggerTable {
  insert(subscription: TriggerSubscription): Promise<void>;
  list(): Promise<TriggerSubscription[]>;
  /** Its events stay until they end. */
  delete(id: string): Promise<boolean>;
  /** False when it is there already. */
  receive(event: ReceivedEvent, expiresAt: string): Promise<boolean>;
  /** Newest first. `connections`: only those of these accounts. */
  events(query: {
    readonly subscription?: string;
    readonly limit: number;
    readonly connections?: readonly string[];
  }): Promise<ReceivedEvent[]>;
}

export interface FlowTable {
  insert(flow: OAuthFlow): Promise<void>;
  /** True for exactly one caller: the browser that opens the link first. */
  claim(id: string, browserHash: string, now: string): Promise<boolean>;
  /** True for exactly one caller: ends the flow. */
  take(id: string, now: string): Promise<boolean>;
}

/** The tables that authorisation depends on, writable only inside `change`. */
export interface ConfigurationTables extends AuthorizationChanges {
  /** Throws `conflict` when the slug is taken in this workspace. */
  insertAgent(agent: Agent): Promise<void>;
  /** Throws `not_found`. */
  changeAgent(
    agentId: string,
    settings: Pick<Agent, 'name' | 'toolMode'> & Partial<Pick<Agent, 'managedBy'>>,
  ): Promise<void>;
  deleteAgent(agentId: string): Promise<void>;
  /** Every token of the agent and every authorization to be it, in whatever state. Returns the ids of those that were live. */
  endAgentAccess(
    agentId: string,
    at: string,
  ): Promise<{ readonly credentials: readonly string[]; readonly authorizations: readonly string[] }>;
  insertUser(user: User): Promise<void>;
  /** Throws `unauthenticated` when the key that it came of has ended. */
  insertCredential(credential: Credential): Promise<void>;
  /** With the authorization that it came of, and all that came of either. */
  revokeCredential(credentialId: string, at: string): Promise<boolean>;
  /** The agent's whole set, replaced. */
  replaceGrants(agentId: string, grants: readonly GrantInput[]): Promise<Grant[]>;
  /** The workspace's whole list, replaced; raises the policy version. */
  replacePolicies(policies: readonly Policy[]): Promise<void>;
  putToolkitSetting(setting: ToolkitSetting): Promise<void>;
  /** Throws `conflict` when the slug is taken in this workspace. */
  insertConnection(connection: Connection): Promise<void>;
  /** Whole. Throws `not_found`, or `conflict` when another has the slug. */
  updateConnection(connection: Connection): Promise<void>;
  /** With its grants and its secret. */
  deleteConnection(connectionId: string): Promise<void>;
  putSecret(subject: string, content: SecretContent, at: string): Promise<void>;
  deleteSecret(subject: string): Promise<void>;
  putAuthConfig(config: AuthConfig): Promise<void>;
  deleteAuthConfig(provider: string): Promise<boolean>;
  putPins(pins: readonly DefinitionPin[]): Promise<void>;
}

export interface ApprovalTable {
  /**
   * Inserts, unless one with the same binding is pending or approved and unexpired: then that one is returned. Throws
   * `rate_limited` when so many of the same principal are pending already.
   */
  request(
    approval: StoredApproval,
    events: readonly AuditDraft[],
    mostPending?: number,
  ): Promise<{ approval: StoredApproval; created: boolean }>;
  find(id: string): Promise<StoredApproval | undefined>;
  /** The newest that is not used and not expired at `now`, whatever its status. */
  findByBinding(binding: string, now: string): Promise<StoredApproval | undefined>;
  /** `connections`: only those on no account, or on one of these. */
  list(query: { status?: ApprovalStatus; limit?: number; connections?: readonly string[] }): Promise<StoredApproval[]>;
  /** Pending and unexpired → decided, once: undefined when it was not pending any more. */
  decide(decision: ApprovalDecision, events: readonly AuditDraft[]): Promise<StoredApproval | undefined>;
}

export interface ApprovalDecision {
  readonly id: string;
  readonly status: 'approved' | 'rejected';
  readonly at: string;
  readonly by: PrincipalRef;
  readonly through: DecisionRoute;
}

export interface AuditTable {
  /** Newest first. */
  search(query: AuditQuery): Promise<AuditEvent[]>;
  /** Oldest first, `after` exclusive: for verification and export in pages. */
  page(after: number, limit: number): Promise<AuditEvent[]>;
  /** Where the chain stands: what the next row must follow. */
  head(): Promise<{ seq: number; hash: string }>;
}

export interface KeyValueTable {
  get(namespace: string, key: string, now: string): Promise<JsonValue | undefined>;
  set(namespace: string, key: string, value: JsonValue, expiresAt: string | undefined): Promise<void>;
  /** Whether a live value was there. */
  delete(namespace: string, key: string, now: string): Promise<boolean>;
}

export interface StoredResult {
  readonly handle: string;
  readonly executionId: string;
  readonly principalId: string;
  readonly toolkit: string;
  readonly tool: string;
  readonly connectionId?: string;
  /** The arguments of the call; undefined for what was kept before they were. */
  readonly input?: JsonObject;
  readonly value: JsonValue;
  readonly expiresAt: string;
}

export interface ResultTable {
  put(result: StoredResult): Promise<void>;
  /** Also when it has expired: the caller says so. */
  find(handle: string): Promise<StoredResult | undefined>;
}

export interface StorageOptions {
  /** A file path, `:memory:`, or a `postgres://` URL. */
  readonly location: string;
  readonly seal: Seal;
  /** PostgreSQL only: the schema that holds the tables. Default `helve`. */
  readonly schema?: string;
  /** PostgreSQL only: connections that this process holds at most, 2 or more. Default 10. */
  readonly poolSize?: number;
  /** SQLite only: the clock of this machine. Default: the system's. */
  readonly now?: () => Date;
}

/** As `DocumentStore`, with the time told. */
export interface DocumentTable extends Omit<DocumentStore, 'put'> {
  put(document: Parameters<DocumentStore['put']>[0], at: string): Promise<'created' | 'replaced'>;
}
