// Trains the network that orders candidates and the network that decides whether anything fits. The requests and the
// catalogue are both made from public documentation.
import { readCatalogue } from './catalogue.js';
import {
  createLuck,
  drawRequest,
  examine,
  examineFitness,
  featureNames,
  fitnessWidth,
  openCatalogue,
  requestFactNames,
} from './examine.js';
import { createNetwork, scoreOf, toWeights, train } from './network.js';
import { makeStranger } from './strangers.js';

const settings = {
  seed: 20_261_122,
  requests: 16_000,
  candidates: 40,
  hidden: 32,
  fitnessRequests: 28_000,
  near: 5,
  lost: 0.02,
};

/** The weights of both networks. `words` are ordinary words, `vectors` the file of theirs; `report` is called with the progress. */
export async function trainRanker(pairs, words, vectors, report) {
  const tools = readCatalogue(pairs, settings.seed).filter(({ query }) => query !== '');
  const catalogue = await openCatalogue(tools, vectors);
  report(`${catalogue.tools.length} tools of ${catalogue.names.length} APIs`);
  const order = trainOrder(catalogue, words, report);
  const score = (features, start) => scoreOf(order, features, start);
  const { network, threshold } = trainFitness(catalogue, words, score, report);
  const features = [...featureNames, ...requestFactNames];
  return { features, order: toWeights(order), fitness: toWeights(network), threshold };
}

function trainOrder(catalogue, words, report) {
  const luck = createLuck(settings.seed + 1);
  const groups = [];
  while (groups.length < settings.requests) {
    const group = examine(catalogue, drawRequest(catalogue, words, luck), settings.candidates);
    if (group !== undefined) groups.push(group);
    if (group !== undefined && groups.length % 4_000 === 0) report(`${groups.length} requests examined`);
  }
  const network = createNetwork(featureNames.length, settings.hidden, settings.seed + 2);
  const how = { epochs: 12, rate: 0.01, decay: 0.003, batch: 32, seed: settings.seed + 3 };
  train(network, groups, how, (epoch, loss) =>
    report(`order, round ${epoch + 1} of ${how.epochs}: loss ${loss.toFixed(4)}`),
  );
  return network;
}

/** Some toolkits, as often few as many, or undefined for all. */
function drawToolkits({ names }, luck) {
  if (luck.chance(0.3)) return undefined;
  const count = Math.floor(600 ** luck.next());
  return [...new Set(Array.from({ length: count }, () => luck.pick(names)))];
}

/** A request whose tool exists, one whose app is missing, and one that no tool can serve; each with few or many tools. */
function trainFitness(catalogue, words, score, report) {
  const luck = createLuck(settings.seed + 4);
  const samples = [];
  const look = (request, toolkits) => examineFitness(catalogue, { ...request, toolkits }, score, settings.near);
  for (let number = 0; number < settings.fitnessRequests; number++) {
    const request = drawRequest(catalogue, words, luck);
    const among = drawToolkits(catalogue, luck);
    const known = look(request, among && [...new Set([request.toolkit, ...among])]);
    if (known?.isRight) samples.push({ numbers: known.numbers, isFit: true, isPlaced: request.isAnonymous !== true });
    if (luck.chance(0.6)) {
      const without = (drawToolkits(catalogue, luck) ?? catalogue.names).filter((name) => name !== request.toolkit);
      const gone = without.length === 0 ? undefined : look(request, without);
      if (gone !== undefined && !gone.isRight) samples.push({ numbers: gone.numbers, isFit: false });
    }
    if (luck.chance(0.6)) {
      const stranger = look({ text: makeStranger(words, luck), relevant: [] }, drawToolkits(catalogue, luck));
      if (stranger !== undefined) samples.push({ numbers: stranger.numbers, isFit: false });
    }
  }
  const network = createNetwork(fitnessWidth, 12, settings.seed + 5);
  // A sample compared with zero: the output of the network is the log-odds that it fits.
  const groups = samples.map(({ numbers, isFit }) => {
    const features = new Float32Array(2 * fitnessWidth);
    features.set(numbers);
    return { features, count: 2, relevant: Uint8Array.from([Number(isFit), Number(!isFit)]) };
  });
  const how = { epochs: 15, rate: 0.005, decay: 0.0005, batch: 32, seed: settings.seed + 6 };
  train(network, groups, how, (epoch, loss) =>
    report(`fitness, round ${epoch + 1} of ${how.epochs}: loss ${loss.toFixed(4)}`),
  );
  const valuesOf = (chosen) => chosen.map(({ numbers }) => scoreOf(network, numbers, 0)).sort((a, b) => a - b);
  // Among thousands of tools, words alone cannot distinguish a request without an app's name from small talk.
  const placed = valuesOf(samples.filter(({ isPlaced }) => isPlaced));
  const threshold = Math.round((placed[Math.floor(placed.length * settings.lost)] ?? 0) * 1e4) / 1e4;
  const strangers = valuesOf(samples.filter(({ isFit }) => !isFit));
  const declined = strangers.filter((value) => value < threshold).length / strangers.length;
  report(`threshold ${threshold}: ${(100 * declined).toFixed(1)} % of ${strangers.length} declined`);
  return { network, threshold };
}
