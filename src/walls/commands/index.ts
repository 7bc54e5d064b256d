/** The command wall: programs run in a sandbox, with limits, and only as far as the tool allows. */
export { checkReadPaths } from './read-paths.js';
export { type CommandWall, type CommandWallLimits, createCommandWall } from './wall.js';
