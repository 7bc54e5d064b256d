/** What a process knows of a workspace: its sources, their elements, an index of words and one of formulas. */

import type { Element, SourceHead } from '../../../util/extract/elements.js';
import { isAllowed } from '../sources.js';
import type { IndexedSource, Scope, WordIndex } from './model.js';
import { state } from './state.js';
import { mathGrams, splitWords } from './words.js';

async function openIndexes(): Promise<{ words: WordIndex; formulas: WordIndex }> {
  const { default: MiniSearch } = (await import('minisearch')) as unknown as {
    default: new (options: object) => WordIndex;
  };
  const common = { processTerm: (term: string) => term, storeFields: [], autoVacuum: true };
  state.words ??= new MiniSearch({ ...common, fields: ['text', 'heading', 'name', 'context'], tokenize: splitWords });
  state.formulas ??= new MiniSearch({ ...common, fields: ['formula'], tokenize: mathGrams });
  return { words: state.words, formulas: state.formulas };
}

export async function addSources(sources: readonly IndexedSource[], removed: readonly string[]): Promise<void> {
  const { words, formulas } = await openIndexes();
  for (const path of removed) dropSource(path);
  for (const { path, hash, updatedAt, content } of sources) {
    dropSource(path);
    const [first = '', second = '[]', third] = content.split('\n');
    const head = JSON.parse(first) as SourceHead;
    const elements = JSON.parse(second) as Element[];
    const vectors = getVectors(third, elements.length);
    const ids = elements.map((element, index) => {
      const id = state.nextId;
      state.nextId += 1;
      state.elements.set(id, { path, element, vector: vectors?.[index], model: head.model });
      const { place, text, context = '' } = element;
      const symbol = place.symbol && `${place.symbol.container ?? ''} ${place.symbol.name}`;
      const name = [path, symbol ?? '', place.sheet ?? ''].join(' ');
      words.add({ id, text, heading: place.heading?.join(' ') ?? '', name, context });
      if (element.type === 'formula') formulas.add({ id, formula: text });
      return id;
    });
    state.sources.set(path, { head, hash, updatedAt, ids });
  }
}

function dropSource(path: string): void {
  for (const id of state.sources.get(path)?.ids ?? []) {
    const kept = state.elements.get(id);
    state.words?.discard(id);
    if (kept?.element.type === 'formula') state.formulas?.discard(id);
    state.elements.delete(id);
  }
  state.sources.delete(path);
}

function getVectors(base64: string | undefined, count: number): Int8Array[] | undefined {
  if (!base64 || count === 0) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const length = bytes.length / count;
  if (!Number.isInteger(length)) return undefined;
  const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: count }, (_, index) => all.slice(index * length, (index + 1) * length));
}

export function inScope({ types, prefix, allowed, language }: Scope): (id: number) => boolean {
  const ofPath = new Map<string, boolean>();
  return (id) => {
    const kept = state.elements.get(id);
    if (!kept) return false;
    if (types && !types.includes(kept.element.type)) return false;
    if (language !== undefined && kept.element.language !== language) return false;
    const known = ofPath.get(kept.path);
    if (known !== undefined) return known;
    const seen = (prefix === undefined || kept.path.startsWith(prefix)) && isAllowed(allowed, kept.path);
    ofPath.set(kept.path, seen);
    return seen;
  };
}

export interface ListedSource {
  readonly path: string;
  readonly hash: string;
  readonly updatedAt: string;
  readonly head: SourceHead;
}

/** By path. */
export function listSources(scope: Scope, after: string | undefined, most: number) {
  const { prefix, allowed } = scope;
  const paths = [...state.sources.keys()].filter(
    (path) => (prefix === undefined || path.startsWith(prefix)) && isAllowed(allowed, path),
  );
  const left = paths.filter((path) => after === undefined || path > after).sort();
  const sources: ListedSource[] = left.slice(0, most).flatMap((path) => {
    const source = state.sources.get(path);
    return source ? [{ path, hash: source.hash, updatedAt: source.updatedAt, head: source.head }] : [];
  });
  return { sources, total: paths.length, more: left.length > most };
}
