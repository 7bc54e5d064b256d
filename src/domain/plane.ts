/** The plane as the doors see it. Each door turns its protocol into these calls and back, and does no more. */

import type { AccountActs } from './accounts.js';
import type { Approval, ApprovalStatus, DecisionRoute } from './approval.js';
import type { AuditEvent, AuditQuery } from './audit.js';
import type { AuthorizationActs } from './authorization.js';
import type { Connection } from './connection.js';
import type { DiscoveryActs } from './discovery.js';
import type { CallRequest, ExecutionEvent, ExecutionRecord, ListedTool, ToolResult } from './execution.js';
import type {
  ChangedGrantSet,
  ExplainedDecision,
  GrantChanges,
  GrantInput,
  GrantSet,
  Policy,
  PolicySet,
  ToolkitSetting,
} from './grant.js';
import type { JsonObject } from './json.js';
import type { MarketplaceActs } from './marketplace.js';
import type { Agent, Credential, Permission, Principal } from './principal.js';
import type { UnofferedTool } from './provider.js';
import type { MachineCheck } from './reach.js';
import type { Tool, Toolkit } from './tool.js';
import type { ToolMode } from './tool-mode.js';

/** A new secret, shown once: the store keeps its hash. */
export interface IssuedCredential {
  readonly credential: Omit<Credential, 'hash'>;
  readonly secret: string;
}

export interface IssueOptions {
  readonly name?: string;
  /** Seconds from now; undefined: until revoked. */
  readonly expiresInSeconds?: number;
}

/** A row of the record, by its number and its hash. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

export interface ChainReport {
  readonly ok: boolean;
  /** The number of the last row that is proved. */
  readonly rows: number;
  /** The first row that does not follow from those before it. */
  readonly firstBroken?: { readonly seq: number; readonly problem: string };
  readonly head: ChainPoint;
}

/** One toolkit in an agent's grant catalogue. */
export interface CatalogueEntry {
  readonly toolkit: Toolkit;
  readonly connectionId?: string;
  /** The prefix that the model sees; absent for tools that stand bare. */
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
  /** What it stands under, where a toolkit has several parts. */
  readonly group?: string;
  readonly granted: boolean;
}

/** What can be said of an agent, and said anew. */
export interface AgentSettings {
  readonly name?: string;
  readonly toolMode?: ToolMode;
}

export interface Plane extends AccountActs, AuthorizationActs, DiscoveryActs, MarketplaceActs {
  /**
   * The principal behind a secret: agent token, API key or session. Throws `unauthenticated`, also for a token that a
   * program got from our authorization server, unless `resource` is the address that it was issued for.
   */
  authenticate(secret: string, resource?: string): Promise<Principal>;
  /** The person behind the secret in the session cookie. Throws `unauthenticated`, also for every other kind of secret. */
  authenticateSession(secret: string): Promise<Principal>;
  /** Ends the session that the caller shows. Throws `forbidden` where it is none. */
  signOut(principal: Principal): Promise<void>;
  /** Ends every session of the person whose session the caller shows; how many. Throws `forbidden` where it is none. */
  signOutEverywhere(principal: Principal): Promise<number>;
  /** Exchanges a one-time admin link for a session secret. Throws `unauthenticated`. */
  redeemAdminLink(secret: string): Promise<{ principal: Principal; session: string; expiresAt: string }>;
  /**
   * Counts one request. A good secret, shown at `resource`, counts for itself alone; any other for the address it comes
   * from and for its own first characters there; none for the address. Throws `rate_limited`.
   */
  admitRequest(address: string, secret?: string, resource?: string): Promise<void>;
  /** The agent of this workspace, acting for the caller. Throws `forbidden` or `not_found`. */
  actAs(principal: Principal, agent: string): Promise<Principal>;

  execute(request: CallRequest): Promise<ToolResult>;
  /**
   * The tools as the principal is to be shown them: an agent with very many, or that is set so, the meta-tools in place of
   * all others. `all`: whatever it may call, the meta-tools too.
   */
  tools(principal: Principal, options?: { readonly all?: boolean }): Promise<ListedTool[]>;
  toolkits(principal: Principal): Promise<{ toolkit: Toolkit; setting: ToolkitSetting }[]>;
  toolkitTools(principal: Principal, toolkit: string): Promise<{ tool: Tool; enabled: boolean }[]>;
  /** What the toolkit has and does not offer, each with the reason; nothing for an agent. Throws `not_found`. */
  unofferedTools(principal: Principal, toolkit: string): Promise<readonly UnofferedTool[]>;
  enableTools(principal: Principal, toolkit: string, setting: Omit<ToolkitSetting, 'toolkit'>): Promise<ToolkitSetting>;
  /** Of calls of a tool, whatever the arguments; with `input`, of the one call with these arguments. Nothing runs. */
  validateAccess(principal: Principal, tool: string, input?: JsonObject): Promise<ExplainedDecision>;

