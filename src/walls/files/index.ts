/** The file wall: see `access.ts` for how it holds. */
export { type FileWallLimits, openFiles } from './access.js';
