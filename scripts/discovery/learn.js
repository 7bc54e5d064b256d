// Learns the vectors from pairs. A batch has several tools from each of several APIs, so that tools of the same API, which
// are the hardest to distinguish, are compared with each other.
import { createRandom, shuffle } from './arithmetic.js';
import { createModel, createTrainer, embed } from './model.js';
import { createReader, createViews, isForValidation, stemsOf, talkWords } from './texts.js';

export const settings = {
  seed: 20_261,
  passes: 4,
  toolsOfApi: 8,
  batch: 256,
  temperature: 0.08,
  rates: { change: 0.003, weight: 0.01, map: 0.001, hold: 0.00002 },
};

function batchesOf(texts, { batch, toolsOfApi }, random) {
  const byApi = new Map();
  for (const text of texts) {
    const group = byApi.get(text.api);
    if (group === undefined) byApi.set(text.api, [text]);
    else group.push(text);
  }
  const groups = [];
  for (const members of byApi.values()) {
    const mixed = shuffle([...members], random);
    for (let at = 0; at < mixed.length; at += toolsOfApi) groups.push(mixed.slice(at, at + toolsOfApi));
  }
  const ordered = shuffle(groups, random).flat();
  const batches = [];
  for (let at = 0; at + batch / 2 <= ordered.length; at += batch) batches.push(ordered.slice(at, at + batch));
  return batches;
}

const isUsable = ({ name, summary }) => name.length > 0 && summary.length > 1;

/** How often the tool that a text of the kept pairs belongs to comes first, and the mean of 1/rank, among 500. */
export function validate(model, texts) {
  const some = texts.filter(isUsable);
  let first = 0;
  let reciprocal = 0;
  for (let from = 0; from < some.length; from += 500) {
    const pool = some.slice(from, from + 500);
    const tools = pool.map(({ name }) => embed(model, name).vector);
    for (const [own, { summary }] of pool.entries()) {
      const { vector } = embed(model, summary);
      const scores = tools.map((tool) => tool.reduce((sum, value, at) => sum + value * vector[at], 0));
      const rank = scores.filter((score, at) => score > scores[own] || (score === scores[own] && at < own)).length;
      if (rank === 0) first++;
      reciprocal += 1 / (rank + 1);
    }
  }
  return { texts: some.length, first: first / some.length, reciprocal: reciprocal / some.length };
}

/** The trained model. `report(pass, { loss, …validation })` is called after each pass; pass 0 is before any. */
export function learn(pairs, vocabulary, { report = () => {}, ...options } = {}) {
  const chosen = { ...settings, ...options };
  const { words, starts, logWeights } = vocabulary;
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const read = createReader(rowOf);
  const kept = pairs.filter(isForValidation).map(read);
  const texts = pairs
    .filter((pair) => !isForValidation(pair))
    .map(read)
    .filter(isUsable);
  const random = createRandom(chosen.seed);
  const rowsOf = (list) => list.flatMap((word) => rowOf.get(word) ?? []);
  const noise = { talk: rowsOf(talkWords), others: rowsOf(vocabulary.frequent) };
  const viewsOf = createViews({ stems: stemsOf(words), ...noise }, random);
  const model = createModel({ starts, logWeights, dimensions: starts.length / words.length });
  const trainer = createTrainer(model, chosen);
  report(0, validate(model, kept));
  for (let pass = 1; pass <= chosen.passes; pass++) {
    const batches = batchesOf(texts, chosen, random);
    let loss = 0;
    for (const [at, batch] of batches.entries()) {
      const done = (pass - 1 + at / batches.length) / chosen.passes;
      const views = batch.map(viewsOf);
      loss += trainer.step(
        views.map(([request]) => request),
        views.map(([, tool]) => tool),
        1 - 0.9 * done,
      );
    }
    report(pass, { loss: loss / batches.length, ...validate(model, kept) });
  }
  return model;
}
