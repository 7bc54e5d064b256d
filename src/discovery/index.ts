/** Finds the right tool: an in-memory index of tools, searched by words, by name and by app. */
export {
  type Capability,
  checkAgainst,
  checkIntent,
  type Intent,
  type IntentCheck,
  listCapabilities,
  readIntent,
} from './capability.js';
export { isSpokenOf, maxSpeaking } from './rank/missing.js';
export { digestOf, snapshotStamp } from './stamp.js';
export type { Answer, DiscoveredTool, Hit, SearchContext, SearchOptions, SearchResult, SearchTier } from './tool.js';
export { createToolIndex, type ToolIndex, type ToolIndexOptions } from './tool-index.js';
