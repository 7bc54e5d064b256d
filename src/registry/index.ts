/** Which tools exist, whoever provides them. */
export { classifyChange } from './definition-change.js';
export { createRegistry, isShared, type Registration, type Registry } from './registry.js';
