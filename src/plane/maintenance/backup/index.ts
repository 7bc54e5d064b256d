/** Backups of an installation. */
export { type BackupReport, backup } from './backup.js';
export type { CopyFacts } from './check-items.js';
export { copyKeys } from './keys.js';
export { move } from './move.js';
export { restore } from './restore.js';
