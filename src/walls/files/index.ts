/** The file wall: see `access.ts` for how it holds. */
export { checkFileLimits, type FileWallLimits, openFiles } from './access.js';
