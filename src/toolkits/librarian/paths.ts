/** Paths of collections and documents, in one spelling each, and the check which of them an agent may use. */
import { HelveError } from '../../domain/errors.js';

const mostChars = 512;

/** `/db/agents/greeter`: one slash before each part, none after the last. Throws `invalid_input`. */
export function normalisePath(path: string, what = 'collection'): string {
  const refuse = (problem: string): never => {
    throw new HelveError('invalid_input', `The ${what} ${JSON.stringify(path)} ${problem}`, {
      hint: 'Write it like /db/agents/greeter.',
    });
  };
  if (/[\p{Cc}\p{Cf}\p{Cs}\\]/u.test(path)) {
    refuse('contains a control character, an invisible character or a backslash');
  }
  const parts = path.normalize('NFC').split('/');
  if (parts.shift() !== '') refuse('does not begin with /');
  const named = parts.filter((part) => part !== '');
  if (named.length === 0) refuse('names nothing');
  if (named.some((part) => /^\.+$/.test(part) || part.trim() !== part)) {
    refuse('contains a part that is . or .. or begins or ends with a space');
  }
  const normal = `/${named.join('/')}`;
  if (normal.length > mostChars) refuse(`is longer than ${mostChars} characters`);
  return normal;
}

/** Throws `invalid_input`. */
export function documentPath(collection: string, name: string): string {
  if (name.includes('/') || name === '') {
    const problem = `The document_name ${JSON.stringify(name)} is ${name === '' ? 'empty' : 'more than one name'}`;
    throw new HelveError('invalid_input', problem, { hint: 'Name the collection in collection.' });
  }
  return normalisePath(`${normalisePath(collection)}/${name}`, 'document_name');
}

/**
 * The parsed `allowed_collections`: a plain entry is a collection with everything below it, one with `*` is a pattern
 * for documents.
 */
export interface CollectionLimits {
  /** Undefined: no limit. */
  readonly allowed: readonly string[] | undefined;
}

const isPattern = (entry: string): boolean => entry.includes('*');

export function isAllowed({ allowed }: CollectionLimits, path: string): boolean {
  if (allowed === undefined) return true;
  return allowed.some((entry) =>
    isPattern(entry) ? matches(entry.split('/'), path.split('/')) : path.startsWith(`${normalisePath(entry)}/`),
  );
}

/** `**` stands for any number of parts, `*` for any characters within one. */
function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  // Tracks which positions of the pattern can match the parts so far: linear in both.
  let reached = new Set([0]);
  const skip = (positions: Set<number>): Set<number> => {
    for (const at of positions) if (pattern[at] === '**') positions.add(at + 1);
    return positions;
  };
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of skip(reached)) {
      const wanted = pattern[at];
      if (wanted === '**') next.add(at);
      else if (wanted !== undefined && partMatches(wanted, part)) next.add(at + 1);
    }
    reached = next;
  }
  return skip(reached).has(pattern.length);
}

function partMatches(pattern: string, part: string): boolean {
  const pieces = pattern.split('*');
  const [first = ''] = pieces;
  if (pieces.length === 1) return part === pattern;
  const last = pieces.at(-1) ?? '';
  if (!part.startsWith(first) || !part.endsWith(last) || part.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = part.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= part.length - last.length;
}

/** Throws `forbidden`. */
export function checkAllowed(limits: CollectionLimits, path: string): void {
  if (isAllowed(limits, path)) return;
  throw new HelveError('forbidden', `${path} is outside the collections that this agent may use`, {
    hint: `Allowed: ${limits.allowed?.join(', ')}`,
  });
}

/**
 * A collection to list may lie below an allowed one or contain one. Throws `forbidden` if it cannot contain anything
 * allowed.
 */
export function checkCollection(limits: CollectionLimits, collection: string): void {
  const within = (inner: string, outer: string): boolean => `${inner}/`.startsWith(`${outer}/`);
  const reachable = limits.allowed?.some((entry) => {
    const fixed = isPattern(entry) ? entry.slice(0, entry.lastIndexOf('/', entry.indexOf('*'))) : normalisePath(entry);
    return within(collection, fixed) || within(fixed, collection);
  });
  if (reachable !== false) return;
  throw new HelveError('forbidden', `${collection} is outside the collections that this agent may use`, {
    hint: `Allowed: ${limits.allowed?.join(', ')}`,
  });
}
