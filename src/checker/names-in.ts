/** Finds the namespaces that a program may mean, from its tokens alone: sometimes too many, never too few. */
import { tokenize } from '../util/program/index.js';

/**
 * Returns all free names, and the names after `env.` or in `env['…']`. If `env` is used in any other way, for example assigned
 * to a variable, the names of all members in the program are included.
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
