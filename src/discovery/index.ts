/** Finding the right tool: an index of tools in memory, searched by words, by name and by app. */
export {
  type Capability,
  capabilitiesOf,
  checkAgainst,
  checkIntent,
  type Intent,
  type IntentCheck,
  readIntent,
} from './capability.js';
export type { DiscoveredTool, Hit, SearchContext, SearchOptions, SearchResult, SearchTier } from './tool.js';
export { createToolIndex, type ToolIndex, type ToolIndexOptions } from './tool-index.js';
