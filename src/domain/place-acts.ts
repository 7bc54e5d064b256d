/**
 * What a door can ask about the places of tasks: organisations, repositories, projects and pull requests. Each belongs to one workspace.
 * One that does not exist yet is made by the first change of it, except a pull request.
 */
import type { IssueState } from './issue-acts.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { TaskUsage, ToolConfig } from './task.js';

export const placeKinds = ['org', 'repo', 'project', 'pr'] as const;
export type PlaceKind = (typeof placeKinds)[number];

interface PlaceFacts {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of the events that were applied. */
  readonly version: number;
}

/** How many things belong to a place, by kind and by outermost state. */
export type PlaceChildren = {
  readonly [Kind in 'repo' | 'project' | 'pr' | 'issue']?: Readonly<Record<string, number>>;
};

/** Facts that are shown only for a single place, not in lists. */
interface PlaceDetails {
  readonly children?: PlaceChildren;
}

/** An issue that waits for an app, or for room. */
export interface WaitingView {
  readonly issue: string;
  readonly apps: readonly string[];
  readonly forRoom: boolean;
}

/** Absent: no limit. */
export interface OrgLimits {
  readonly maxRunning?: number;
  readonly maxTokens?: number;
  readonly maxCents?: number;
}

export interface OrgView extends PlaceFacts, PlaceDetails {
  /** `full`: no further issue may begin. */
  readonly state: 'open' | 'full';
  readonly connectedApps: readonly string[];
  /** Only of one organisation. */
  readonly defaultTools?: ToolConfig;
  readonly limits: OrgLimits;
  /** What was used in this billing period. */
  readonly billing: TaskUsage & { readonly period?: string };
  readonly running: readonly string[];
  readonly waiting: readonly WaitingView[];
}

/** Selects what the rule is about; all given conditions must hold. A path that ends in `/` is a folder. */
interface Match {
  readonly label?: string;
  readonly author?: string;
  readonly path?: string;
}

export interface NewAssignRule extends Match {
  /** Slug or id. */
  readonly agent: string;
}

export interface AssignRule extends NewAssignRule {
  /** For whom the agent works: whoever wrote the rule. */
  readonly onBehalfOf?: PrincipalRef;
}

export interface Trigger extends Match {
  /** Event and action of a webhook: `issues.opened`. */
  readonly on: string;
  readonly opens: 'issue' | 'pr';
}

export interface RepoView extends PlaceFacts, PlaceDetails {
  readonly state: 'active' | 'paused';
  readonly org?: string;
  readonly project?: string;
  /** Only of one repository. */
  readonly toolConfig?: ToolConfig;
  readonly autoAssign: readonly AssignRule[];
  readonly triggers: readonly Trigger[];
  /** In the answer to the change that made it: that its name could not be checked. */
  readonly notice?: string;
}

export interface NewBoardRule {
  readonly column: string;
  readonly do: 'assign' | 'unassign' | 'retry' | 'cancel';
  /** Slug or id. With `assign`; without it, the agent that the issue has. */
  readonly agent?: string;
}

export interface BoardRule extends NewBoardRule {
  readonly onBehalfOf?: PrincipalRef;
}

export interface ProjectView extends PlaceFacts, PlaceDetails {
  readonly state: 'open' | 'full';
  readonly org?: string;
  /** The column of each state of an issue. */
  readonly workflow: Readonly<Record<string, string>>;
  readonly columns: readonly { readonly name: string; readonly issues: readonly string[] }[];
  /** The titles of the issues on the board, by id. Only of one project. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly automation: readonly BoardRule[];
  readonly maxRunning?: number;
  /** How many issues have left the board. */
  readonly closed: number;
  readonly running: readonly string[];
  readonly waiting: readonly WaitingView[];
}

