/**
 * The storage port. Two implementations pass one contract suite (`testing/storage-contract.ts`).
 *
 * A workspace's rows are reached only through `workspace(id)`, so that no query can forget the tenant. Rows without a
 * tenant (credentials by hash, instances, open intents) are in `system`.
 */
import type { ActorDriverTable, ActorTable } from './actor-storage.js';
import type { ApprovalCounts, ApprovalsFilter, ApprovalsQuery, DecisionRoute, StoredApproval } from './approval.js';
import type {
  AuditDraft,
  AuditEvent,
  AuditEventType,
  AuditQuery,
  JournalEntry,
  JournalOutcome,
  PendingIntent,
  Seal,
  StepKind,
} from './audit.js';
import type { Authorization, AuthorizationChanges, AuthorizationTable, ClientTable } from './authorization.js';
import type { CatalogueSourceName, CatalogueStorage } from './catalogue.js';
import type { CodeIssue } from './code.js';
import type { Connection } from './connection.js';
import type { DefinitionPin, Grant, GrantInput, Policy, ToolkitSetting, WorkspaceConfiguration } from './grant.js';
import type { Identity } from './identity.js';
import type { IssueTable } from './issue-storage.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ReceivedEvent, TriggerSubscription } from './marketplace.js';
import type { McpSessionTable, SystemMcpSessions } from './mcp-session.js';
import type { NotificationChanges, NotificationTable } from './notifications.js';
import type { Agent, Credential, Principal, PrincipalRef, User, Workspace } from './principal.js';
import type { SharedCounts } from './rate-limits.js';
import type { DocumentStore, NewDocument } from './reach.js';
import type { RecipeTable } from './recipe.js';
import type { RecordArchiveTable } from './record-archive.js';
import type { RunError, RunLog, RunMode, RunStatus, RunWait, StoredPlan } from './run.js';
import type { KindSize } from './store-sizes.js';
import type { TaskSource, TaskSourceProvider, TaskSourceTable } from './task-source.js';
import type { StorePool } from './telemetry.js';

/** The hash that the first row of a workspace's record follows. */
export const chainStart = '0'.repeat(64);

export interface Storage {
  readonly kind: 'sqlite' | 'postgres';
  readonly system: SystemStorage;
  readonly catalogue: CatalogueStorage;
  workspace(workspaceId: string): WorkspaceStorage;
  /**
   * Adds entries to the record in one durable commit. Each entry is written completely or not at all; one that is not
   * written says why and does not block the others. The order within a workspace is the given order.
   */
  commit(entries: readonly JournalEntry[]): Promise<JournalOutcome[]>;
  /**
   * Calls `listener` with the workspace after each committed change to a configuration by this process. Returns a function
   * that ends this.
   */
  onChange(listener: (workspaceId: string) => void): () => void;
  /**
   * The clock that all processes on this store share, for leases and pauses: PostgreSQL's own, since the clocks of hosts
   * differ; on SQLite the clock of this machine.
   */
  now(): Promise<Date>;
  /** Absent on SQLite, where each process counts for itself. */
  readonly counts?: SharedCounts;
  /** The connections of this process, where there are several: on PostgreSQL. */
  pool(): StorePool | undefined;
  close(): Promise<void>;
}

