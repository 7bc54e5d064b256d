/**
 * A result as text for a model, within a budget. A notice says what was cut and how to read the rest. A result
 * that is stored behind a handle shows its beginning, its outline and the handle.
 */
import type { ErrorBody } from '../domain/errors.js';
import type { ToolResult, ToolSuccess } from '../domain/execution.js';
import { outputText } from '../util/json-text.js';

/** `text`: what `outputText` makes of the output, if the caller has it already. */
export type WrittenResult = ToolResult & { readonly text?: string };

/** The result itself as JSON, for programs. */
export function standard(result: ToolResult): string {
  return JSON.stringify(result);
}

/** Returns strings bare and everything else as compact JSON. At most `maxChars` characters, except for the notice of a cut. */
export function forModel(result: WrittenResult, maxChars: number): string {
  if (!result.ok) return cut(errorText(result.error), maxChars, () => '');
  return cut(result.text ?? outputText(result.output), maxChars, () => whereTheRestIs(result));
}

/** Returns all of `text` if it fits into the budget, otherwise its beginning and a notice, together within the budget. */
export function cut(text: string, maxChars: number, rest: () => string): string {
  if (text.length <= maxChars) return text;
  const tail = rest();
  const room = maxChars - notice(maxChars, text.length, tail).length;
  const shown = beginning(text, Math.max(0, room));
  return shown + notice(shown.length, text.length, tail);
}

function notice(shown: number, whole: number, tail: string): string {
  return `\n[Cut: the first ${shown} of ${whole} characters.${tail}]`;
}

function whereTheRestIs({ handle }: ToolSuccess): string {
  if (handle === undefined) return ' The rest was not stored.';
  const { shape, expiresAt } = handle;
  return ` Shape: ${shape}. Read the rest with result_read, handle ${handle.handle}, until ${expiresAt}.`;
}

/** Cuts without splitting a surrogate pair. */
function beginning(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Returns an error as text: its code and message, and on lines of their own its hint and its link. */
export function errorText({ code, message, hint, details }: ErrorBody): string {
  const lines = [`${code}: ${message}`];
  if (hint !== undefined) lines.push(`Hint: ${hint}`);
  const url = details?.url;
  if (typeof url === 'string' && !message.includes(url)) lines.push(`Link: ${url}`);
  return lines.join('\n');
}
