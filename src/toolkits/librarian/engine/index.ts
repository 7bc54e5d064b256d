/** The embedded engine as the rest of the toolkit sees it. */
export { askEngine, type EngineProcess, queryProcesses, searchProcesses } from './launch.js';
export type { EngineAnswers, EngineMessage, IndexedText, SearchResult, Variable } from './messages.js';
