/** What the toolkit `platform` may ask of Helve itself. Bound to the caller of the tool, and to the person it acts for. */
import type { Agent, Permission } from './principal.js';
import type { ToolMode } from './tool-mode.js';

export interface AgentGrants {
  readonly agent: Agent;
  /** Names of the granted tools, as the model sees them. */
  readonly granted: readonly string[];
  /** Names of all tools that could be granted, with their titles. */
  readonly grantable: readonly { readonly name: string; readonly title: string }[];
  /** Changes whenever the agent, its grants, or the account behind any name changes. */
  readonly version: string;
}

/** Exact names of tools, for one agent in one state. */
export interface GrantProposal {
  readonly agent: string;
  readonly tools: readonly string[];
  /** As `findGrants` returned it. */
  readonly version: string;
}

export interface ConnectLink {
  readonly app: string;
  /** A page where the person connects an account, signed in as themselves. It has no secret in it. */
  readonly url: string;
}

/**
 * Every method does what the person may do at this moment, whatever they could do when the call was made. Each throws
 * `forbidden` if the caller acts for nobody, or for somebody who lacks the permission of its act.
 */
export interface Platform {
  /** Throws `forbidden` unless the person holds the permission. */
  requireRight(permission: Permission): Promise<void>;
  /** The first hundred by slug that have all words of `search` in name or slug. */
  findAgents(search: string | undefined): Promise<{ readonly agents: readonly Agent[]; readonly total: number }>;
  /** Throws `conflict` if there is an agent of this slug. */
  createAgent(input: { slug: string; name?: string; toolMode?: ToolMode }): Promise<Agent>;
  /** Only grants that the person can see. Throws `not_found`. */
  findGrants(agent: string): Promise<AgentGrants>;
  /**
   * Throws as `addGrants` would, and adds nothing: `not_found`, `invalid_input` for anything but the whole name of a
   * tool, `precondition_failed` for another version.
   */
  checkProposal(proposal: GrantProposal): Promise<void>;
  /** Returns the names that were not granted before. */
  addGrants(proposal: GrantProposal): Promise<readonly string[]>;
  /** Those that the person can see, without their credentials and settings. */
  listConnections(): Promise<readonly { slug: string; name: string; app: string; status: string }[]>;
  /** Throws `not_found` for an unknown app, or one without accounts. */
  linkToConnect(app: string): Promise<ConnectLink>;
}
