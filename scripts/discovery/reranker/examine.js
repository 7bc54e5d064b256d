// The training catalogue as an index, and requests as the networks see them.
import { dist } from './dist.js';
import { embellish } from './embellish.js';
import { createLuck } from './luck.js';
import { alike, makeRequest, makeSummary } from './requests.js';

const load = (path) => import(new URL(path, dist));
const { createTrainingIndex } = await load('discovery/training.js');

export const { actFacts, featureNames, requestFactNames, fitnessWidth, strata, stratumOf } =
  await load('discovery/training.js');
const width = featureNames.length;

/** An index of these tools by the names of their APIs. */
export async function openCatalogue(tools, vectors) {
  const groups = new Map();
  for (const tool of tools) {
    const group = groups.get(tool.toolkit);
    if (group === undefined) groups.set(tool.toolkit, [tool]);
    else group.push(tool);
  }
  const toIndexed = ({ id, toolkit, title, name, description, searchWords, parameters }) => ({
    id,
    toolkit,
    toolkitName: title,
    name,
    description,
    searchWords,
    parameters: Object.fromEntries(parameters.map((key) => [key, {}])),
  });
  const index = await createTrainingIndex(tools.map(toIndexed), vectors);
  return { tools, groups, names: [...groups.keys()], index };
}

/** A request for one or more tools of the catalogue, with the toolkits it may use if not all. `words` are ordinary words. */
export function drawRequest({ tools, groups, names }, words, luck) {
  const tool = luck.pick(groups.get(luck.pick(names)));
  const same = groups.get(tool.toolkit);
  const others = luck.chance(0.25)
    ? [luck.pick(same), luck.pick(luck.chance(0.6) ? same : tools)]
        .slice(luck.below(2))
        .filter(({ id }) => id !== tool.id)
    : [];
  const summary = others.length === 0 && luck.chance(0.12) ? makeSummary(alike(tool, same), luck) : undefined;
  const plain = summary ?? makeRequest(tool, others, luck);
  const request = luck.chance(0.2) ? embellish(plain, words, luck) : plain;
  const isNarrow = request.isAnonymous === true && luck.chance(0.7);
  const some = Array.from({ length: luck.below(12) }, () => luck.pick(names));
  return { ...request, toolkit: tool.toolkit, toolkits: isNarrow ? [tool.toolkit, ...some] : undefined };
}

/** Whether each number is among the greatest `most` of its kind. */
function isAmongBest(values, most) {
  const least = [...values].sort((a, b) => b - a)[most - 1] ?? Number.NEGATIVE_INFINITY;
  return values.map((value) => value >= least);
}

const textAt = featureNames.indexOf('text');
const cosineAt = featureNames.indexOf('cosine');

/**
 * The right candidates of a request, those it is confused with, and the nearest others by words and by meaning; undefined if
 * none is right. Tools that do the same as the right ones are left out. `acts` are the `actFacts` of the candidates.
 */
export function examine({ index, readActs }, request, { byWords, byMeaning }) {
  const { text, toolkits, relevant, not = [], same = [] } = request;
  const found = index.candidates(text, toolkits === undefined ? {} : { toolkits });
  const [wanted, wrong, left] = [relevant, not, same].map((ids) => new Set(ids));
  const columnOf = (feature) => found.ids.map((_, at) => found.features[at * width + feature]);
  const isNear = [isAmongBest(columnOf(textAt), byWords), isAmongBest(columnOf(cosineAt), byMeaning)];
  const kept = found.ids
    .map((id, at) => ({ at, id, isRight: wanted.has(id) }))
    .filter(({ id, at, isRight }) => isRight || wrong.has(id) || (!left.has(id) && isNear.some((near) => near[at])));
  if (!kept.some(({ isRight }) => isRight)) return undefined;
  const features = new Float32Array(kept.length * width);
  const acts = new Float32Array(kept.length * actFacts.length);
  const facts = readActs(request)(found.said, found.acts);
  for (const [to, { at }] of kept.entries()) {
    features.set(found.features.subarray(at * width, (at + 1) * width), to * width);
    acts.set(facts.subarray(at * actFacts.length, (at + 1) * actFacts.length), to * actFacts.length);
  }
  return { features, acts, count: kept.length, relevant: Uint8Array.from(kept, ({ isRight }) => Number(isRight)) };
}

/** Maximum number of wrong tools that a right one of the same toolkit is compared with. */
const maxWrong = 25;

/**
 * The candidates of a request in the toolkits of its right tools, as `learnNames` is given them; undefined if none is right, or all
 * are. `score` is that of the first network, `weights` what each of `actFacts` adds to it.
 */
export function examineNames({ index, readActs }, request, { score, weights }) {
  const { text, needed, relevant } = request;
  const { ids, features, said, acts, names } = index.candidates(text, { toolkits: needed });
  const facts = readActs(request)(said, acts);
  const wanted = new Set(relevant);
  const all = ids
    .map((id, at) => ({
      words: names[at],
      base: weights.reduce(
        (sum, weight, one) => sum + weight * facts[at * weights.length + one],
        score(features, at * width),
      ),
      isRight: wanted.has(id),
    }))
    .sort((a, b) => b.base - a.base);
  const right = all.filter(({ isRight }) => isRight);
  const wrong = all.filter(({ isRight }) => !isRight).slice(0, maxWrong);
  return right.length === 0 || wrong.length === 0 ? undefined : { said, candidates: [...right, ...wrong] };
}

/** What the second network sees of a request made from the text `origin`, and whether a right tool is among the first ten. */
export function examineFitness({ index }, { text, origin = text, toolkits, relevant = [] }, { score, wordingOf }) {
  const found = index.candidates(text, toolkits === undefined ? {} : { toolkits });
  const order = found.ids
    .map((_, at) => ({ at, score: score(found.features, at * width) }))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const [best, next] = order;
  if (best === undefined) return undefined;
  const numbers = found.fitness({
    at: best.at,
    best: best.score,
    next: next?.score ?? best.score - 10,
    wording: wordingOf(text, origin),
  });
  return { numbers, isFound: order.slice(0, 10).some(({ at }) => relevant.includes(found.ids[at])) };
}

export { createLuck };
