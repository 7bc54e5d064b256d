/**
 * What its maker and the operator may change about a tool, as one hash: its definition, its `tool_config`, and its settings. A person
 * approves a call as it is with these.
 */
import type { Connection } from '../../domain/connection.js';
import type { JsonObject } from '../../domain/json.js';
import type { Tool } from '../../domain/tool.js';
import { canonicalJson } from '../../util/canonical.js';
import { sha256 } from '../../util/hash.js';
import type { PipelineParts } from './parts.js';

export type SetupParts = Pick<PipelineParts, 'findSetup'>;

export interface MeantTool {
  readonly tool: Tool;
  /** The tool's entry in the `tool_config` of the grant. */
  readonly config: JsonObject;
  readonly connection: Connection | undefined;
}

/** When the account signed in; undefined without an account, and if its service says whose it is: then the time does not matter. */
export const findUnvouchedSignIn = (connection: Connection | undefined): string | undefined =>
  connection?.account === undefined ? connection?.connectedAt : undefined;

/** Undefined if there is nothing that they may change. */
export async function hashMeaning(
  { tool, config, connection }: MeantTool,
  { findSetup }: SetupParts,
): Promise<string | undefined> {
  const definition = tool.definition?.hash;
  const setup = await findSetup(tool, connection);
  if (setup !== undefined) return sha256(canonicalJson([definition ?? null, config, setup]));
  return Object.keys(config).length === 0 ? definition : sha256(canonicalJson([definition ?? null, config]));
}