export interface SystemStorage {
  /** For the process that drives the actors of all workspaces. */
  readonly actors: ActorDriverTable;
  readonly mcpSessions: SystemMcpSessions;
  /** Whether the store now has every table and column that this version of Helve uses. Throws `storage_failed`. */
  isMigrated(): Promise<boolean>;
  listWorkspaces(): Promise<Workspace[]>;
  findWorkspace(idOrSlug: string): Promise<Workspace | undefined>;
  /** Creates the workspace unless its slug exists; returns which happened. Safe when two processes race. */
  createWorkspace(
    workspace: Workspace,
    events: readonly AuditDraft[],
  ): Promise<{ created: boolean; workspace: Workspace }>;
  findCredential(hash: string): Promise<{ workspaceId: string; credential: Credential } | undefined>;
  readonly clients: ClientTable;
  /**
   * Marks something that may be used only once as used: the state of a sign-in, a signed request. Returns false if it
   * was used before. The mark is kept until `expiresAt`.
   */
  useOnce(hash: string, expiresAt: string): Promise<boolean>;
  /** Finds an authorization by the secret for its next step, in any workspace. */
  findAuthorization(secretHash: string): Promise<Authorization | undefined>;
  /** Records that the process is alive, at the store's time. `added` if the store had no row for it. */
  touchInstance(instance: Omit<InstanceRow, 'seenAt'>): Promise<'added' | 'updated'>;
  /** With `seenAt`: only if the row has not been touched since. */
  removeInstance(instanceId: string, seenAt?: string): Promise<void>;
  listInstances(): Promise<InstanceRow[]>;
  listIntents(): Promise<PendingIntent[]>;
  /** How many bytes the whole store takes, with its indexes. */
  measure(): Promise<number>;
  /** The calls of this process that somebody has asked to stop. */
  listStops(instanceId: string): Promise<{ readonly workspaceId: string; readonly executionId: string }[]>;
  /** Runs that have not ended, in any workspace. */
  listOpenRuns(): Promise<
    (Pick<StoredRun, 'id' | 'status' | 'owner' | 'lease' | 'waits' | 'wakeAt'> & { readonly workspaceId: string })[]
  >;
  /** Finds the flow that a ticket or a state belongs to, in any workspace. */
  findFlow(by: { readonly ticketHash: string } | { readonly stateHash: string }): Promise<OAuthFlow | undefined>;
  /** Finds a subscription by the source's own id, in any workspace. */
  findSubscription(
    source: CatalogueSourceName,
    externalId: string,
  ): Promise<{ readonly workspaceId: string; readonly subscription: TriggerSubscription } | undefined>;
  /** The sources for one of these scopes, in any workspace, in the order in which they were made. */
  findTaskSources(
    provider: TaskSourceProvider,
    scopes: readonly string[],
  ): Promise<{ readonly workspaceId: string; readonly source: TaskSource }[]>;
  /**
   * Everything sealed under a key other than `keyIdNot`, including approvals and sign-ins, by workspace and subject,
   * `after` exclusive.
   */
  listSecrets(query: {
    readonly keyIdNot: string;
    readonly after?: { readonly workspaceId: string; readonly subject: string };
    readonly limit: number;
  }): Promise<(SealedSecret & { readonly workspaceId: string; readonly subject: string })[]>;
  /**
   * Deletes key-value pairs, results, approvals, flows, finished sign-ins, sessions of MCP clients, clients, authorizations, their credentials and old
   * events of actors that ended before `now`; returns the number of rows.
   */
  purgeExpired(now: string): Promise<number>;
}

/** One running process. Other processes use it to tell its unfinished work from that of a dead process. */
export interface InstanceRow {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /**
   * Distinguishes two processes with one host name and pid: boot, pid namespace and start time, as the operating
   * system reports them.
   */
  readonly startToken: string;
  readonly seenAt: string;
}

