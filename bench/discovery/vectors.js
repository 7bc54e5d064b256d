// What word vectors find by themselves: the first 150 hits of the index, sorted by the cosine of summed vectors. The vector of
// a request is made of its words; that of a tool of its name and app, and with half the weight of its description.
// node bench/discovery/vectors.js [name=FILE …]   compares the shipped vectors with others; HELVE_DIST names another build.
import { benchmarks, isHere, readCorpus } from './corpora.js';
import { fromDist } from './dist.js';
import { measure } from './measures.js';

const { createToolIndex } = await fromDist('discovery/index.js');
const { splitName, splitProse } = await fromDist('discovery/text/split-words.js');
const { loadWordVectors } = await fromDist('discovery/semantic/word-vectors.js');
const { featureNames } = await fromDist('discovery/rank/features.js');

const candidates = 150;
/** The index with weights set by hand, without vectors and without anything learned. */
const byHand = { text: 1, name: 0.75, asked: 0.2, action: 0.4, app: 3 };
const plainRanker = {
  vectors: undefined,
  score: (features, start) =>
    featureNames.reduce((sum, name, at) => sum + (byHand[name] ?? 0) * features[start + at], 0),
  probability: () => 1,
  nothing: 0,
  perhaps: 0,
};
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

function sumOf(vectors, words) {
  const sum = new Float32Array(vectors.dimensions);
  for (const word of words) {
    const row = vectors.find(word);
    if (row >= 0) vectors.addTo(row, sum, vectors.weight(row));
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}

const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);

/** Combines both orders by the sum of 1 / (10 + rank). */
function fuse(one, other) {
  const sums = new Map(one.map((id, rank) => [id, 1 / (10 + rank)]));
  for (const [rank, id] of other.entries()) sums.set(id, sums.get(id) + 1 / (10 + rank));
  return [...sums].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** The vector of a tool: its name and its app's name, plus its description with half the weight. */
function vectorOf(vectors, tool) {
  const name = sumOf(vectors, [...splitProse(tool.toolkitName), ...splitName(tool.name)]);
  const prose = sumOf(vectors, splitProse(tool.description).slice(0, 80));
  return name.map((value, at) => value + 0.5 * prose[at]);
}

function reorder(vectors, tools) {
  const known = new Map();
  const of = (id) => {
    if (!known.has(id)) known.set(id, sumUnit(vectorOf(vectors, tools.get(id))));
    return known.get(id);
  };
  return (text, ids) => {
    const query = sumOf(vectors, splitProse(text));
    const scored = ids.map((id) => ({ id, score: dot(query, of(id)) }));
    return scored.sort((a, b) => b.score - a.score).map(({ id }) => id);
  };
}

function sumUnit(vector) {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** Milliseconds to read the shipped vectors (median of 9, the file in the system's cache) and the memory they hold. */
async function costOfLoading() {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const held = await loadWordVectors();
  globalThis.gc?.();
  const after = process.memoryUsage();
  const bytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  const times = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    await loadWordVectors();
    times.push(performance.now() - began);
  }
  const ms = times.sort((a, b) => a - b)[4];
  return `${held.size} words: ${ms.toFixed(1)} ms, ${(bytes / 2 ** 20).toFixed(1)} MB${globalThis.gc ? '' : ' (inexact: run with --expose-gc)'}`;
}

const named = process.argv.slice(2).map((one) => one.split('='));
const engines = { 'no vectors': (_text, ids) => ids };
const loaded = Object.fromEntries(
  await Promise.all(
    [...named, ['shipped']].map(async ([name, path]) => [name, await loadWordVectors(...(path ? [path] : []))]),
  ),
);
console.log(`node ${process.version}; ${await costOfLoading()}`);
for (const corpus of ['composio', ...benchmarks]) {
  const { tools, sets } = await readCorpus(corpus);
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const index = await createToolIndex(tools, { ranker: plainRanker });
  for (const [name, vectors] of Object.entries(loaded)) {
    const order = reorder(vectors, byId);
    engines[name] = order;
    engines[`${name}, with the index`] = (text, ids) => fuse(ids, order(text, ids));
  }
  for (const [name, requests] of Object.entries(sets)) {
    const runs = Object.fromEntries(Object.keys(engines).map((engine) => [engine, []]));
    for (const { text, relevant } of requests) {
      const first = index.search(text, { limit: candidates }).hits.map(({ id }) => id);
      for (const [engine, act] of Object.entries(engines))
        runs[engine].push({ ids: act(text, first), relevant, ms: 0 });
    }
    console.log(`${name}: ${requests.length} requests`);
    const row = ({ r1, r5, r10, ndcg10 }) =>
      Object.fromEntries(Object.entries({ r1, r5, r10, ndcg10 }).map(([key, value]) => [key, value.toFixed(3)]));
    console.table(Object.fromEntries(Object.entries(runs).map(([engine, rows]) => [engine, row(measure(rows))])));
  }
}
