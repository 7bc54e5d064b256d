// Trains the network that orders candidates, and the network that says how probable it is that any of them fits.
import { bundledRequests, integrationRequests } from '../bundled.js';
import { hashOf } from '../kept-out.js';
import { learnActs } from './acts.js';
import { learnBundledWording } from './bundled-wording.js';
import { calibrate } from './calibrate.js';
import { readCatalogue } from './catalogue.js';
import {
  actFacts,
  createLuck,
  examine,
  examineNames,
  featureNames,
  fitnessWidth,
  requestFactNames,
} from './examine.js';
import { addSaid, learnNames } from './names.js';
import { createNetwork, fromWeights, scoreOf, toWeights, train } from './network.js';
import { drawSamples } from './samples.js';
import { learnWording } from './wording.js';
import { errands, openBundled, openWorlds, strangers } from './worlds.js';

const settings = {
  seed: 20_261_126,
  /** Requests of each world that the order is learned from, and that the fitness is. */
  order: { documented: 10_000, spoken: 5_000, flat: 1_500, bundled: 1_000 },
  fitness: { documented: 3_000, spoken: 9_000, flat: 5_000, bundled: 3_000 },
  calibration: { documented: 600, spoken: 1_800, flat: 600, bundled: 600 },
  /** The weight of one request: written ones weigh less, because some cannot be found, and those must not decide. */
  weights: { documented: 1, spoken: 0.3, flat: 0.2, bundled: 0.4 },
  /** The same where it is learned how much the acts that a wording speaks for add: all kinds of requests have a say. */
  actWeights: { documented: 1, spoken: 1, flat: 2, bundled: 0.4 },
  /** The weight of one text where the words of names are learned. */
  nameWeights: { asked: 1, described: 0.5, bundled: 0.4 },
  near: { byWords: 24, byMeaning: 14 },
  hidden: 32,
  fitnessHidden: 24,
};

/** One app in ten serves for calibration only, and one text in ten that no tool serves: the networks never see them. */
const isForCalibration = (name) => Number.parseInt(hashOf(name).slice(0, 8) || '0', 16) % 10 === 1;

/** The world with only those requests for which `is` holds. */
function only(world, is) {
  const draw = (luck) => {
    for (;;) {
      const request = world.draw(luck);
      if (is(request)) return request;
    }
  };
  return { ...world, draw };
}

/**
 * The weights of the ranker. `pairs` are documented operations, `written` the tools and requests of real apps, `words`
 * ordinary words, `vectors` the file of their vectors; `report` is called with the progress. With `networks`, weights that this
 * has returned, only what the wording of a request says is learned, and the networks are taken from there.
 */
export async function trainRanker({ pairs, written, words, vectors, networks, report }) {
  const tools = readCatalogue(pairs, settings.seed).filter(({ query }) => query !== '');
  const opened = await openWorlds({ tools, written, words, vectors, luck: createLuck(settings.seed + 7) });
  for (const [name, world] of Object.entries(opened))
    report(`${name}: ${world.tools.length} tools of ${world.names.length} toolkits`);
  const acts = learnActs([
    ...listAsked(
      opened.spoken,
      written.requests.map(({ text, tools: ids }) => ({ text, ids })),
    ),
    ...listAsked(
      opened.bundled,
      bundledRequests.map(({ text, relevant }) => ({ text, ids: relevant })),
    ),
  ]);
  report('acts learned');
  const readActs = ({ toolkit }) => acts.of(toolkit);
  const worlds = Object.fromEntries(Object.entries(opened).map(([name, world]) => [name, { ...world, readActs }]));
  const isLearned = ({ toolkit }) => !isForCalibration(toolkit);
  const learned = { ...worlds, spoken: only(worlds.spoken, isLearned) };
  const groups = drawGroups(learned, report);
  const requests = [...written.requests, ...bundledRequests].map(({ text }) => text);
  const wording = await learnWording(requests, strangers, vectors);
  report('wording learned');
  const trained = networks ?? trainNetworks({ worlds, learned, groups, isLearned, wording, words, report });
  const facts = weighActs(trained.order, groups, report);
  const names = addSaid(learnNames(drawNames(worlds, written.requests, { order: trained.order, facts })));
  report('names learned');
  return { ...trained, wording: wording.weights, acts: { ...acts.weights, facts }, names };
}

/**
 * What people say when they want one of the bundled tools, or one of the integrations. Each is learned apart: a request for one is a
 * stranger to the other, but mail, which both send. `file` has the word vectors.
 */
export async function trainBundled(file) {
  const { index } = await openBundled(file);
  const options = { said: index.said, file };
  const isMail = ({ relevant }) => relevant.some((id) => /^(?:email|smtp)\/|\/send_gmail_message$/.test(id));
  const textsOf = (requests) => requests.filter((request) => !isMail(request)).map(({ text }) => text);
  // More of them make the bundled tools decline what they serve.
  const strange = [...strangers, ...errands, ...textsOf(integrationRequests).filter((_, at) => at % 3 === 0)];
  return {
    bundled: await learnBundledWording(bundledRequests, strange, options),
    integrations: await learnBundledWording(integrationRequests, [...strangers, ...textsOf(bundledRequests)], options),
  };
}

