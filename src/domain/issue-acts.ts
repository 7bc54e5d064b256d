/** What a door can ask about issues. An issue belongs to one workspace and is visible only there. */
import type { JsonValue } from './json.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { Issue, IssueComment, StoredToolConfig, TaskLimits, TaskUsage, ToolConfig } from './task.js';
import type { ResolvedToolConfig } from './task-scope.js';

/**
 * `account`: no account of the app that the person may use. `grant`: the agent has no grant for it. `excluded`: one level requires
 * the app and another excludes it. `model`: this installation has no model. `worker`: nobody can do the work. `limit`: the
 * organisation or the project has no room.
 */
export const blockReasons = ['account', 'grant', 'excluded', 'model', 'worker', 'limit'] as const;
export type BlockReason = (typeof blockReasons)[number];

/** What waits before an issue can go on. */
export interface IssueBlocker {
  /** Absent for an issue that was blocked before reasons were kept. */
  readonly reason?: BlockReason;
  readonly app?: string;
  readonly message: string;
  /** Where a person connects the app. */
  readonly connectUrl?: string;
}

export const issueStates = [
  'idle',
  'preparing',
  'blocked',
  'executing',
  'verifying',
  'failed',
  'done',
  'cancelled',
] as const;
export type IssueState = (typeof issueStates)[number];

/** An issue with what its machine says. */
export interface IssueView extends Omit<Issue, 'workspaceId'> {
  readonly state: IssueState;
  /** Within `executing`: `working`, `waiting_for_approval`, `waiting_for_answer` or `backing_off`. */
  readonly phase?: string;
  readonly agent?: string;
  readonly onBehalfOf?: PrincipalRef;
  readonly attempts: number;
  readonly blockedBy: readonly IssueBlocker[];
  /** The run of the present attempt, if its work has begun. */
  readonly run?: string;
  /** What it waits for while a person is asked. */
  readonly waitsFor?: JsonValue;
  /** What the present attempt handed in: what is verified. */
  readonly result?: JsonValue;
  readonly lastError?: { readonly code?: string; readonly message: string };
  /** What the last verification found. */
  readonly verification?: JsonValue;
  readonly delivered?: JsonValue;
  readonly usage: TaskUsage;
  readonly lastHeartbeat?: string;
  /** Number of the events that were applied. */
  readonly version: number;
  /** In the answer to its filing: that the name of its repository could not be checked. */
  readonly notice?: string;
}

export interface NewIssue
  extends Partial<Pick<Issue, 'body' | 'labels' | 'org' | 'repo' | 'project' | 'tools' | 'recipe' | 'checks'>> {
  readonly title: string;
  readonly limits?: Partial<TaskLimits>;
}

/** Absent fields stay unchanged. */
export interface IssueChanges
  extends Partial<Pick<Issue, 'title' | 'body' | 'labels' | 'project' | 'tools' | 'checks' | 'limits'>> {
  /** null removes it. */
  readonly recipe?: string | null;
}

export interface IssuesQuery {
  readonly state?: IssueState;
  readonly org?: string;
  readonly repo?: string;
  readonly project?: string;
  /** Slug or id of the agent that it is assigned to. */
  readonly agent?: string;
  /** Id of the person or key for whom that agent works. */
  readonly person?: string;
  /** In the title or the text, whatever its case. */
  readonly text?: string;
  /** Where the page before ended. */
  readonly after?: string;
  /** Newest first. Default 50, at most 200. */
  readonly limit?: number;
}

export interface IssuePage {
  readonly issues: readonly IssueView[];
  readonly next?: string;
}

export interface CheckDecision {
  /** Its place among the checks of the issue, from 0. */
  readonly check: number;
  readonly accepted: boolean;
  /** Read by the next attempt if it is not accepted. */
  readonly reason?: string;
}

export type TimelineEntry =
  | { readonly what: 'created'; readonly at: string; readonly by: PrincipalRef }
  | { readonly what: 'comment'; readonly at: string; readonly comment: IssueComment }
  /** `state`: after the event, as in `executing.working`. */
  | {
      readonly what: 'event';
      readonly at: string;
      readonly type: string;
      readonly state?: string;
      readonly attempt?: number;
      /** The id of the run of that attempt, if the event says it. */
      readonly run?: string;
      /** Why: the error of an attempt, the reasons of a rejection, what is missing. */
      readonly why?: string;
      readonly setAside?: string;
    };

export type ToolConfigPlace = Pick<StoredToolConfig, 'level' | 'id'>;

export interface SetToolConfig extends ToolConfig {
  /** The versions that may be replaced. Absent: any version. */
  readonly ifMatch?: readonly string[];
}

export interface ToolConfigView extends ToolConfig {
  /** Changes whenever the config changes. */
  readonly version: string;
  /** In the answer to a change: that the name of the repository could not be checked. */
  readonly notice?: string;
}

export interface IssueActs {
  /**
   * Throws `invalid_input` for a recipe or a repository that does not exist, with the nearest name, and for a recipe that is for another
   * repository.
   */
  createIssue(principal: Principal, issue: NewIssue): Promise<IssueView>;
  listIssues(principal: Principal, query?: IssuesQuery): Promise<IssuePage>;
  /** Throws `not_found`, as all that follow. */
  getIssue(principal: Principal, id: string): Promise<IssueView>;
  /**
   * Throws `conflict` for an issue that is done, `forbidden` for an agent that changes the checks of an issue of others, and the errors
   * of `createIssue` for a recipe.
   */
  updateIssue(principal: Principal, id: string, changes: IssueChanges): Promise<IssueView>;
  commentIssue(principal: Principal, id: string, text: string): Promise<IssueComment>;
  /**
   * Gives the issue to an agent, which acts for the caller. Throws `not_found` for an unknown agent, and `conflict` in a state
   * in which an issue cannot be assigned, and for one with a recipe if the agent cannot follow recipes.
   */
  assignIssue(
    principal: Principal,
    id: string,
    to: { readonly agent: string; readonly tools?: ToolConfig },
  ): Promise<IssueView>;
  /** Throws `conflict` for an issue that is done or has no agent. */
  unassignIssue(principal: Principal, id: string): Promise<IssueView>;
  /** Begins again, for whom it was assigned. Throws `conflict` unless it has failed or was cancelled. */
  retryIssue(principal: Principal, id: string): Promise<IssueView>;
  /** Throws `conflict` for an issue that is done or cancelled. */
  cancelIssue(principal: Principal, id: string): Promise<IssueView>;
  /**
   * Records a person's judgement when verification asks for it. Throws `forbidden` for somebody else than the person
   * who is asked, and `conflict` if the issue does not ask this.
   */
  decideCheck(principal: Principal, id: string, decision: CheckDecision): Promise<IssueView>;
  /** Oldest first: its making, the newest 200 comments and the last 50 events. */
  getIssueTimeline(principal: Principal, id: string): Promise<readonly TimelineEntry[]>;
  /** Yields the issue as it is, and again after every event. */
  followIssue(principal: Principal, id: string, signal?: AbortSignal): AsyncIterable<IssueView>;
  /** The config of one level; an empty one where nothing was set. */
  getToolConfig(principal: Principal, place: ToolConfigPlace): Promise<ToolConfigView>;
  /** Throws `precondition_failed` if the present version is not in `ifMatch`. */
  putToolConfig(principal: Principal, place: ToolConfigPlace, config: SetToolConfig): Promise<ToolConfigView>;
  /** The config of this level and all above it, as one, with the level that decided about each app. */
  getEffectiveToolConfig(principal: Principal, place: ToolConfigPlace): Promise<ResolvedToolConfig>;
}
