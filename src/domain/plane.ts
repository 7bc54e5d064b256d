/** The plane as the surfaces see it. Each surface only translates between its protocol and these calls. */

import type { AccountActs } from './accounts.js';
import type { ActorActs } from './actor-acts.js';
import type { AgentPage, AgentsQuery } from './agents.js';
import type {
  Approval,
  ApprovalCounts,
  ApprovalDecision,
  ApprovalsFilter,
  ApprovalsQuery,
  DecisionOutcome,
  DecisionRoute,
  JointDecision,
} from './approval.js';
import type { AuditEvent, AuditQuery, RecordFilter } from './audit.js';
import type { AuthorizationActs } from './authorization.js';
import type { CallActs } from './calls.js';
import type { ChainActs } from './chain.js';
import type { CodeActs } from './code-acts.js';
import type { Connection } from './connection.js';
import type { DiscoveryActs } from './discovery.js';
import type { DoctorActs } from './doctor.js';
import type { EventActs } from './events.js';
import type {
  CallRequest,
  ExecutionEvent,
  ExecutionRecord,
  ExecutionsQuery,
  ListedTool,
  ToolResult,
  ToolsQuery,
} from './execution.js';
import type { ExplainActs, GrantPreview } from './explain.js';
import type {
  ChangedGrantSet,
  ExplainedDecision,
  GivenGrant,
  GrantChanges,
  GrantSet,
  Policy,
  PolicySet,
  ToolkitSetting,
} from './grant.js';
import type { IdentityActs } from './identity.js';
import type { IssueActs } from './issue-acts.js';
import type { JsonObject } from './json.js';
import type { MarketplaceActs } from './marketplace.js';
import type { NotificationActs } from './notifications.js';
import type { PeopleActs } from './people.js';
import type { PlaceActs } from './place-acts.js';
import type { Agent, Credential, Permission, Principal, Role } from './principal.js';
import type { UnofferedTool } from './provider.js';
import type { MachineCheck } from './reach.js';
import type { Readiness } from './readiness.js';
import type { RecipeActs } from './recipe.js';
import type { RunActs } from './run.js';
import type { SettingActs } from './settings.js';
import type { TaskSourceActs } from './task-source.js';
import type { Tool, Toolkit } from './tool.js';
import type { ToolMode } from './tool-mode.js';
import type { SwitchedTool, ToolSummariesQuery, ToolSummaryPage } from './tool-summaries.js';
import type { WorkerKind } from './worker-kind.js';
import type { WorkspaceActs } from './workspaces.js';

/** A new secret, shown once: the store keeps its hash. */
export interface IssuedCredential {
  readonly credential: Omit<Credential, 'hash'>;
  readonly secret: string;
}

export interface IssueOptions {
  readonly name?: string;
  /** Seconds from now; undefined: valid until revoked. */
  readonly expiresInSeconds?: number;
}

/** With a role, the key may do what the role may, at each request, as a person with that role. */
export interface NewApiKey extends IssueOptions {
  readonly permissions?: readonly Permission[];
  readonly role?: Role;
}

/** One toolkit in an agent's grant catalogue. */
export interface CatalogueEntry {
  readonly toolkit: Toolkit;
  readonly connectionId?: string;
  /** The prefix that the model sees; absent for tools without one. */
  readonly slug?: string;
  readonly connection?: Pick<Connection, 'name' | 'status' | 'visibility' | 'account'>;
  readonly tools: readonly CatalogueTool[];
}

export interface CatalogueTool {
  /** Exactly as the model sees it. */
  readonly modelName: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly risk: Tool['risk'];
  readonly capabilities: readonly string[];
  /** The group that it is shown in, if the toolkit has several parts. */
  readonly group?: string;
  readonly granted: boolean;
}

/** The settings of an agent that can be set and changed. */
export interface AgentSettings {
  readonly name?: string;
  readonly toolMode?: ToolMode;
  readonly worker?: WorkerKind;
}

