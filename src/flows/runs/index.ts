/** Programs that run: started, taken over from a dead process, waiting, decided and cancelled. */

export { createCodeMode } from './code-mode.js';
export { createRuns, type Runs, type RunsParts } from './runs.js';
