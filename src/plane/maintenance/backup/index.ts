/** Backups of an installation. */
export { type BackupReport, backup } from './backup.js';
export type { CopyFacts } from './check-items.js';
export type { CopyEvents } from './fill-from-items.js';
export { copyKeys, type KeyPlaces, keyFile } from './keys.js';
export { splitLines } from './lines.js';
export { move } from './move.js';
export { restore } from './restore.js';
