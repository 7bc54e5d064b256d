export { type CommandWall, type CommandWallLimits, createCommandWall } from './wall.js';
