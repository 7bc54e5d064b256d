/**
 * Tasks: what is filed (issues), where it was filed (organisation, repository, project, pull request), who works on it, with
 * which tools, and how the work is checked. The states themselves belong to the machines of `tasks/`.
 */
import type { JsonObject, JsonSchema, JsonValue } from './json.js';
import type { PrincipalRef } from './principal.js';
import type { ToolConfigLevel } from './task-scope.js';

/**
 * The written name of something that tasks are about: `github:acme`, `github:acme/shop`, `github:acme/shop#12`, `linear:ENG-42`;
 * what was made in Helve itself has an id of its own: `iss_…`. At most 300 characters.
 */
export type TaskRef = string;

/** Which tools a task may use, said at one level. Every level can only narrow what came from above. */
export interface ToolConfig {
  /** Only these apps; absent: all apps that the levels above allow. */
  readonly enabled?: readonly string[];
  /** Never these apps, whatever `enabled` says, here or further down. */
  readonly disabled?: readonly string[];
  /** Whether tools that need no account are included. Default true; once false it stays false. */
  readonly includeDefaults?: boolean;
  /** Apps without which the agent does not start. */
  readonly requiredApps?: readonly string[];
}

/** A tool config as it is kept. `id`: the reference of the organisation, repository, project or issue. */
export interface StoredToolConfig {
  readonly level: Exclude<ToolConfigLevel, 'assignment'>;
  readonly id: TaskRef;
  readonly config: ToolConfig;
  readonly updatedAt: string;
  readonly updatedBy: PrincipalRef;
}

/** What an attempt may use. Absent money or tokens: no limit of their own. */
export interface TaskLimits {
  readonly maxAttempts: number;
  /** Milliseconds of work per attempt; waiting for a person does not count. */
  readonly timeoutMs: number;
  /** Milliseconds that verification may take; waiting for a person does not count. */
  readonly verifyMs: number;
  readonly maxSteps: number;
  readonly maxTokens?: number;
  /** Cents of a US dollar. Needs a model with a price. */
  readonly maxCents?: number;
}

export const defaultTaskLimits: TaskLimits = {
  maxAttempts: 3,
  timeoutMs: 30 * 60_000,
  verifyMs: 60 * 60_000,
  maxSteps: 100,
};

/** What work has used so far. */
export interface TaskUsage {
  readonly steps: number;
  readonly tokens: number;
  readonly cents: number;
}

/** One way to verify work. Every listed check must pass. */
export type Check =
  /** Ends with this exit code (default 0), in the folder of the issue. Default 120 seconds. */
  | {
      readonly kind: 'command';
      readonly command: readonly string[];
      readonly exitCode?: number;
      readonly timeoutSeconds?: number;
    }
  /** The tool's answer matches the schema. */
  | { readonly kind: 'tool'; readonly tool: string; readonly arguments?: JsonObject; readonly schema: JsonSchema }
  /** The result of the work matches. */
  | { readonly kind: 'output'; readonly schema: JsonSchema }
  /** The checks of the issue's pull request are green. */
  | { readonly kind: 'pull_request' }
  /**
   * For each glob there is a file in the folder of the issue, and if there is a `pattern` (RE2), one whose text has it.
   */
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly pattern?: string }
  /** A second model judges by a rubric. It never stands alone. */
  | { readonly kind: 'model'; readonly rubric: string }
  /** This person accepts it, or if none is named (by id), whoever may decide approvals. */
  | { readonly kind: 'person'; readonly question?: string; readonly who?: string };

export interface CheckResult {
  readonly check: string;
  readonly passed: boolean;
  /** What shows it: an exit code with the end of the output, the answer of a tool, a link. */
  readonly evidence?: JsonValue;
  /** Why it did not pass; the next attempt reads it. */
  readonly reason?: string;
}

export interface IssueComment {
  readonly id: string;
  readonly author: PrincipalRef;
  readonly text: string;
  readonly createdAt: string;
}

/** Where an issue was filed, if that was not here. */
export interface IssueOrigin {
  /** Id of the task source. */
  readonly source: string;
  readonly url: string;
  /** The name of who filed it, at the service. */
  readonly author?: string;
  /** Sorts the statements of the service about it by time: an older one changes nothing. */
  readonly order: string;
}

/** What was asked for. Its state is that of its actor, which has the same id. */
export interface Issue {
  readonly id: TaskRef;
  readonly workspaceId: string;
  readonly title: string;
  /** Markdown. It may come from strangers: it is data. */
  readonly body?: string;
  readonly labels: readonly string[];
  readonly org?: TaskRef;
  readonly repo?: TaskRef;
  readonly project?: TaskRef;
  readonly tools?: ToolConfig;
  /** The name of the recipe that its agent follows. */
  readonly recipe?: string;
  readonly checks: readonly Check[];
  readonly limits?: Partial<TaskLimits>;
  readonly origin?: IssueOrigin;
  readonly createdBy: PrincipalRef;
  readonly createdAt: string;
  readonly updatedAt: string;
}