export interface Plane
  extends AccountActs,
    ActorActs,
    AuthorizationActs,
    CallActs,
    ChainActs,
    CodeActs,
    DiscoveryActs,
    DoctorActs,
    EventActs,
    ExplainActs,
    IdentityActs,
    IssueActs,
    MarketplaceActs,
    NotificationActs,
    PeopleActs,
    PlaceActs,
    RecipeActs,
    RunActs,
    SettingActs,
    TaskSourceActs,
    WorkspaceActs {
  /**
   * Returns the principal behind a secret: agent token, API key or session. Throws `unauthenticated`, also for a
   * token that our authorization server issued to a program, unless `resource` is the address that it was issued for.
   */
  authenticate(secret: string, resource?: string): Promise<Principal>;
  /**
   * Returns the person behind the secret in the session cookie. Throws `unauthenticated`, also for every other kind
   * of secret.
   */
  authenticateSession(secret: string): Promise<Principal>;
  /** Ends the caller's session. Throws `forbidden` if the caller has none. */
  signOut(principal: Principal): Promise<void>;
  /**
   * Ends every session of the person behind the caller's session and returns how many. Throws `forbidden` if the
   * caller has none.
   */
  signOutEverywhere(principal: Principal): Promise<number>;
  /** Exchanges a one-time admin link for a session secret. Throws `unauthenticated`. */
  redeemAdminLink(secret: string): Promise<{ principal: Principal; session: string; expiresAt: string }>;
  /**
   * Counts one request. A valid secret, presented at `resource`, has its own counter; any other secret counts for the
   * client address and for the secret's first characters at that address; no secret counts for the address. Throws
   * `rate_limited`.
   */
  admitRequest(address: string, secret?: string, resource?: string): Promise<void>;
  /** The agent of this workspace, acting for the caller. Throws `forbidden` or `not_found`. */
  actAs(principal: Principal, agent: string): Promise<Principal>;

  execute(request: CallRequest): Promise<ToolResult>;
  /**
   * The tools as the principal sees them: for an agent with very many tools, or set to `meta`, only the meta-tools.
   * `all`: every tool it may call, including the meta-tools. Their order is that of the catalogue, or that of their names if a page
   * is asked for.
   */
  tools(principal: Principal, query?: ToolsQuery): Promise<ListedTool[]>;
  toolkits(principal: Principal): Promise<{ toolkit: Toolkit; setting: ToolkitSetting }[]>;
  toolkitTools(principal: Principal, toolkit: string): Promise<SwitchedTool[]>;
  /** The whole definition of one. Throws `not_found`. */
  toolkitTool(principal: Principal, toolkit: string, tool: string): Promise<SwitchedTool>;
  /** A page of them without their schemas. Throws `not_found`, and `invalid_input` for a page in both directions. */
  toolSummaries(principal: Principal, toolkit: string, query: ToolSummariesQuery): Promise<ToolSummaryPage>;
  /**
   * The tools that the toolkit has but does not offer, each with the reason; empty for an agent. Throws `not_found`.
   */
  unofferedTools(principal: Principal, toolkit: string): Promise<readonly UnofferedTool[]>;
  enableTools(principal: Principal, toolkit: string, setting: Omit<ToolkitSetting, 'toolkit'>): Promise<ToolkitSetting>;
  /**
   * Explains the decision on calls of a tool with any arguments, or, with `input`, on the one call with these
   * arguments. Runs nothing.
   */
  validateAccess(principal: Principal, tool: string, input?: JsonObject): Promise<ExplainedDecision>;

  /**
   * Calls that have ended, newest first: the caller's own; with `audit:read` all; to a member also those with their accounts.
   */
  executions(principal: Principal, query: ExecutionsQuery): Promise<ExecutionRecord[]>;
  execution(principal: Principal, executionId: string): Promise<ExecutionRecord>;
  /** Live events of an execution that this process runs; ends with `finished`. */
  follow(principal: Principal, executionId: string, signal: AbortSignal): AsyncIterable<ExecutionEvent>;
  /**
   * Stops a call that runs, in whichever process: the caller's own, or with `agents:act` any that they may see. It ends
   * soon; a tool that may have had its effect is recorded with `outcome_unknown`. Throws `not_found`, `forbidden`, and
   * `conflict` for a call that has ended.
   */
  cancelCall(principal: Principal, executionId: string): Promise<void>;
  /** Calls `listener` when what the principal can see may have changed. Returns a function that unsubscribes. */
  onConfigurationChange(principal: Principal, listener: () => void): () => void;

  agents(principal: Principal): Promise<Agent[]>;
  /** A page of them, with counts. Throws `invalid_input` for a page in both directions. */
  listAgents(principal: Principal, query: AgentsQuery): Promise<AgentPage>;
  createAgent(principal: Principal, input: { slug: string } & AgentSettings): Promise<Agent>;
  /** Throws `not_found`, or `conflict` for one that `helve.yaml` declares. */
  changeAgent(principal: Principal, agent: string, settings: AgentSettings): Promise<Agent>;
  removeAgent(principal: Principal, agent: string): Promise<void>;
  issueAgentToken(principal: Principal, agent: string, options: IssueOptions): Promise<IssuedCredential>;
  credentials(principal: Principal): Promise<Omit<Credential, 'hash'>[]>;
  /**
   * Throws `forbidden` for permissions that the caller does not hold, and `invalid_input` unless there are either
   * permissions or a role.
   */
  createApiKey(principal: Principal, input: NewApiKey): Promise<IssuedCredential>;
  revokeCredential(principal: Principal, credentialId: string): Promise<void>;
  /** Issues a link that signs the workspace's admin in, once, within 15 minutes. */
  issueAdminLink(principal: Principal): Promise<IssuedCredential>;

  /** `isShort`: of each description only the first sentence. */
  grantCatalogue(
    principal: Principal,
    agent: string,
    options?: { readonly isShort?: boolean },
  ): Promise<{ agent: Agent; entries: readonly CatalogueEntry[] } & GrantSet>;
  /**
   * Replaces the agent's grants, except those on accounts that the caller cannot see. `ifMatch`: versions, one of
   * which must be the current one. Throws `precondition_failed` if the grants have changed since.
   */
  replaceGrants(
    principal: Principal,
    agent: string,
    grants: readonly GivenGrant[],
    ifMatch?: readonly string[],
  ): Promise<GrantSet>;
  /**
   * Adds and removes grants selected by name, pattern, toolkit, account, group, capability or risk; all others stay.
   * A selection is resolved now, to tools that exist. Throws `invalid_input` for one that selects no tool, and with
   * `ifMatch` `precondition_failed` if the grants no longer have that version.
   */
  changeGrants(
    principal: Principal,
    agent: string,
    changes: GrantChanges,
    ifMatch?: readonly string[],
  ): Promise<ChangedGrantSet>;
  /**
   * Removes every grant of the agent over one account, and returns the names of the tools. The owner of the account may do
   * it, and whoever may change grants. Throws `not_found` if the agent has none, and `conflict` for an agent that
   * `helve.yaml` declares.
   */
  withdrawConnection(
    principal: Principal,
    connection: string,
    agent: string,
  ): Promise<{ readonly removed: readonly string[] }>;
  /**
   * What `replaceGrants` (`grants`) or `changeGrants` (`add`, `remove`) would do; nothing is stored. Throws as they do, and
   * for the same agents.
   */
  previewGrants(
    principal: Principal,
    agent: string,
    change: { readonly grants: readonly GivenGrant[] } | GrantChanges,
  ): Promise<GrantPreview>;
  policies(principal: Principal): Promise<PolicySet>;
  /** `ifMatch` as for grants. Throws `invalid_input` for a name that matches nothing, and `precondition_failed`. */
  replacePolicies(principal: Principal, policies: readonly Policy[], ifMatch?: readonly string[]): Promise<PolicySet>;

  approvals(principal: Principal, query: ApprovalsQuery): Promise<Approval[]>;
  approvalCounts(principal: Principal, filter: ApprovalsFilter): Promise<ApprovalCounts>;
  /** With the last approved call of the same kind. */
  approval(principal: Principal, id: string): Promise<Approval>;
  decideApproval(
    principal: Principal,
    id: string,
    decision: ApprovalDecision,
    through: Exclude<DecisionRoute, 'elicitation'>,
  ): Promise<Approval>;
  /**
   * Decides several at once, each once; returns the outcome of each. Throws `not_found` for one that the caller cannot see,
   * and `invalid_input` unless all are of the same tool and caller; then nothing is decided.
   */
  decideApprovals(
    principal: Principal,
    ids: readonly string[],
    decision: JointDecision,
  ): Promise<readonly DecisionOutcome[]>;
  /** The answer of the caller's own person, through the program that made the call. Throws `forbidden`. */
  answerElicitation(principal: Principal, id: string, decision: ApprovalDecision): Promise<Approval>;

  audit(principal: Principal, query: AuditQuery): Promise<AuditEvent[]>;
  /** The whole record, oldest first; with a filter the rows that `audit` would list, newest first. */
  exportAudit(principal: Principal, filter?: RecordFilter): AsyncIterable<AuditEvent>;
  /** Records a request that a surface refused before it became a call: bad origin, bad token on a known workspace. */
  recordRefusal(workspaceId: string, reason: string, facts: Readonly<Record<string, string>>): Promise<void>;

  /** What this machine can enforce, and what is therefore switched off. */
  machineChecks(principal: Principal): Promise<readonly MachineCheck[]>;
  /** Whether the store can be read and written. */
  healthy(): Promise<boolean>;
  /**
   * The metrics of this process in the text format of Prometheus. Throws `forbidden` for a caller of another workspace than the
   * installation's first.
   */
  metrics(principal: Principal): Promise<string>;
  /** Whether this process should be sent requests now. Never throws. */
  ready(): Promise<Readiness>;
}
