/** Which tools exist, whoever provides them. */
export { createRegistry, type Registration, type Registry } from './registry.js';