  executions(principal: Principal, query: { tool?: string; limit?: number }): Promise<ExecutionRecord[]>;
  execution(principal: Principal, executionId: string): Promise<ExecutionRecord>;
  /** Live events of an execution that this process runs; ends with `finished`. */
  follow(principal: Principal, executionId: string, signal: AbortSignal): AsyncIterable<ExecutionEvent>;
  /** Told when what the principal can see may have changed. Returns the way to stop. */
  onConfigurationChange(principal: Principal, listener: () => void): () => void;

  agents(principal: Principal): Promise<Agent[]>;
  createAgent(principal: Principal, input: { slug: string } & AgentSettings): Promise<Agent>;
  /** Throws `not_found`, or `conflict` for one that `helve.yaml` declares. */
  changeAgent(principal: Principal, agent: string, settings: AgentSettings): Promise<Agent>;
  removeAgent(principal: Principal, agent: string): Promise<void>;
  issueAgentToken(principal: Principal, agent: string, options: IssueOptions): Promise<IssuedCredential>;
  credentials(principal: Principal): Promise<Omit<Credential, 'hash'>[]>;
  createApiKey(
    principal: Principal,
    input: IssueOptions & { permissions: readonly Permission[] },
  ): Promise<IssuedCredential>;
  revokeCredential(principal: Principal, credentialId: string): Promise<void>;
  /** A link that signs the workspace's admin in, once, within a quarter of an hour. */
  issueAdminLink(principal: Principal): Promise<IssuedCredential>;

  grantCatalogue(
    principal: Principal,
    agent: string,
  ): Promise<{ agent: Agent; entries: readonly CatalogueEntry[] } & GrantSet>;
  /**
   * The agent's grants, but for those on accounts that the caller cannot see. `ifMatch`: versions, one of which must be
   * that of the grants that are replaced. Throws `precondition_failed` when they were changed since.
   */
  replaceGrants(
    principal: Principal,
    agent: string,
    grants: readonly GrantInput[],
    ifMatch?: readonly string[],
  ): Promise<GrantSet>;
  /**
   * Adds and removes grants that are chosen by name, pattern, toolkit, account, group, capability or risk; all others
   * stay. A choice is resolved now, to tools that exist. Throws `invalid_input` for one that means no tool, and with
   * `ifMatch` `precondition_failed` where the grants are no longer those of that version.
   */
  changeGrants(
    principal: Principal,
    agent: string,
    changes: GrantChanges,
    ifMatch?: readonly string[],
  ): Promise<ChangedGrantSet>;
  policies(principal: Principal): Promise<PolicySet>;
  /** `ifMatch` as for grants. Throws `invalid_input` for a name that stands for nothing, and `precondition_failed`. */
  replacePolicies(principal: Principal, policies: readonly Policy[], ifMatch?: readonly string[]): Promise<PolicySet>;

  approvals(principal: Principal, query: { status?: ApprovalStatus; limit?: number }): Promise<Approval[]>;
  approval(principal: Principal, id: string): Promise<Approval>;
  decideApproval(
    principal: Principal,
    id: string,
    decision: 'approved' | 'rejected',
    through: DecisionRoute,
  ): Promise<Approval>;

  audit(principal: Principal, query: AuditQuery): Promise<AuditEvent[]>;
  exportAudit(principal: Principal): AsyncIterable<AuditEvent>;
  /** `from`: a row that was proved before, after which the check begins. One check of a workspace runs at a time. */
  verifyAudit(principal: Principal, from?: ChainPoint): Promise<ChainReport>;
  /** A request that a door refused before there was a call: bad origin, bad token on a known workspace. */
  recordRefusal(workspaceId: string, reason: string, facts: Readonly<Record<string, string>>): Promise<void>;

  /** What this machine can enforce, and what is therefore off. */
  machineChecks(principal: Principal): Promise<readonly MachineCheck[]>;
  /** Whether the store answers, and takes what is written. */
  healthy(): Promise<boolean>;
}
