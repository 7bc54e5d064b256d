/** Programs that run: started, taken over from a dead process, waiting, decided and cancelled. */

export { createProgramRunner } from './program-runner.js';
export { createRuns, type Runs, type RunsParts } from './runs.js';
