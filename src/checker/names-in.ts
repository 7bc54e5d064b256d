/** Which namespaces a program may mean: read off its tokens, so it can name too many and never too few. */
import { tokenize } from './tokens.js';

/**
 * The names that stand free, and those after `env.` or in `env['…']`. Where `env` is used in another way, by its name or under
 * one of its own, every member's name is among them.
 */
export function namesIn(code: string): readonly string[] {
  const tokens = tokenize(code);
  const free = new Set<string>();
  const members = new Set<string>();
  let envIsPassedOn = false;
  for (const [index, { kind, text }] of tokens.entries()) {
    const before = tokens[index - 1]?.text ?? '';
    if (kind !== 'name') for (const key of namesInside(text, before)) free.add(key);
    if (kind !== 'name') continue;
    const isMember = /^\??\.$/.test(before) && !holders.test(tokens[index - 2]?.text ?? '');
    (isMember ? members : free).add(text);
    if (holders.test(text)) envIsPassedOn ||= !/^(?:\??\.|\[)$/.test(tokens[index + 1]?.text ?? '');
  }
  return [...free, ...(envIsPassedOn ? members : [])];
}

const holders = /^(?:env|globalThis)$/;
const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** A literal key, and the words of what may be a division after all. */
function namesInside(text: string, before: string): readonly string[] {
  if (text.length > 1 && text.startsWith('/')) return text.match(identifier) ?? [];
  return before === '[' ? (text.match(identifier) ?? []) : [];
}
