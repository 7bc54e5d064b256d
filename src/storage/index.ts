/** Stores everything that must outlive the process: SQLite in one file, or PostgreSQL. */
export { openStorage } from './open-storage.js';
