/** The tools of a toolkit in few words, for lists of many. */
import type { RiskTier, Tool } from './tool.js';

export interface SwitchedTool {
  readonly tool: Tool;
  /** Whether the workspace has it switched on. */
  readonly enabled: boolean;
}

export interface ToolSummariesQuery {
  /** Words that its name, title or description has. */
  readonly search?: string;
  /** Name of a tool: only those after it, or before it, in the order of their names. At most one of them. */
  readonly after?: string;
  readonly before?: string;
  /** Default 50, at most 500. */
  readonly limit?: number;
}

export interface ToolSummary {
  /** Within the toolkit. */
  readonly name: string;
  readonly title: string;
  /** The first sentence of its description, at most 200 characters. */
  readonly summary: string;
  readonly risk: RiskTier;
  /** What it does to what is there. */
  readonly effect: 'reads' | 'adds' | 'replaces';
  readonly enabled: boolean;
  readonly group?: string;
}

export interface ToolSummaryPage {
  readonly tools: readonly ToolSummary[];
  /** All that match, on all pages. */
  readonly total: number;
  /** `after` of the next page. */
  readonly next?: string;
  /** `before` of the previous page. */
  readonly previous?: string;
}
