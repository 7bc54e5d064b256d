/** Prepares the input for the tool's schema: a private copy, framework keys dropped, defaults filled in. */

import { HelveError } from '../../../domain/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../../../domain/json.js';
import type { Tool } from '../../../domain/tool.js';
import { schemaIssues, withDefaults } from '../../../schema/index.js';
import { canonicalJson, isPlainObject, orderedJson } from '../../../util/canonical.js';
import { sha256 } from '../../../util/hash.js';
import { withoutInjectedKeys } from '../../../util/injected-keys.js';
import { toolSignature } from '../../../util/tool-signature.js';
import { type Refusal, type ResolvedCall, refusal, type ValidCall } from '../calls.js';

/** `draft`: some arguments are not known yet, so they need not fit the schema. */
export function validate(
  call: ResolvedCall,
  { draft = false }: { readonly draft?: boolean } = {},
): ValidCall | Refusal {
  const { tool, name } = call.target;
  try {
    const input = readInput(tool, call.request.input);
    refuseRounded(input, name);
    const issues = draft ? [] : schemaIssues(tool.inputSchema, input);
    if (issues.length > 0) {
      throw new HelveError(
        'invalid_input',
        `${name}: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
        {
          hint: `Correct the arguments and call ${name} again: ${name}${toolSignature(tool)}. Its schema: ${schemaText(tool.inputSchema)}`,
          details: { issues },
        },
      );
    }
    // A literal that starts with a spread and then grows takes a microsecond more.
    return { input, inputHash: sha256(canonicalJson(input)), ...call };
  } catch (error) {
    if (error instanceof HelveError) return refusal('input.schema', error);
    throw error;
  }
}

/** A number with more digits than a JavaScript number holds was rounded when it was read: as an id it would name something else. */
function refuseRounded(value: JsonValue, name: string, key = ''): void {
  if (Array.isArray(value)) for (const one of value) refuseRounded(one, name, key);
  else if (isPlainObject(value))
    for (const [member, one] of Object.entries(value)) refuseRounded(one as JsonValue, name, member);
  else if (Number.isInteger(value) && !Number.isSafeInteger(value) && /ids?$/i.test(key))
    throw new HelveError(
      'invalid_input',
      `${name}: ${key} has more digits than a number holds exactly: it was rounded to ${value}`,
      {
        hint: 'Nothing was sent, because that may name another thing. Send the digits as text, in quotes. If the tool does not take text there, look for one that does.',
      },
    );
}

/**
 * Returns the arguments for the tool: under their present names, with defaults, without keys that frameworks add.
 * Throws `invalid_input` if they are not an object.
 */
export function readInput(tool: Tool, sent: unknown): JsonObject {
  const given = withPresentNames(withoutInjected(sent, tool.inputSchema), tool.inputAliases);
  return withDefaults(tool.inputSchema, JSON.parse(orderedJson(given)) as JsonObject);
}

function withoutInjected(sent: unknown, schema: JsonSchema): Record<string, unknown> {
  const value = sent === undefined || sent === null ? {} : sent;
  if (!isPlainObject(value)) {
    throw new HelveError('invalid_input', 'The arguments are not an object', {
      hint: 'Send a JSON object with the arguments by name.',
    });
  }
  return withoutInjectedKeys(value, schema);
}

/** Renames arguments with former names. If both names are given, the schema refuses the former one. */
function withPresentNames(input: Record<string, unknown>, aliases: Tool['inputAliases'] = {}): Record<string, unknown> {
  const old = Object.entries(aliases).filter(
    ([before, now]) => Object.hasOwn(input, before) && !Object.hasOwn(input, now),
  );
  if (old.length === 0) return input;
  const names = new Map(old);
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [names.get(name) ?? name, value]));
}

function schemaText(schema: unknown): string {
  const text = JSON.stringify(schema);
  return text.length <= 600 ? text : `${text.slice(0, 600)}…`;
}
