/** Code mode: what an agent's tools look like to a program. */
import type { CodeIssue } from './code.js';
import type { Principal } from './principal.js';

export interface DeclarationsQuery {
  /** Names of namespaces, or slugs of toolkits or connections. If omitted: all that the caller has. */
  readonly only?: readonly string[];
  /** Only these tools, by model-facing name. Unknown names are left out. */
  readonly tools?: readonly string[];
  /**
   * `full`: every type. `index`: a line for each tool. Default `full`, or `index` if that would be more than 200 tools
   * and `only` is omitted.
   */
  readonly format?: 'full' | 'index';
}

/** One object of a program: the tools of a connection, or of a toolkit without accounts. */
export interface NamespaceInfo {
  /** `workGithub`. */
  readonly name: string;
  /** A second name: that of the toolkit, while the caller has one connection to it. */
  readonly alias?: string;
  readonly toolkit: string;
  readonly title: string;
  /** Slug of the account that its tools act with. */
  readonly connection?: string;
  /** The account, as the service describes it. */
  readonly account?: string;
  /** How many tools it has. */
  readonly tools: number;
}

export interface ToolDeclarations {
  readonly format: 'full' | 'index';
  /** `full`: TypeScript, a `declare namespace` for each. */
  readonly text: string;
  readonly namespaces: readonly NamespaceInfo[];
}

export interface CodeVerdict {
  /** Whether there is no issue. */
  readonly ok: boolean;
  /** In the order of the text. */
  readonly issues: readonly CodeIssue[];
}

export interface CodeActs {
  /**
   * Prints TypeScript declarations of the tools that the caller may use. Throws `forbidden`, and `not_found` for a name
   * that is no namespace, toolkit or connection of the caller.
   */
  toolDeclarations(principal: Principal, query: DeclarationsQuery): Promise<ToolDeclarations>;
  /**
   * Checks a whole TypeScript program against the caller's tools; runs nothing and calls nothing. Throws `forbidden`,
   * `cancelled` and `shutting_down`.
   */
  checkCode(principal: Principal, code: string, signal?: AbortSignal): Promise<CodeVerdict>;
}
