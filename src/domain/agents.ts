/** Lists of agents, with what each has and did. */
import type { Agent } from './principal.js';

export interface AgentsQuery {
  /** Words that its name or slug has. */
  readonly search?: string;
  /** Slug of an agent: only those after it, or before it, in the order of their slugs. At most one of them. */
  readonly after?: string;
  readonly before?: string;
  /** Default 50, at most 500. */
  readonly limit?: number;
}

/** What the caller may not know is left out. */
export interface AgentUsage {
  /** Granted tools, one for each account. Needs `grants:read`. */
  readonly granted?: number;
  /** Tools that it can call now, without the meta-tools. Needs `policies:read` too. */
  readonly offered?: number;
  /** Calls of the last 24 hours that the caller may see, running ones included. */
  readonly callsLastDay?: number;
  /** ISO 8601; when its last call ended. Absent if it has made none. */
  readonly lastSeenAt?: string;
}

export interface AgentSummary extends Agent {
  readonly usage: AgentUsage;
}

export interface AgentPage {
  /** By slug. */
  readonly agents: readonly AgentSummary[];
  /** All that match, on all pages. */
  readonly total: number;
  /** `after` of the next page. */
  readonly next?: string;
  /** `before` of the previous page. */
  readonly previous?: string;
}
