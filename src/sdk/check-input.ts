/** Arguments as the plane would judge them, for SDKs that want to know before they call. */

import type { JsonObject } from '../domain/json.js';
import { fillDefaults, schemaIssues } from '../schema/index.js';
import { isPlainObject } from '../util/canonical.js';
import { withoutInjectedKeys } from '../util/injected-keys.js';
import type { BoundTool } from './bind-tools.js';

export type CheckedInput =
  | { readonly ok: true; readonly value: JsonObject }
  /** `message` is for the model: what is wrong, where, and what to do. */
  | { readonly ok: false; readonly message: string };

/** `value` has what frameworks injected dropped, and is otherwise what was sent: the plane fills in defaults. */
export function checkInput({ name, inputSchema }: BoundTool, sent: unknown): CheckedInput {
  const given = sent === undefined || sent === null ? {} : sent;
  if (!isPlainObject(given)) {
    return refused(name, 'The arguments are not an object', 'Send a JSON object with the arguments by name.');
  }
  const value = withoutInjectedKeys(given, inputSchema) as JsonObject;
  const filled = structuredClone(value);
  fillDefaults(inputSchema, filled);
  const issues = schemaIssues(inputSchema, filled);
  if (issues.length === 0) return { ok: true, value };
  const problem = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return refused(name, problem, `Correct the arguments and call ${name} again.`);
}

function refused(name: string, problem: string, hint: string): CheckedInput {
  return { ok: false, message: `invalid_input: ${name}: ${problem}\nHint: ${hint}` };
}