/** All weights but those of the wording. */
function trainNetworks({ worlds, learned, groups, isLearned, wording, words, report }) {
  const order = trainOrder(groups, report);
  const score = (features, start) => scoreOf(order, features, start);
  const examiner = { score, wordingOf: wording.of };
  const draw = (some, counts, { seed, isFor }) =>
    Object.entries(counts).flatMap(([name, count]) =>
      drawSamples(some, name, { count, examiner, words, strangers: strangers.filter(isFor), luck: createLuck(seed) }),
    );
  const seen = { seed: settings.seed + 4, isFor: (text) => !isForCalibration(text) };
  const fitness = trainFitness(draw(learned, settings.fitness, seen), report);
  report('fitness trained');
  const unseen = { ...worlds, spoken: only(worlds.spoken, (request) => !isLearned(request)) };
  const samples = draw(unseen, settings.calibration, { seed: settings.seed + 8, isFor: isForCalibration });
  const curve = calibrate(samples, (numbers) => scoreOf(fitness, numbers, 0), report);
  const features = [...featureNames, ...requestFactNames];
  return { features, order: toWeights(order), fitness: toWeights(fitness), ...curve };
}

/** Requests for tools of a world, as `{ text, ids }`, in the form that acts are learned from. */
function listAsked({ tools, index }, requests) {
  const toolkits = new Map(tools.map(({ id, toolkit }) => [id, toolkit]));
  return requests
    .filter(({ ids }) => ids.every((id) => toolkits.has(id)))
    .map(({ text, ids }) => ({
      said: index.said(text),
      masks: ids.map(index.actionOf),
      toolkit: toolkits.get(ids[0]),
    }));
}

/** What people write and what the catalogue says about its tools, with their candidates, as `learnNames` is given them. */
function drawNames(worlds, written, { order, facts }) {
  const ordering = fromWeights(order);
  const how = { score: (features, start) => scoreOf(ordering, features, start), weights: facts };
  const drawAll = (world, requests, weight) => {
    const toolkits = new Map(world.tools.map(({ id, toolkit }) => [id, toolkit]));
    return requests
      .filter(({ relevant }) => relevant.every((id) => toolkits.has(id)))
      .flatMap(({ text, relevant }) => {
        const needed = [...new Set(relevant.map((id) => toolkits.get(id)))];
        const group = examineNames(world, { text, relevant, needed, toolkit: needed[0] }, how);
        return group === undefined ? [] : { ...group, weight };
      });
  };
  const described = worlds.spoken.tools.filter(({ description }) => description);
  const { nameWeights } = settings;
  return [
    ...drawAll(
      worlds.spoken,
      written.map(({ text, tools: relevant }) => ({ text, relevant })),
      nameWeights.asked,
    ),
    ...drawAll(
      worlds.spoken,
      described.map(({ id, description }) => ({ text: description, relevant: [id] })),
      nameWeights.described,
    ),
    ...drawAll(worlds.bundled, bundledRequests, nameWeights.bundled),
  ];
}

/** The candidates of requests of all worlds, as `train` is given them. */
function drawGroups(worlds, report) {
  const luck = createLuck(settings.seed + 1);
  const groups = [];
  for (const [name, count] of Object.entries(settings.order)) {
    let found = 0;
    for (let left = count; left > 0; left--) {
      const group = examine(worlds[name], worlds[name].draw(luck), settings.near);
      if (group === undefined) continue;
      groups.push({ ...group, world: name, weight: settings.weights[name] });
      found += 1;
    }
    report(`${name}: the right tool is among the candidates of ${found} of ${count} requests`);
  }
  return groups;
}

function trainOrder(groups, report) {
  const network = createNetwork(featureNames.length, settings.hidden, settings.seed + 2);
  const how = { epochs: 10, rate: 0.006, decay: 0.001, batch: 32, seed: settings.seed + 3 };
  train(network, groups, how, (epoch, loss) =>
    report(`order, round ${epoch + 1} of ${how.epochs}: loss ${loss.toFixed(4)}`),
  );
  return network;
}

/** How much each fact of a candidate's act adds to the score that the network has given it. */
function weighActs(order, groups, report) {
  const ordering = fromWeights(order);
  const network = createNetwork(actFacts.length, 0, settings.seed + 9);
  const scored = groups.map(({ features, acts, count, relevant, world }) => ({
    features: acts,
    count,
    relevant,
    weight: settings.actWeights[world],
    base: Float64Array.from({ length: count }, (_, at) => scoreOf(ordering, features, at * featureNames.length)),
  }));
  const how = { epochs: 4, rate: 0.006, decay: 0.001, batch: 32, seed: settings.seed + 10 };
  train(network, scored, how, (epoch, loss) =>
    report(`acts, round ${epoch + 1} of ${how.epochs}: loss ${loss.toFixed(4)}`),
  );
  return toWeights(network).linear;
}

/** A sample compared with zero: the output of the network is the log-odds that a tool fits. */
function trainFitness(samples, report) {
  const network = createNetwork(fitnessWidth, settings.fitnessHidden, settings.seed + 5);
  const groups = samples.map(({ numbers, isFit }) => {
    const features = new Float32Array(2 * fitnessWidth);
    features.set(numbers);
    return { features, count: 2, relevant: Uint8Array.from([Number(isFit), Number(!isFit)]) };
  });
  const how = { epochs: 15, rate: 0.005, decay: 0.0005, batch: 32, seed: settings.seed + 6 };
  train(network, groups, how, (epoch, loss) =>
    report(`fitness, round ${epoch + 1} of ${how.epochs}: loss ${loss.toFixed(4)}`),
  );
  return network;
}
