/** Where everything that must outlive the process is kept: SQLite in one file, or PostgreSQL. */
export { openStorage } from './open-storage.js';
