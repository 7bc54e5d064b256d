/**
 * Ranked full text search with MiniSearch (BM25+). Runs in a process of its own kind, so that no query can destroy the
 * index.
 */
import MiniSearch from 'minisearch';
import type * as slimdom from 'slimdom';
import type { IndexedText, SearchRequest, SearchResult } from './messages.js';
import { parseDocument } from './parse-xml.js';
import { state } from './state.js';

/** Case and accents are ignored. */
function foldWord(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The words between the tags, and the values of attributes, which count for less. */
function toText(document: slimdom.Document): { text: string; attributes: string } {
  const text: string[] = [];
  const attributes: string[] = [];
  const pending: slimdom.Node[] = [document];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.nodeType === 3 || node.nodeType === 4) text.push(node.nodeValue ?? '');
    if (node.nodeType === 1) {
      for (const { name, value } of (node as slimdom.Element).attributes) {
        if (!/^xmlns(:|$)/.test(name)) attributes.push(value);
      }
      text.push(' ');
    }
    for (let at = node.childNodes.length - 1; at >= 0; at -= 1) {
      const child = node.childNodes[at];
      if (child) pending.push(child);
    }
  }
  const tidy = (parts: readonly string[], by: string): string => parts.join(by).replace(/\s+/g, ' ').trim();
  return { text: tidy(text, ''), attributes: tidy(attributes, ' ') };
}

export function addToIndex(added: readonly IndexedText[], removed: readonly string[]): void {
  state.index ??= new MiniSearch({
    idField: 'path',
    fields: ['text', 'attributes', 'name'],
    storeFields: ['text', 'attributes'],
    processTerm: (term: string) => foldWord(term) || null,
    autoVacuum: true,
  });
  for (const path of removed) if (state.index.has(path)) state.index.discard(path);
  for (const { path, content } of added) {
    if (state.index.has(path)) state.index.discard(path);
    const words = toText(parseDocument(content, 10_000));
    state.index.add({ path, name: path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/i, ''), ...words });
  }
}

export function searchIndex({ query, prefix = '', paths, most }: SearchRequest): readonly SearchResult[] {
  const { index } = state;
  if (!index) return [];
  const only = paths && new Set(paths);
  const filter = ({ id }: { id: string }): boolean => id.startsWith(prefix) && (only === undefined || only.has(id));
  const found = index.search(query, {
    boost: { text: 1, name: 1, attributes: 0.5 },
    prefix: (term: string) => term.length > 3,
    weights: { prefix: 0.4, fuzzy: 0.2 },
    filter,
  });
  return found.slice(0, most).map(({ id, score, match }) => {
    const stored = index.getStoredFields(id) ?? {};
    const words = new Set(Object.keys(match));
    const inText = Object.values(match).some((fields) => fields.includes('text'));
    const source = String(inText ? stored.text : `${stored.attributes ?? ''} ${stored.text ?? ''}`);
    return { path: id, score: Math.round(score * 10_000) / 10_000, snippet: getSnippet(source, words) };
  });
}

/** About 200 characters around the place with the most different words of the query. */
function getSnippet(text: string, words: ReadonlySet<string>): string {
  const width = 200;
  const found: { at: number; word: string }[] = [];
  for (const { index, 0: token } of text.matchAll(/[^\p{Z}\p{P}\p{S}\s]+/gu)) {
    const word = foldWord(token);
    if (words.has(word)) found.push({ at: index, word });
    if (found.length >= 500) break;
  }
  let best = { at: 0, different: 0 };
  found.forEach(({ at }, place) => {
    const near = new Set<string>();
    for (let next = place; next < found.length; next += 1) {
      const other = found[next];
      if (!other || other.at - at > width * 0.7) break;
      near.add(other.word);
    }
    if (near.size > best.different) best = { at, different: near.size };
  });
  let from = Math.max(0, best.at - width * 0.3);
  if (from > 0) from = text.indexOf(' ', from) + 1 || from;
  if (from > best.at) from = best.at;
  let to = Math.min(text.length, from + width);
  if (to < text.length) to = Math.max(text.lastIndexOf(' ', to), best.at + 20);
  // A cut may split a character of two units.
  const cut = text
    .slice(from, to)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    .trim();
  return `${from > 0 ? '… ' : ''}${cut}${to < text.length ? ' …' : ''}`;
}
