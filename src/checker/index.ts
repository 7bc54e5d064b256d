/** The check that a program of an agent passes before anything of it runs. */
export { type CheckerOptions, createChecker } from './create-checker.js';
export { namesIn } from './names-in.js';
