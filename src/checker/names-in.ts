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
    const before = tokens[index - 1]?.text;
    const isMember = before === '.' || before === '?.';
    const owner = isMember ? tokens[index - 2] : undefined;
    if (kind === 'name' && !isMember) {
      free.add(text);
      if (text === 'env' || text === 'globalThis') envIsPassedOn ||= !isReadAt(tokens, index);
    } else if (kind === 'name') {
      (owner?.text === 'env' || owner?.text === 'globalThis' ? free : members).add(text);
      if (text === 'env') envIsPassedOn ||= !isReadAt(tokens, index);
    } else if (kind === 'string' || kind === 'literal') {
      const key = kind === 'literal' ? text.slice(1, -1) : text;
      if (before === '[' && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) free.add(key);
    }
  }
  return [...free, ...(envIsPassedOn ? members : [])];
}

/** Whether the name at `index` is only the object of which a member is read. */
function isReadAt(tokens: ReturnType<typeof tokenize>, index: number): boolean {
  const after = tokens[index + 1]?.text;
  return after === '.' || after === '?.' || after === '[';
}
