export { checkReadPaths } from './read-paths.js';
export { type CommandWall, type CommandWallLimits, createCommandWall } from './wall.js';
