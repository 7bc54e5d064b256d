/** The ways to find an element. Each returns ids with scores, from which `ask.ts` makes hits. */
import { inScope } from './keep.js';
import type { Found, Scope } from './model.js';
import { state } from './state.js';
import { fold, mathGrams, mathTokens, queryWords, splitWords } from './words.js';

/** BM25+. Only a word of the query that occurs nowhere may match words that begin with it or are similar to it. */
export function findWords(query: string, scope: Scope, most: number): Found[] {
  const { words } = state;
  const terms = queryWords(query);
  if (!words || terms.length === 0) return [];
  const seen = inScope(scope);
  const filter = ({ id }: { id: number }) => seen(id);
  const exact = { tokenize: (text: string) => [text], prefix: false, fuzzy: false, filter };
  const missing = new Set(terms.filter((term) => words.search(term, exact).length === 0));
  const found = words.search(query, {
    tokenize: () => terms,
    combineWith: 'OR',
    boost: { text: 1, heading: 0.7, name: 0.6, context: 0.3 },
    prefix: (term: string) => missing.has(term) && term.length >= 3,
    fuzzy: (term: string) => (missing.has(term) && term.length >= 5 ? 0.2 : false),
    weights: { prefix: 0.5, fuzzy: 0.3 },
    filter,
  });
  const phrase = plain(query);
  return found
    .slice(0, Math.max(500, most * 4))
    .map(({ id, score, terms: met, queryTerms }, place) => {
      const coverage = new Set(queryTerms).size / terms.length;
      const whole = place < 200 && phrase.includes(' ') && containsPhrase(id, phrase) ? 1.5 : 1;
      return { id, score: score * (0.2 + 0.8 * coverage * coverage) * whole, terms: met };
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, most);
}

function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function containsPhrase(id: number, phrase: string): boolean {
  const text = state.elements.get(id)?.element.text;
  return text !== undefined && ` ${plain(text)} `.includes(` ${phrase} `);
}

/** By the tokens of the formula and by the words around it. */
export function findFormulas(query: string, scope: Scope, most: number): Found[] {
  const ofFormulas: Scope = { ...scope, types: ['formula'] };
  const seen = inScope(ofFormulas);
  const wanted = mathTokens(query).join(' ');
  const grams = [...new Set(mathGrams(query))];
  const byShape =
    grams.length === 0
      ? []
      : (state.formulas?.search(query, {
          tokenize: () => grams,
          filter: ({ id }: { id: number }) => seen(id),
        }) ?? []);
  const scores = new Map<number, { score: number; terms: readonly string[] }>();
  const bestShape = byShape[0]?.score ?? 1;
  for (const { id, score, queryTerms } of byShape.slice(0, 500)) {
    const tokens = mathTokens(state.elements.get(id)?.element.text ?? '').join(' ');
    const same = tokens === wanted ? 2 : ` ${tokens} `.includes(` ${wanted} `) ? 1 : 0;
    const coverage = new Set(queryTerms).size / grams.length;
    scores.set(id, { score: (score / bestShape) * coverage + same * coverage, terms: [] });
  }
  const byWords = findWords(query, ofFormulas, 500);
  const bestWords = byWords[0]?.score ?? 1;
  for (const { id, score, terms } of byWords) {
    scores.set(id, { score: (scores.get(id)?.score ?? 0) + score / bestWords, terms });
  }
  const found = [...scores].map(([id, { score, terms }]) => ({ id, score, terms }));
  return found.sort((one, other) => other.score - one.score).slice(0, most);
}

/** The exact name first, then names that begin with it, then names with all of its parts, then names with some. */
export function findSymbols(query: string, scope: Scope, most: number): Found[] {
  const seen = inScope({ ...scope, types: ['symbol'] });
  const wanted = query.trim();
  const folded = fold(wanted).replace(/[^\p{L}\p{N}]/gu, '');
  const parts = queryWords(wanted);
  const found: Found[] = [];
  for (const [id, { element }] of state.elements) {
    const { symbol } = element.place;
    if (!symbol || !seen(id)) continue;
    const full = symbol.container === undefined ? symbol.name : `${symbol.container}.${symbol.name}`;
    const name = fold(symbol.name).replace(/[^\p{L}\p{N}]/gu, '');
    const own = new Set(splitWords(full));
    const met = parts.filter((part) => own.has(part));
    let score = parts.length === 0 ? 0 : (10 * met.length) / (parts.length + own.size * 0.1);
    if (symbol.name === wanted || full === wanted) score += 100;
    else if (folded !== '' && (name === folded || fold(full).replace(/[^\p{L}\p{N}]/gu, '') === folded)) score += 60;
    else if (folded !== '' && name.startsWith(folded)) score += (30 * folded.length) / name.length;
    else if (met.length === 0) continue;
    if (/^(?:constant|variable|field|property)$/.test(symbol.kind)) score *= 0.9;
    found.push({ id, score, terms: met });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, most);
}

/** By the angle between vectors. */
export function findNear(vector: readonly number[], model: string, scope: Scope, most: number) {
  const seen = inScope(scope);
  const length = Math.hypot(...vector) || 1;
  const found: Found[] = [];
  let without = 0;
  for (const [id, kept] of state.elements) {
    if (!seen(id)) continue;
    if (kept.model !== model || kept.vector?.length !== vector.length) {
      without += 1;
      continue;
    }
    let product = 0;
    let square = 0;
    for (let at = 0; at < vector.length; at += 1) {
      const own = kept.vector[at] ?? 0;
      product += own * (vector[at] ?? 0);
      square += own * own;
    }
    found.push({ id, score: product / (Math.sqrt(square) || 1) / length, terms: [] });
  }
  return { found: found.sort((one, other) => other.score - one.score).slice(0, most), without };
}