export interface PullRequestView extends PlaceFacts, PlaceDetails {
  readonly state: 'open' | 'merging' | 'merged' | 'closed';
  readonly repo?: string;
  readonly issue?: string;
  /** The commit that it is at. */
  readonly head?: string;
  readonly draft: boolean;
  readonly review: { readonly approvals: readonly string[]; readonly changesRequested: readonly string[] };
  readonly requiredApprovals: number;
  readonly checks: Readonly<Record<string, string>>;
  readonly requiredChecks: readonly string[];
  readonly autoMerge: boolean;
  readonly mergeability: {
    readonly can: boolean;
    readonly why: readonly string[];
    /** It is merged as soon as it can be. */
    readonly told: boolean;
    /** Why the last merge failed. */
    readonly error?: string;
  };
  /** For whom it is merged. */
  readonly mergedFor?: PrincipalRef;
}

export interface PlaceViews {
  readonly org: OrgView;
  readonly repo: RepoView;
  readonly project: ProjectView;
  readonly pr: PullRequestView;
}

/** Absent fields stay unchanged; null removes a limit or a link. */
export interface PlaceChanges {
  readonly org: {
    readonly limits?: { readonly [Limit in keyof OrgLimits]?: number | null };
    readonly defaultTools?: ToolConfig;
  };
  readonly repo: {
    /** While paused, webhooks open nothing. */
    readonly paused?: boolean;
    readonly project?: string | null;
    readonly toolConfig?: ToolConfig;
    readonly autoAssign?: readonly NewAssignRule[];
    readonly triggers?: readonly Trigger[];
  };
  readonly project: {
    readonly workflow?: Readonly<Partial<Record<IssueState, string>>>;
    readonly columns?: readonly string[];
    readonly automation?: readonly NewBoardRule[];
    readonly maxRunning?: number | null;
  };
  readonly pr: {
    readonly issue?: string | null;
    readonly requiredApprovals?: number;
    readonly requiredChecks?: readonly string[];
    readonly autoMerge?: boolean;
    /** With `autoMerge`: slug or id of the account with which it is merged. */
    readonly account?: string;
  };
}

export interface PlacesQuery {
  /** The outermost state. */
  readonly state?: string;
  /** Only those of this organisation. */
  readonly org?: string;
  /** Only those of this repository. */
  readonly repo?: string;
  /** Where the page before ended. */
  readonly after?: string;
  /** Newest first. Default 50, at most 200. */
  readonly limit?: number;
}

export interface PlacePage<Kind extends PlaceKind> {
  readonly places: readonly PlaceViews[Kind][];
  readonly next?: string;
}

export interface MergeOrder {
  /** True: as soon as possible, unless commits are pushed before. Otherwise now or not at all. */
  readonly whenReady?: boolean;
  /** Slug or id; needed only if the caller may use several. */
  readonly account?: string;
}

export interface PlaceActs {
  listPlaces<Kind extends PlaceKind>(principal: Principal, kind: Kind, query?: PlacesQuery): Promise<PlacePage<Kind>>;
  /** Throws `not_found`. */
  getPlace<Kind extends PlaceKind>(principal: Principal, kind: Kind, id: string): Promise<PlaceViews[Kind]>;
  /**
   * Agents in rules work for the caller, who needs `agents:act` for rules that are new, and `tools:call` for `autoMerge`. Throws
   * `not_found` for a pull request, an issue or an account that does not exist, and `invalid_input` for an agent, a column or a
   * repository, with the nearest name.
   */
  updatePlace<Kind extends PlaceKind>(
    principal: Principal,
    place: { readonly kind: Kind; readonly id: string },
    changes: PlaceChanges[Kind],
  ): Promise<PlaceViews[Kind]>;
  /**
   * Moves the card and applies the rules of the column. Throws `not_found`, and `conflict` for an issue that is not on
   * the board.
   */
  moveCard(
    principal: Principal,
    project: string,
    to: { readonly issue: string; readonly column: string },
  ): Promise<ProjectView>;
  /**
   * Merges as the caller, with one of the caller's accounts. Throws `not_found`, `ambiguous` if several accounts would do, and
   * `conflict` with the reasons if it cannot be merged now.
   */
  mergePullRequest(principal: Principal, id: string, order?: MergeOrder): Promise<PullRequestView>;
  /** Throws `conflict` unless it was told to be merged when ready. */
  callOffMerge(principal: Principal, id: string): Promise<PullRequestView>;
  /** Begins a new billing period now: what was used counts from zero. */
  startBillingPeriod(principal: Principal, org: string): Promise<OrgView>;
}
