/** Answers questions to the index with hits: the element, the words around the match and its exact line. */

import { defined } from '../../../util/defined.js';
import type { ElementType } from '../../../util/extract/elements.js';
import { findFormulas, findNear, findSymbols, findWords } from './find.js';
import type { Found, Hit, Scope } from './model.js';
import { state } from './state.js';
import { queryWords, splitWords } from './words.js';

export type SearchMessage =
  | {
      readonly act: 'words' | 'formulas' | 'symbols' | 'codebase' | 'multimodal';
      readonly query: string;
      readonly scope: Scope;
      readonly most: number;
    }
  | {
      readonly act: 'near';
      readonly query: string;
      readonly vector: readonly number[];
      readonly model: string;
      readonly scope: Scope;
      readonly most: number;
    };

export function searchIndex(message: SearchMessage): { hits: Hit[]; without: number } {
  const { query, scope, most } = message;
  const hits = (found: readonly Found[]) => ({ hits: found.map((one) => toHit(query, one)), without: 0 });
  switch (message.act) {
    case 'words':
      return hits(findWords(query, scope, most));
    case 'formulas':
      return hits(findFormulas(query, scope, most));
    case 'symbols':
      return hits(findSymbols(query, scope, most));
    case 'codebase':
      return hits(inCodebase(query, scope, most));
    case 'multimodal':
      return hits(balanced(query, scope, most));
    case 'near': {
      const { found, without } = findNear(message.vector, message.model, scope, most);
      return { ...hits(found), without };
    }
  }
}

/** Symbols with the given name come first, then other symbols and texts by turns. */
function inCodebase(query: string, scope: Scope, most: number): Found[] {
  const symbols = findSymbols(query, scope, most);
  const named = symbols.filter(({ score }) => score >= 30);
  const others = symbols.filter(({ score }) => score < 30);
  const texts = findWords(query, { ...scope, types: ['code'] }, most);
  return [...named, ...byTurns([texts, others])].slice(0, most);
}

function balanced(query: string, scope: Scope, most: number): Found[] {
  const types: readonly ElementType[] = scope.types ?? ['text', 'table', 'image', 'formula', 'symbol', 'code'];
  const groups = types
    .map((type) => {
      const ofType: Scope = { ...scope, types: [type] };
      const found = type === 'formula' ? findFormulas(query, ofType, most) : findWords(query, ofType, most);
      // A measure that is the same for all groups: the share of the question's words that matched.
      const terms = queryWords(query).length || 1;
      return { found, best: (found[0]?.terms.length ?? 0) / terms + (found[0]?.score ?? 0) / 1_000 };
    })
    .filter(({ found }) => found.length > 0)
    .sort((one, other) => other.best - one.best);
  return byTurns(groups.map(({ found }) => found)).slice(0, most);
}

function byTurns(groups: readonly (readonly Found[])[]): Found[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  const found: Found[] = [];
  for (let turn = 0; turn < longest; turn += 1) {
    for (const group of groups) {
      const next = group[turn];
      if (next) found.push(next);
    }
  }
  return found;
}

function toHit(query: string, { id, score, terms }: Found): Hit {
  const kept = state.elements.get(id);
  if (!kept) throw new Error(`There is no element ${id}`);
  const { path, element } = kept;
  const wanted = new Set(terms.length > 0 ? terms : queryWords(query));
  const rows = element.text.split('\n');
  const lined = element.type === 'table' || element.type === 'code';
  const best = lined ? bestRow(rows, wanted, query, element.type === 'table') : 0;
  const line = element.rows?.length === rows.length ? element.rows[best] : undefined;
  let snippet: string;
  if (element.type === 'table')
    snippet = [...new Set([0, best])].map((row) => (rows[row] ?? '').slice(0, 600)).join('\n');
  else if (lined)
    snippet = rows
      .slice(Math.max(0, best - 2), best + 3)
      .join('\n')
      .slice(0, 800);
  else snippet = getWindow(element.text, wanted);
  return { path, element: { ...element, text: '' }, snippet, score, ...defined({ line }) };
}

/**
 * The row with the most different words of the query. A row that contains the query literally comes first, and a header
 * counts a little less.
 */
function bestRow(rows: readonly string[], wanted: ReadonlySet<string>, query: string, headed: boolean): number {
  let best = 0;
  let most = 0;
  rows.forEach((row, index) => {
    const met = new Set(splitWords(row).filter((word) => wanted.has(word))).size;
    const score = met + (row.includes(query) ? 100 : 0) - (headed && index === 0 ? 0.5 : 0);
    if (score > most) {
      most = score;
      best = index;
    }
  });
  return best;
}

function getWindow(text: string, wanted: ReadonlySet<string>): string {
  const width = 400;
  if (text.length <= width) return text;
  const places: { at: number; words: readonly string[] }[] = [];
  for (const { index, 0: token } of text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
    const words = splitWords(token).filter((word) => wanted.has(word));
    if (words.length > 0) places.push({ at: index, words });
  }
  let start = 0;
  let most = 0;
  places.forEach(({ at }, from) => {
    const near = new Set<string>();
    for (let next = from; next < places.length; next += 1) {
      const place = places[next];
      if (!place || place.at - at > width - 60) break;
      for (const word of place.words) near.add(word);
    }
    if (near.size > most) {
      most = near.size;
      start = at;
    }
  });
  let from = Math.max(0, Math.min(start - 60, text.length - width));
  if (from > 0) from = Math.min(start, text.indexOf(' ', from) + 1 || from);
  const cut = text.slice(from, from + width).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '… ' : ''}${cut.trim()}${from + width < text.length ? ' …' : ''}`;
}
