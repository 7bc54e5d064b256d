/**
 * Access to an index for training: the candidates of a request as numbers, in no order. Not part of the package's
 * public interface.
 */
import { atOnce } from '../util/slices.js';
import { createCatalogueState, getId } from './catalogue-state.js';
import { groupByToolkit } from './group-by-toolkit.js';
import { buildShard } from './postings/build-shard.js';
import { idIn } from './postings/shard.js';
import type { ActCandidate } from './rank/act-wording.js';
import { findCandidates } from './rank/candidates.js';
import { getFitness, type Ordering } from './rank/fitness.js';
import { readRequest } from './rank/request.js';
import { listActs, listNames } from './search.js';
import { loadWordVectors } from './semantic/word-vectors.js';
import type { DiscoveredTool, SearchOptions } from './tool.js';

export { actClasses, actFacts, createActReader, listActMarks } from './rank/act-wording.js';
export { listBundledMarks, meanOfStems } from './rank/bundled-wording.js';
export { featureNames } from './rank/features.js';
export { fitnessWidth, requestFactNames, strata, stratumOf } from './rank/fitness.js';
export { listNameMarks, scaleOf } from './rank/name-wording.js';
export { createWording, listMarks, meanVector } from './rank/wording.js';
export { loadWordVectors } from './semantic/word-vectors.js';
export { stem } from './text/stem.js';

export interface ExaminedRequest {
  /** Best by words first. */
  readonly ids: readonly string[];
  readonly features: Float32Array;
  /** The stems of its text, in order. */
  readonly said: readonly string[];
  /** What the candidates do, and the stems of their names. */
  readonly acts: readonly ActCandidate[];
  readonly names: readonly (readonly string[])[];
  /** The numbers of `rank/fitness.ts`. */
  fitness(ordering: Ordering): Float32Array;
}

/** Creates an index with the word vectors of this file, by default the shipped ones. */
export async function createTrainingIndex(tools: readonly DiscoveredTool[], words?: string) {
  const vectors = await loadWordVectors(words);
  const state = createCatalogueState();
  for (const group of atOnce(groupByToolkit(tools))) {
    const built = atOnce(buildShard(group, state.vocabulary, vectors));
    atOnce(state.enter(built));
  }
  atOnce(state.settle(0));
  const actions = new Map(
    state.shards.flatMap((shard) =>
      shard === undefined
        ? []
        : Array.from({ length: shard.size }, (_, tool): [string, number] => [
            idIn(shard, tool),
            shard.facts().actions[tool] ?? 0,
          ]),
    ),
  );
  return {
    /** What a tool does, as verb classes. */
    actionOf: (id: string): number => actions.get(id) ?? 0,
    /** The stems of a text, in order, as `createActReader` is given them. */
    said: (text: string): readonly string[] => readRequest(state, text, {}, vectors).query.said,
    candidates(text: string, options: SearchOptions): ExaminedRequest {
      const request = readRequest(state, text, options, vectors);
      const found = findCandidates(state, request, vectors, []);
      return {
        ids: found.places.map((place) => getId(state, place)),
        features: found.features,
        said: request.query.said,
        acts: listActs(state, found),
        names: listNames(state, found),
        fitness: (ordering) => getFitness(request, found, ordering),
      };
    },
  };
}
