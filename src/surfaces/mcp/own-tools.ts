/** The tools of a door that does not offer those of the plane: what such a door must supply. */
import type { ProgressUpdate } from '../../domain/context.js';
import type { JsonValue } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { McpTool } from '../../formats/index.js';
import { cut, type KnownTools } from './known-tools.js';

export interface OwnCall {
  readonly principal: Principal;
  readonly name: string;
  readonly input: unknown;
  /** Aborted when the caller has given up. */
  readonly signal: AbortSignal;
  readonly onProgress: (update: ProgressUpdate) => void;
}

export interface OwnResult {
  readonly text: string;
  readonly structured?: JsonValue;
  readonly isError?: true;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface OwnTools {
  list(principal: Principal): readonly McpTool[];
  /** Undefined if no tool has this name. */
  call(call: OwnCall): Promise<OwnResult | undefined>;
}

/** What a caller may use follows from its permissions alone, so nothing is kept and nothing changes. */
export function knowOwnTools(tools: OwnTools): KnownTools {
  return {
    list: async (principal, page) => cut(tools.list(principal), page),
    find: async (principal, name) => tools.list(principal).find((tool) => tool.name === name),
    onChange: () => () => undefined,
    close: () => undefined,
  };
}
