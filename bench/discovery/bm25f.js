// A plain BM25F, written by hand: four fields, a stemmer for a few endings, no synonyms, no routing by app, nothing learned.
import { stopWords } from './stop-words.js';

const fields = [
  { of: (tool) => tool.toolkitName ?? tool.toolkit, weight: 4, length: 0.3 },
  { of: (tool) => tool.name, weight: 6, length: 0.75 },
  { of: ({ description = '', searchWords = '' }) => `${description} ${searchWords}`, weight: 1, length: 0.75 },
  { of: (tool) => namesOf(tool.parameters).join(' '), weight: 0.1, length: 0.75 },
];
const saturation = 1.2;

const namesOf = (parameters = {}) => Object.keys(parameters.properties ?? parameters);
const stem = (word) => (word.length > 4 ? word.replace(/(?:ing|ies|es|ed|e|y|s)$/, '') : word.replace(/s$/, ''));
const wordsOf = (text) =>
  (text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => !stopWords.has(word))
    .map(stem);

function countWords(texts) {
  const counts = texts.map((text) => {
    const words = new Map();
    for (const word of wordsOf(text)) words.set(word, (words.get(word) ?? 0) + 1);
    return words;
  });
  const lengths = counts.map((words) => [...words.values()].reduce((sum, count) => sum + count, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return { counts, lengths, mean };
}

/** Finds the ten best; `toolkits` may narrow it. */
export function bm25fOf(tools) {
  const weighted = tools.map(() => new Map());
  for (const { of, weight, length } of fields) {
    const { counts, lengths, mean } = countWords(tools.map(of));
    for (const [at, words] of counts.entries()) {
      const norm = 1 - length + (length * lengths[at]) / mean;
      for (const [word, count] of words)
        weighted[at].set(word, (weighted[at].get(word) ?? 0) + (weight * count) / norm);
    }
  }
  const postings = new Map();
  for (const [at, words] of weighted.entries())
    for (const [word, amount] of words) {
      if (!postings.has(word)) postings.set(word, []);
      postings.get(word).push(at, amount / (saturation + amount));
    }
  const scores = new Float64Array(tools.length);
  return (text, { toolkits } = {}) => {
    const allowed = toolkits && new Set(toolkits);
    scores.fill(0);
    const touched = [];
    for (const word of new Set(wordsOf(text))) {
      const list = postings.get(word) ?? [];
      const found = list.length / 2;
      const rarity = Math.log(1 + (tools.length - found + 0.5) / (found + 0.5));
      for (let at = 0; at < list.length; at += 2) {
        if (scores[list[at]] === 0) touched.push(list[at]);
        scores[list[at]] += rarity * list[at + 1];
      }
    }
    const within = allowed ? touched.filter((at) => allowed.has(tools[at].toolkit)) : touched;
    return best(within, scores).map((at) => tools[at].id);
  };
}

function best(places, scores) {
  const first = [];
  for (const at of places) {
    if (first.length === 10 && scores[at] <= scores[first[9]]) continue;
    let to = first.length;
    while (to > 0 && scores[first[to - 1]] < scores[at]) to -= 1;
    first.splice(to, 0, at);
    if (first.length > 10) first.pop();
  }
  return first;
}
