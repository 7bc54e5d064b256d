/** Programs that run: started, taken over from a dead process, waiting, decided and cancelled. */

export { readQuestion } from './agent-loop.js';
export { readAnswer } from './answers.js';
export { BudgetError } from './budget.js';
export { createCodeMode } from './code-mode.js';
export { findDecidablePlan } from './decide.js';
export type { FixedCall } from './fixed-calls.js';
export { callUnderKey } from './keyed-call.js';
export { findPresentStep } from './present-step.js';
export { finishStepName } from './recipe-steps.js';
export { createRuns, type Runs, type RunsParts, type StartAgentRun } from './runs.js';
export { askPersonName, modelName, submitName } from './turns.js';
