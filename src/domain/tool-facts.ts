/** Facts about a tool that are used wherever tools are described. */
import type { JsonObject, JsonValue } from './json.js';

export interface ToolId {
  /** The toolkit's slug: `github`, `math`. */
  readonly toolkit: string;
  /** The tool's own name inside its toolkit: `create_issue`, `calculate`. */
  readonly name: string;
}

/** The four MCP hints. All are stated for every tool; a missing hint would be read as the worst case. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * `read` changes nothing, `write` can be undone, `destructive` cannot and is denied unless a policy says otherwise.
 */
export type RiskTier = 'read' | 'write' | 'destructive';

export interface ToolExample {
  readonly input: JsonObject;
  readonly output?: JsonValue;
  readonly note?: string;
}
