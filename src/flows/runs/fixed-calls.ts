/**
 * Calls that are known before they are made, as the program of a run: each is made once, whatever dies meanwhile, and waits for an
 * approval like any other. One that fails does not keep the next from being made.
 */
import type { Door } from '../../domain/execution.js';
import type { JsonValue } from '../../domain/json.js';
import { ToolCallError } from './answers.js';

export interface FixedCall {
  /** The tool's model-facing name. */
  readonly tool: string;
  readonly input: JsonValue;
}

export interface FixedCalls {
  readonly calls: readonly FixedCall[];
  /** The door of the request that they were made for; absent if there was none. */
  readonly door?: Door;
}

/** Returns the answers in the order of the calls. Throws the first error once all have been made. */
export async function makeFixedCalls(
  { calls }: FixedCalls,
  call: (name: string, input: JsonValue) => Promise<JsonValue>,
): Promise<{ readonly answers: readonly JsonValue[] }> {
  const answers: JsonValue[] = [];
  const errors: ToolCallError[] = [];
  for (const { tool, input } of calls)
    try {
      answers.push(await call(tool, input));
    } catch (error) {
      if (!(error instanceof ToolCallError)) throw error;
      errors.push(error);
    }
  const [first] = errors;
  if (first) throw first;
  return { answers };
}
