/** The registry: which tools exist, from all providers. */
export { classifyChange } from './definition-change.js';
export { createRegistry, isShared, type Registration, type Registry } from './registry.js';
