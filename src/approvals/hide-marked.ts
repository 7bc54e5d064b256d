/**
 * Arguments as shown to the person who decides on them: exact, except what the tool's schema itself marks as secret
 * (`writeOnly`, `format: password`). Nothing is guessed from names or shapes: an agent chooses both, and could hide
 * behind them what it wants to run.
 */
import type { JsonObject, JsonSchema, JsonValue } from '../domain/json.js';
import { findSecretMarks, type SecretMarks } from '../schema/index.js';
import { isPlainObject } from '../util/canonical.js';

export const hiddenMark = '[hidden: the tool marks this as secret]';

export function hideMarked(input: JsonObject, schema: JsonSchema): JsonObject {
  const marks = findSecretMarks(schema);
  return marks === undefined ? input : (hide(input, marks) as JsonObject);
}

function hide(value: JsonValue, marks: SecretMarks): JsonValue {
  if (value !== null && marks.isSecret) return hiddenMark;
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => hide(item, marks.item(index)));
  if (!isPlainObject(value)) return value;
  // Entries, not assignment: a member may be named __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, hide(member as JsonValue, marks.member(name))]),
  );
}
