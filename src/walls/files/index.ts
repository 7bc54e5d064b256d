/** The file wall: see `access.ts` for how it confines. */
export { checkFileLimits, type FileWallLimits, openFiles } from './access.js';
