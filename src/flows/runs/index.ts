/** Programs that run: started, taken over from a dead process, waiting, decided and cancelled. */

export { askPersonName, modelName, readQuestion, submitName } from './agent-loop.js';
export { readAnswer } from './answers.js';
export { createCodeMode } from './code-mode.js';
export type { FixedCall } from './fixed-calls.js';
export { createRuns, type Runs, type RunsParts, type StartAgentRun } from './runs.js';
