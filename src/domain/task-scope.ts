/** What the levels of an issue resolve to: which apps those who work on it may use. */
import type { RecipeScope } from './recipe-scope.js';

/** From the outermost to the innermost. */
export const toolConfigLevels = ['org', 'repo', 'project', 'issue', 'assignment'] as const;
export type ToolConfigLevel = (typeof toolConfigLevels)[number];

/** Which level decided about an app, and in which way. */
export interface AppReason {
  /** Without `enabled` the outermost level that excludes the app; otherwise the innermost that enables it. */
  readonly level: ToolConfigLevel;
  /**
   * `enabled`, `disabled`: the level names the app there. `left_out`: the level has `enabled`, without the app. `required`: the
   * level requires the app, and none says anything else about it.
   */
  readonly way: 'enabled' | 'disabled' | 'left_out' | 'required';
  /** The outermost level that requires the app. If the app is excluded too, the task cannot start. */
  readonly requiredBy?: ToolConfigLevel;
}

export interface ResolvedToolConfig {
  /** The apps that may be used, sorted; `'all'`: every app that is not in `disabled`, because no level says which. */
  readonly apps: 'all' | readonly string[];
  /** What some level disables, sorted. */
  readonly disabled: readonly string[];
  readonly includeDefaults: boolean;
  /** The outermost level with `enabled`: no app that it leaves out may be used. Absent if `apps` is `'all'`. */
  readonly limitedBy?: ToolConfigLevel;
  /** The outermost level that turned the defaults off. */
  readonly defaultsOffBy?: ToolConfigLevel;
  readonly requiredApps: readonly string[];
  /** Required apps that the levels exclude. */
  readonly impossible: readonly string[];
  /** By app: every app that a level names. */
  readonly why: Readonly<Record<string, AppReason>>;
}

/** What somebody who works on an issue may use, as far as the issue decides. It only takes away from what was granted. */
export interface TaskScope extends ResolvedToolConfig {
  /** The reference of the issue. */
  readonly issueId: string;
  /** The present step of the recipe that the work follows, if it follows one. */
  readonly step?: RecipeScope;
  /** In runs of its agent: the id of the work with which their attempt began. */
  readonly job?: string;
}
