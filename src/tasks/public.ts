/** The package entry `helve/tasks`: the machines of tasks, which tools a task may use, and the waits of the persistence service. */
export type {
  ActorEffect,
  ActorEvent,
  ActorKind,
  ActorMachine,
  ActorRef,
  ActorSnapshot,
} from '../domain/actor-host.js';
export type { ToolConfig } from '../domain/task.js';
export type { AppReason, ResolvedToolConfig, ToolConfigLevel } from '../domain/task-scope.js';
export { machines } from './machines/index.js';
export { persistenceWaits } from './persistence-waits.js';
export {
  allowsApp,
  type LevelledToolConfig,
  resolveToolConfig,
} from './tool-config.js';
