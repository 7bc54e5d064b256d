/**
 * A document for its readers: any part by its path, without the whole document as objects in memory. The text is scanned
 * once for the positions of its path items and components; each is parsed on demand.
 */
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import type { Sliced } from '../../util/slices.js';
import { limits } from './limits.js';

export type Path = readonly string[];
type PlainObject = Record<string, unknown>;

export interface DocumentView {
  /** The value at the path; undefined if there is none. Callers must not change it. */
  get(path: Path): unknown;
  /** Names of the members of the object at the path. */
  keys(path: Path): readonly string[];
}

/** Returns a view of a document that is already parsed. */
export function objectView(document: PlainObject): DocumentView {
  return {
    get: (path) => descend(document, path),
    keys(path) {
      const value = descend(document, path);
      return isPlainObject(value) ? Object.keys(value) : [];
    },
  };
}

function descend(from: unknown, path: Path): unknown {
  let value = from;
  for (const name of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as PlainObject)[name];
  }
  return value;
}

type Span = readonly [start: number, end: number];
type Members = ReadonlyMap<string, Span>;

/** Of anything that is not an object. */
const noMembers: Members = new Map();

/** Throws `invalid_config` if it is not a JSON object, or nested too deeply. */
export function* textView(text: string): Sliced<DocumentView> {
  const index = new Map<string, Members>();
  const scan = function* (path: Path, start: number): Sliced<Members> {
    const members = text.charCodeAt(start) === openBrace ? yield* scanMembers(text, start) : noMembers;
    index.set(path.join('/'), members);
    return members;
  };
  const root = yield* scan([], skipSpace(text, 0));
  const paths = root.get('paths');
  if (paths) yield* scan(['paths'], paths[0]);
  const components = root.get('components');
  if (components)
    for (const [name, [start]] of yield* scan(['components'], components[0])) yield* scan(['components', name], start);
  return indexedView(text, index);
}

function indexedView(text: string, index: ReadonlyMap<string, Members>): DocumentView {
  const kept = new Map<string, { value: unknown; size: number }>();
  let keptSize = 0;

  const piece = (key: string, [start, end]: Span): unknown => {
    const known = kept.get(key);
    if (known) return known.value;
    const size = end - start;
    if (size > limits.pieceCharacters)
      throw new HelveError(
        'invalid_config',
        `#/${key} has ${size} characters, at most ${limits.pieceCharacters} are read`,
      );
    const value = parsePiece(key, text.slice(start, end));
    kept.set(key, { value, size });
    keptSize += size;
    for (const [oldest, { size: freed }] of kept) {
      if (keptSize <= limits.keptCharacters || oldest === key) break;
      kept.delete(oldest);
      keptSize -= freed;
    }
    return value;
  };
  const get = (path: Path): unknown => {
    for (let length = 1; length <= path.length; length++) {
      const key = path.slice(0, length).join('/');
      const span = index.get(path.slice(0, length - 1).join('/'))?.get(path[length - 1] ?? '');
      if (!span) return undefined;
      if (length === path.length || !index.has(key)) return descend(piece(key, span), path.slice(length));
    }
    return undefined;
  };
  return {
    get,
    keys(path) {
      const members = index.get(path.join('/'));
      if (members) return [...members.keys()];
      const value = get(path);
      return isPlainObject(value) ? Object.keys(value) : [];
    },
  };
}

function parsePiece(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HelveError('invalid_config', `#/${key.slice(0, 200)} is not JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const isOpening = (character: number): boolean => character === openBrace || character === openBracket;
const isClosing = (character: number): boolean => character === closeBrace || character === closeBracket;
const pauseEvery = 200_000;

/** The positions of the members of the object that begins at `from`. */
function* scanMembers(text: string, from: number): Sliced<Members> {
  const members = new Map<string, Span>();
  let depth = 0;
  let key: string | undefined;
  let start = -1;
  let pause = from + pauseEvery;
  const flush = (end: number): void => {
    if (key !== undefined && start >= 0) members.set(key, [start, end]);
    key = undefined;
    start = -1;
  };
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      const end = endOfString(text, at);
      if (depth === 1 && key === undefined) key = parsePiece('a name', text.slice(at, end + 1)) as string;
      at = end;
    } else if (isOpening(character)) {
      depth += 1;
      if (depth > limits.depth) throw tooDeep(at);
    } else if (isClosing(character)) {
      depth -= 1;
      if (depth === 0) {
        flush(at);
        return members;
      }
    } else if (depth === 1 && character === comma) flush(at);
    else if (depth === 1 && character === colon && start < 0) start = skipSpace(text, at + 1);
    if (at > pause) {
      pause = at + pauseEvery;
      yield;
    }
  }
  throw new HelveError('invalid_config', 'The document ends in the middle of its JSON');
}

function tooDeep(at: number): HelveError {
  const problem = `The document is nested deeper than ${limits.depth} levels at character ${at}`;
  return new HelveError('invalid_config', problem);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/[\s\ufeff]/.test(text.charAt(at))) at++;
  return at;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
