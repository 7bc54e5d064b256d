/** Finding the right tool: an index of tools in memory, searched by words, by name and by app. */
export type { Weights as RankWeights } from './rank/order.js';
export type { DiscoveredTool, Hit, SearchContext, SearchOptions, SearchResult } from './tool.js';
export { createToolIndex, type ToolIndex, type ToolIndexOptions } from './tool-index.js';
