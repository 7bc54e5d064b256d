/** The embedded engine as the rest of the toolkit sees it. */
export { type EngineProcess, queryWorker, searchWorker } from './launch.js';
export type { IndexedText, SearchResult, Variable } from './messages.js';