export interface WorkspaceStorage {
  readonly workspaceId: string;
  /**
   * The configuration as of its present revision. `known`: one that was read before; what has not changed since is taken from it, and
   * it is returned itself if nothing has. Throws `not_found` if there is no such workspace.
   */
  configuration(known?: WorkspaceConfiguration): Promise<WorkspaceConfiguration>;
  revision(): Promise<number>;
  /**
   * Makes every change to the configuration: the work, its audit rows and the new revision in one commit. If
   * `revision` is not the present one, nothing is done, and `conflict` with `details.staleRevision` is thrown.
   */
  change<T>(
    events: readonly AuditDraft[],
    work: (tables: ConfigurationTables) => Promise<T>,
    revision?: number,
  ): Promise<T>;
  /** By slug. `ids`: only these, as far as they exist. */
  listAgents(ids?: readonly string[]): Promise<Agent[]>;
  findAgent(idOrSlug: string): Promise<Agent | undefined>;
  listUsers(): Promise<User[]>;
  findUser(id: string): Promise<User | undefined>;
  /** The id of the person who is this at a provider. */
  findIdentity(identity: Identity): Promise<string | undefined>;
  listCredentials(): Promise<Credential[]>;
  findCredential(id: string): Promise<Credential | undefined>;
  /** Marks an unrevoked, unexpired credential revoked. True for exactly one caller. */
  takeCredential(id: string, now: string): Promise<boolean>;
  /** Records when a session was last used. Does not count as a configuration change. */
  noteUse(credentialId: string, at: string): Promise<void>;
  readonly approvals: ApprovalTable;
  readonly audit: AuditTable;
  readonly callBlocks: CallBlockTable;
  readonly intents: IntentTable;
  readonly keyValues: KeyValueTable;
  readonly results: ResultTable;
  readonly learnedTypes: LearnedTypeTable;
  readonly runs: RunTable;
  readonly actors: ActorTable;
  readonly issues: IssueTable;
  readonly taskSources: TaskSourceTable;
  readonly notifications: NotificationTable;
  readonly recipes: RecipeTable;
  readonly mcpSessions: McpSessionTable;
  readonly recordArchives: RecordArchiveTable;
  /** How much the workspace keeps, by kind, the largest first. */
  sizes(): Promise<readonly KindSize[]>;
  /** `space` is a toolkit's slug. */
  documents(space: string): DocumentTable;
  readonly secrets: SecretTable;
  readonly flows: FlowTable;
  readonly triggers: TriggerTable;
  readonly authorizations: AuthorizationTable;
  listAuthConfigs(): Promise<AuthConfig[]>;
}

/** A workspace's own client at an OAuth provider, used instead of the installation's. Its secret is in the vault. */
export interface AuthConfig {
  readonly provider: string;
  readonly clientId: string;
  /** Endpoints and peculiarities that differ from the provider's data, as in `helve.yaml`. */
  readonly overrides: JsonObject;
  readonly updatedAt: string;
}

/** Content that only the vault can read. */
export interface SealedSecret {
  readonly sealed: string;
  readonly keyId: string;
}

export interface StoredSecret extends SealedSecret {
  /** Increases with every new content; sealing it under another key does not change it. */
  readonly version: number;
  /** When the content should be renewed. */
  readonly expiresAt?: string;
  /** Who is renewing it, and until when. */
  readonly lock?: { readonly holder: string; readonly until: string };
  /** Set if the last attempts to renew it failed. */
  readonly pause?: RenewalPause;
}

/** When a failed renewal may be tried again, by the store's clock. */
export interface RenewalPause {
  /** When the pause began: a clock with an earlier time was set back. */
  readonly since: string;
  readonly until: string;
  /** Number of consecutive failed attempts. */
  readonly failures: number;
}

export type SecretContent = SealedSecret & Pick<StoredSecret, 'expiresAt'>;

/** Secrets by subject: `connection:<id>`, `auth_config:<provider>`. */
export interface SecretTable {
  find(subject: string): Promise<StoredSecret | undefined>;
  /**
   * Returns the secret, locked for the holder, or undefined while another holder has it that is not in `dead` and
   * whose time is not up.
   */
  lock(
    subject: string,
    lock: { readonly holder: string; readonly now: string; readonly until: string; readonly dead: readonly string[] },
  ): Promise<StoredSecret | undefined>;
  /** Stores new content and releases the lock. Returns false, and writes nothing, if the lock was lost. */
  renew(subject: string, holder: string, content: SecretContent, at: string): Promise<boolean>;
  /** Releases the lock without new content. */
  unlock(subject: string, holder: string, pause: RenewalPause | undefined): Promise<void>;
  /**
   * Stores the same content under another key, unless it has changed meanwhile. Also for `approval:<id>` and
   * `flow:<id>`.
   */
  reseal(subject: string, from: string, to: SealedSecret): Promise<boolean>;
}

