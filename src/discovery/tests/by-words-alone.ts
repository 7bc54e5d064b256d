/** A ranker that orders by words alone and never abstains, so that no training influences a test. */
import { featureNames } from '../rank/features.js';
import type { Ranker } from '../rank/ranker.js';

const textFeature = featureNames.indexOf('text');

export const byWordsAlone: Ranker = {
  vectors: undefined,
  score: (features, start) => features[start + textFeature] ?? 0,
  probability: () => 1,
  wording: () => 0,
  actBonus: (_, candidates) => candidates.map(() => 0),
  nameOdds: (_, names) => names.map(() => 0),
  bundledTools: new Map(),
  bundled: () => new Map(),
  nothing: 0,
  perhaps: 0,
};
