/** Tasks, the pure part: the five machines, which tools a task may use, and how long a write waits before it is tried again. */
export { describeMachine } from './describe-machine.js';
export { type IssueContext, machines, type PrContext, statecharts, stateOfChecks } from './machines/index.js';
export { persistenceWaits } from './persistence-waits.js';
export { allowsApp, type LevelledToolConfig, resolveToolConfig } from './tool-config.js';
