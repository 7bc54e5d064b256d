/** Copies of whole stores, in a form that is independent of the database. */
export type { Counters } from './counters.js';
export { type EmptyStore, type FilledWorkspace, fillStore, isEmptyStore } from './fill.js';
export type { TableLayout } from './layout.js';
export { moveAway } from './moved.js';
export { type CopyRow, createTableSum, decodeRow, encodeRow, type TableSum } from './rows.js';
export { isHelve, type StoreSnapshot, withSnapshot } from './snapshot.js';
