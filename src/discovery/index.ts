/** Finds the right tool: an in-memory index of tools, searched by words, by name and by app. */
export { createWellKnownApps, listToolkitNames, type WellKnownApps } from './apps/well-known.js';
export {
  type Capability,
  checkAgainst,
  checkIntent,
  type Intent,
  type IntentCheck,
  listCapabilities,
  readIntent,
} from './capability.js';
export { compare, type KeyedTool } from './embeddings/nearness.js';
export { embeddedText } from './embeddings/text.js';
export { normalised, type UnitVector } from './embeddings/unit-vector.js';
export { createVectorTable, type PackedVectors, type VectorTable } from './embeddings/vector-table.js';
export { wordedAct } from './rank/act-wording.js';
export { usualWording } from './rank/bundled.js';
export { isSpokenOf, maxSpeaking } from './rank/missing.js';
export { digestOf, snapshotStamp } from './stamp.js';
export { splitName, splitProse, squash } from './text/split-words.js';
export { stem } from './text/stem.js';
export { stopWords } from './text/vocabulary-data.js';
export type {
  Answer,
  DiscoveredTool,
  Hit,
  Likeness,
  SearchContext,
  SearchOptions,
  SearchResult,
  SearchTier,
} from './tool.js';
export { createToolIndex, type ToolIndex, type ToolIndexOptions } from './tool-index.js';
