/** The result of a check, with evidence that is short enough to keep and contains no secrets. */
import { redact } from '../../audit/index.js';
import type { JsonValue } from '../../domain/json.js';
import type { Check, CheckResult } from '../../domain/task.js';

/** Characters of JSON. What is longer is kept as its beginning, as text. */
const maxEvidence = 4_000;
const maxReason = 1_000;
const maxName = 100;

export function nameOf(check: Check): string {
  if (check.kind === 'tool') return `tool ${check.tool}`;
  if (check.kind === 'command') return begin(`command ${check.command.join(' ')}`, maxName);
  return check.kind;
}

export const passed = (check: Check, evidence: JsonValue): CheckResult => ({
  check: nameOf(check),
  passed: true,
  evidence: bounded(evidence),
});

export const failed = (check: Check, reason: string, evidence: JsonValue = null): CheckResult => ({
  check: nameOf(check),
  passed: false,
  evidence: bounded(evidence),
  reason: begin(reason, maxReason),
});

/** Why a value does not match its schema. */
export const mismatch = (
  what: string,
  issues: readonly { readonly path: string; readonly message: string }[],
): string => `${what} does not match: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`;

function bounded(value: JsonValue): JsonValue {
  const safe = redact(value);
  const text = JSON.stringify(safe);
  return text.length <= maxEvidence ? safe : begin(text, maxEvidence);
}

/** The beginning of a text, without half a character at its end. */
export function begin(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}…`;
}

/** The end of a text, because the last lines of a program say most. */
export function end(text: string, most: number): string {
  if (text.length <= most) return text;
  return `…${text.slice(1 - most).replace(/^[\uDC00-\uDFFF]/, '')}`;
}
