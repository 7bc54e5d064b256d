/** Checks arguments as the plane would, for SDKs that check before they call. */

import type { JsonObject } from '../domain/json.js';
import { schemaIssues, withDefaults } from '../schema/index.js';
import { isPlainObject } from '../util/canonical.js';
import { withoutInjectedKeys } from '../util/injected-keys.js';
import type { BoundTool } from './bind-tools.js';

export type CheckedInput =
  | { readonly ok: true; readonly value: JsonObject }
  /** `message` is for the model: what is wrong, where, and what to do. */
  | { readonly ok: false; readonly message: string };

/** Returns `value` without the keys that frameworks inject, or a message. Defaults are not filled in; the plane does that. */
export function checkInput({ name, inputSchema }: BoundTool, sent: unknown): CheckedInput {
  const given = sent === undefined || sent === null ? {} : sent;
  if (!isPlainObject(given)) {
    return refused(name, 'The arguments are not an object', 'Send a JSON object with the arguments by name.');
  }
  const value = withoutInjectedKeys(given, inputSchema) as JsonObject;
  const issues = schemaIssues(inputSchema, withDefaults(inputSchema, value));
  if (issues.length === 0) return { ok: true, value };
  const problem = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return refused(name, problem, `Correct the arguments and call ${name} again.`);
}

function refused(name: string, problem: string, hint: string): CheckedInput {
  return { ok: false, message: `invalid_input: ${name}: ${problem}\nHint: ${hint}` };
}
