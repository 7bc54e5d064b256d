/** Stores everything that must outlive the process: SQLite in one file, or PostgreSQL. */
export {
  type CopyRow,
  type Counters,
  createTableSum,
  decodeRow,
  type EmptyStore,
  encodeRow,
  type FilledWorkspace,
  fillStore,
  isEmptyStore,
  moveAway,
  type StoreSnapshot,
  type TableLayout,
  type TableSum,
  withSnapshot,
} from './copy/index.js';
export { toEvent } from './event-rows.js';
export { inspectStore, type StoreState } from './inspect-store.js';
export { latestVersion } from './migrations/index.js';
export { openStorage } from './open-storage.js';