/** A sign-in in progress. Its secrets (verifier, cookie value) are sealed. */
export interface OAuthFlow {
  readonly id: string;
  readonly workspaceId: string;
  readonly connectionId: string;
  readonly ticketHash: string;
  readonly stateHash: string;
  /** SHA-256 of the cookie of the browser that started it; set once, when the link is opened. */
  readonly browserHash?: string;
  readonly sealed: string;
  readonly keyId: string;
  readonly startedBy: PrincipalRef;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A workspace's trigger subscriptions and the events they received. */
export interface TriggerTable {
  /** Returns false, and writes nothing, if there is one with this id. */
  insert(subscription: TriggerSubscription): Promise<boolean>;
  list(): Promise<TriggerSubscription[]>;
  /** Deletes the subscription; its events stay until they expire. */
  delete(id: string): Promise<boolean>;
  /** Returns false if the event is already stored. */
  receive(event: ReceivedEvent, expiresAt: string): Promise<boolean>;
  /** Newest first. `connections`: only events of these accounts; `before`: only those that come after this one in the list. */
  events(query: {
    readonly subscription?: string;
    readonly before?: Pick<ReceivedEvent, 'receivedAt' | 'id' | 'subscriptionId'>;
    readonly limit: number;
    readonly connections?: readonly string[];
  }): Promise<ReceivedEvent[]>;
}

export interface FlowTable {
  insert(flow: OAuthFlow): Promise<void>;
  /** Claims the flow for the browser that opens the link first. True for exactly one caller. */
  claim(id: string, browserHash: string, now: string): Promise<boolean>;
  /** Ends the flow. True for exactly one caller. */
  take(id: string, now: string): Promise<boolean>;
}

/** The tables that authorisation depends on, writable only inside `change`. */
export interface ConfigurationTables extends AuthorizationChanges, NotificationChanges {
  /** Throws `conflict` when the slug is taken in this workspace. */
  insertAgent(agent: Agent): Promise<void>;
  /** Throws `not_found`. */
  changeAgent(
    agentId: string,
    settings: Pick<Agent, 'name' | 'toolMode' | 'worker'> & Partial<Pick<Agent, 'managedBy'>>,
  ): Promise<void>;
  deleteAgent(agentId: string): Promise<void>;
  /**
   * Ends every token of the agent and every authorization for it, in any state. Returns the ids of those that were
   * live.
   */
  endAgentAccess(
    agentId: string,
    at: string,
  ): Promise<{ readonly credentials: readonly string[]; readonly authorizations: readonly string[] }>;
  insertUser(user: User): Promise<void>;
  /** Throws `not_found`, or `conflict` if the workspace would have no active admin. */
  changeUser(user: User): Promise<void>;
  /** Throws `conflict` if a person of the workspace already has this identity. */
  insertIdentity(identity: Identity, userId: string, at: string): Promise<void>;
  /** Also deletes the person's identities. Throws as `changeUser`. */
  deleteUser(id: string): Promise<void>;
  /** Ends every authorization of a program that acts for the person. */
  endUserPrograms(id: string, at: string): Promise<void>;
  /** Also ends every session and sign-in link of the person. Returns the ids of those that were live. */
  endUserAccess(id: string, at: string): Promise<readonly string[]>;
  /** Throws `unauthenticated` if the API key that it was created from has ended. */
  insertCredential(credential: Credential): Promise<void>;
  /** Also revokes the authorization that it was issued from, and everything issued from either. */
  revokeCredential(credentialId: string, at: string): Promise<boolean>;
  /** Replaces all grants of the agent. */
  replaceGrants(agentId: string, grants: readonly GrantInput[]): Promise<Grant[]>;
  /** Replaces all policies of the workspace and increases the policy version. */
  replacePolicies(policies: readonly Policy[]): Promise<void>;
  putToolkitSetting(setting: ToolkitSetting): Promise<void>;
  /** Throws `conflict` when the slug is taken in this workspace. */
  insertConnection(connection: Connection): Promise<void>;
  /** Replaces the whole row. Throws `not_found`, or `conflict` if another connection has the slug. */
  updateConnection(connection: Connection): Promise<void>;
  /**
   * Makes it `revoked`, and leaves what else was decided about it as it is now. Ends the sign-ins that have begun, and returns them. Throws
   * `not_found`.
   */
  revokeConnection(connectionId: string, reason: string): Promise<readonly OAuthFlow[]>;
  /** Also deletes its grants and its secret. */
  deleteConnection(connectionId: string): Promise<void>;
  putSecret(subject: string, content: SecretContent, at: string): Promise<void>;
  deleteSecret(subject: string): Promise<void>;
  putAuthConfig(config: AuthConfig): Promise<void>;
  deleteAuthConfig(provider: string): Promise<boolean>;
  putPins(pins: readonly DefinitionPin[]): Promise<void>;
  /** Throws `conflict` if the workspace has a source for this scope. */
  insertTaskSource(source: TaskSource): Promise<void>;
  /** False if there is none. Its secret is deleted with `deleteSecret`. */
  deleteTaskSource(id: string): Promise<boolean>;
}

export interface ApprovalTable {
  /**
   * Inserts an approval, unless one with the same binding is pending, or approved and unexpired: then returns that
   * one. Throws `rate_limited` if the principal already has `maxPending` pending approvals.
   */
  request(
    approval: StoredApproval,
    events: readonly AuditDraft[],
    maxPending?: number,
  ): Promise<{ approval: StoredApproval; created: boolean }>;
  /** Throws `rate_limited` if `request` would refuse a new approval for this principal at `now`. */
  requireRoom(question: {
    readonly principal: PrincipalRef;
    readonly now: string;
    readonly maxPending: number;
  }): Promise<void>;
  find(id: string): Promise<StoredApproval | undefined>;
  /** The newest that is neither used, withdrawn nor expired at `now`, in any other status. */
  findByBinding(binding: string, now: string): Promise<StoredApproval | undefined>;
  /** Newest first. */
  list(query: ApprovalsQuery & ApprovalScope): Promise<StoredApproval[]>;
  /** Counts approvals by status. The status in the filter is ignored. */
  count(filter: ApprovalsFilter & ApprovalScope): Promise<ApprovalCounts>;
  /** The newest approved or used one of the same tool, principal and account that was asked for before this one. */
  findLastApproved(
    like: Pick<StoredApproval, 'id' | 'principal' | 'toolkit' | 'tool' | 'connectionId' | 'requestedAt'>,
  ): Promise<StoredApproval | undefined>;
  /** Decides a pending, unexpired approval, once. Returns undefined if it was no longer pending. */
  decide(decision: ApprovalDecision, events: readonly AuditDraft[]): Promise<StoredApproval | undefined>;
  /** Withdraws a pending approval, with this note. Returns undefined if it was no longer pending. */
  withdraw(id: string, note: string, events: readonly AuditDraft[]): Promise<StoredApproval | undefined>;
}

/** Which approvals a reader may see. */
export interface ApprovalScope {
  /** Only approvals for one of these accounts, or without an account unless `accountsOnly`. */
  readonly connections?: readonly string[];
  readonly accountsOnly?: boolean;
  /** Those that are pending only if they have not expired at this time. ISO 8601. */
  readonly pendingAt?: string;
}

export interface ApprovalDecision {
  readonly id: string;
  readonly status: 'approved' | 'rejected';
  readonly at: string;
  readonly by: PrincipalRef;
  readonly through: DecisionRoute;
  readonly note?: string;
}

/** The index of ended calls: one text for each finished block of the record. It can be made again from the record. */
export interface CallBlockTable {
  /** The highest block; undefined if there is none. */
  newest(): Promise<number | undefined>;
  /** In order; `to` exclusive. Blocks that are not stored are left out. */
  list(from: number, to: number): Promise<{ readonly block: number; readonly calls: string }[]>;
  /** Stored blocks stay as they are. */
  put(blocks: readonly { readonly block: number; readonly calls: string }[]): Promise<void>;
}

/** Calls that are running. */
export interface IntentTable {
  /** Oldest first. */
  list(): Promise<PendingIntent[]>;
  /** Asks the process that makes the call to stop it. The events are written with the first request. */
  requestStop(
    executionId: string,
    events: readonly AuditDraft[],
  ): Promise<'requested' | 'already_requested' | 'not_running'>;
}

export interface AuditTable {
  /** Newest first. */
  search(query: AuditQuery): Promise<AuditEvent[]>;
  /** The rows with these numbers, oldest first. At most 1,000 numbers. */
  rows(seqs: readonly number[]): Promise<AuditEvent[]>;
  /** The rows of these types of these executions, oldest first. At most 1,000 executions. */
  ofExecutions(ids: readonly string[], types: readonly AuditEventType[]): Promise<AuditEvent[]>;
  /** Oldest first, `after` exclusive: for verification and export in pages. */
  page(after: number, limit: number): Promise<AuditEvent[]>;
  /** The end of the chain, which the next row must follow. */
  head(): Promise<{ seq: number; hash: string }>;
}

export interface KeyValueTable {
  get(namespace: string, key: string, now: string): Promise<JsonValue | undefined>;
  set(namespace: string, key: string, value: JsonValue, expiresAt: string | undefined): Promise<void>;
  /** Returns whether there was a live value. */
  delete(namespace: string, key: string, now: string): Promise<boolean>;
}

export interface StoredResult {
  readonly handle: string;
  readonly executionId: string;
  /** From `nameCaller`. */
  readonly caller: string;
  readonly toolkit: string;
  readonly tool: string;
  readonly connectionId?: string;
  /** The arguments of the call; undefined for results stored before arguments were. */
  readonly input?: JsonObject;
  readonly value: JsonValue;
  /** The value as compact JSON, if the caller has it already: then it is not made again. Never set when a result is read. */
  readonly json?: string;
  readonly expiresAt: string;
}

export interface ResultTable {
  put(result: StoredResult): Promise<void>;
  /** Also returns an expired result: the caller reports that it expired. */
  find(handle: string): Promise<StoredResult | undefined>;
}

/** What a tool answers, learned from its answers: no values. */
export interface LearnedType {
  readonly toolkit: string;
  readonly tool: string;
  /** Hash of the tool's definition at that time: with another definition it no longer applies. */
  readonly definition: string;
  /** How many answers it was learned from. */
  readonly answers: number;
  readonly shape: JsonObject;
}

export interface LearnedTypeTable {
  /** By name. */
  list(toolkit: string): Promise<LearnedType[]>;
  find(toolkit: string, tool: string): Promise<LearnedType | undefined>;
  /** Replaces what was learned about the tool. */
  put(type: LearnedType, at: string): Promise<void>;
}

/** A program, as it is stored. */
export interface StoredRun {
  readonly id: string;
  readonly principal: Principal;
  readonly mode: Exclude<RunMode, 'check'>;
  readonly status: RunStatus;
  readonly code: string;
  /** The names that the program uses for tools: identifier of the namespace → identifier of the tool → model-facing name. */
  readonly tools: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Hash of the declarations that it was checked against. */
  readonly declarations: string;
  /** Version of everything that a replay depends on: a run with another version cannot be replayed. */
  readonly replayVersion: number;
  readonly policyVersion: number;
  /** Decides its random numbers. */
  readonly seed: number;
  readonly limits: JsonObject;
  readonly intent?: string;
  readonly idempotencyKey?: string;
  /** The id of the plan that it follows. */
  readonly plan?: string;
  readonly planned?: StoredPlan;
  /** The process that executes it. */
  readonly owner?: string;
  /** Increases with each owner. */
  readonly lease: number;
  /** When a process took it over from one that had ended, in order. */
  readonly takeovers: readonly string[];
  readonly waits: readonly RunWait[];
  /** When a run that waits is looked at again. Absent: when somebody decides. */
  readonly wakeAt?: string;
  readonly value?: JsonValue;
  readonly logs: readonly RunLog[];
  readonly error?: RunError;
  readonly issues?: readonly CodeIssue[];
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly expiresAt?: string;
}

/** One step of a program: a call, or a timer. */
export interface RunStep {
  readonly kind: StepKind;
  /** From 1, per kind. */
  readonly number: number;
  readonly tool: string;
  readonly inputHash: string;
  readonly executionId: string;
  readonly attempts: number;
  readonly startedAt: string;
  /** JSON text. Absent while it has none. */
  readonly answer?: string;
  /** The place of the answer in the order in which the program gets answers. */
  readonly position?: number;
  /** When the answer came: the program's clock from then on. */
  readonly answeredAt?: string;
  /** The number of the planned effect that the call made. */
  readonly planned?: number;
  /** A person said that the effect in doubt did not happen. */
  readonly cleared?: boolean;
}

export type RunChange = Partial<
  Pick<StoredRun, 'status' | 'waits' | 'wakeAt' | 'value' | 'logs' | 'error' | 'planned' | 'finishedAt' | 'expiresAt'>
>;

export interface PlanChange {
  readonly from: StoredPlan;
  readonly to: StoredPlan;
}

/** Every change locks the workspace, as the ledger's writes do, so that each happens once. */
export interface RunTable {
  /**
   * Returns the earlier run of this principal with the same idempotency key, if there is one; then nothing is written. With
   * `plan`, the facts of the run's plan are replaced in the same commit; returns undefined, and writes nothing, if somebody
   * else has replaced them since.
   */
  insert(
    run: StoredRun,
    events: readonly AuditDraft[],
    plan?: PlanChange,
  ): Promise<{ readonly run: StoredRun; readonly created: boolean } | undefined>;
  find(id: string): Promise<StoredRun | undefined>;
  findByKey(run: Pick<StoredRun, 'principal' | 'idempotencyKey'>): Promise<StoredRun | undefined>;
  /**
   * Newest first. `approval`: runs that wait for it. `plan`: runs whose plan waits for a decision, or has waited
   * until it expired; a decided plan with an effect that says `status: pending` can be among them.
   */
  list(query: {
    readonly status?: RunStatus;
    readonly principalId?: string;
    readonly approval?: string;
    readonly plan?: 'pending';
    readonly before?: string;
    readonly limit: number;
  }): Promise<StoredRun[]>;
  /** In the order of their numbers. */
  steps(runId: string): Promise<RunStep[]>;
  /** As `steps`, but the output of a call that went well is null: the outputs of a run can be large. */
  outline(runId: string): Promise<RunStep[]>;
  /**
   * Makes the process the owner of the run. Returns undefined if it is no longer as it was seen: another process has claimed it
   * since, or it has begun to wait, or ended. `takeovers` replaces the list of the run.
   */
  claim(
    seen: Pick<StoredRun, 'id' | 'lease' | 'status'>,
    change: { readonly owner: string; readonly takeovers?: readonly string[] },
    events: readonly AuditDraft[],
  ): Promise<StoredRun | undefined>;
  /**
   * Changes the run, unless it has ended or another process has claimed it since `lease`. A run that gets another status than
   * `running` loses its owner. If it ends, the approvals that its calls wait for are withdrawn in the same commit, unless another
   * run waits for them. Returns whether it was changed.
   */
  change(run: Pick<StoredRun, 'id' | 'lease'>, change: RunChange, events: readonly AuditDraft[]): Promise<boolean>;
  /** Ends the run, whoever owns it, as `change` does. Returns undefined if it had already ended. */
  cancel(
    id: string,
    end: Pick<RunChange, 'finishedAt' | 'expiresAt'>,
    events: readonly AuditDraft[],
  ): Promise<StoredRun | undefined>;
  /** Replaces the facts of a plan, unless they have been replaced since. */
  changePlan(id: string, plan: PlanChange, events: readonly AuditDraft[]): Promise<boolean>;
  /**
   * Writes the decision of a person about a call in doubt of a waiting run (its answer, or that it may be made), or the
   * answer to a question. Returns false if there is nothing to decide.
   */
  decide(
    id: string,
    decision: { readonly number: number; readonly executionId: string; readonly at: string; readonly answer?: string },
    events: readonly AuditDraft[],
  ): Promise<boolean>;
}

export interface StorageOptions {
  /** A file path, `:memory:`, or a `postgres://` URL. */
  readonly location: string;
  readonly seal: Seal;
  /** PostgreSQL only: the schema that holds the tables. Default `helve`. */
  readonly schema?: string;
  /** PostgreSQL only: maximum number of connections of this process, at least 2. Default 10. */
  readonly poolSize?: number;
  /** SQLite only: the clock of this machine. Default: the system's. */
  readonly now?: () => Date;
}

/** As `DocumentStore`, with the time passed in. */
export interface DocumentTable extends Omit<DocumentStore, 'put' | 'add'> {
  put(document: NewDocument, at: string): Promise<'created' | 'replaced'>;
  add(document: NewDocument, at: string): Promise<boolean>;
}
