/** The package entry `helve/tasks`: the machines of tasks, which tools a task may use, and the waits of the persistence service. */
export type {
  ActorEffect,
  ActorEvent,
  ActorKind,
  ActorMachine,
  ActorRef,
  ActorSnapshot,
} from '../domain/actor-host.js';
export type { ToolConfig, ToolConfigLevel } from '../domain/task.js';
export { machines } from './machines/index.js';
export { persistenceWaits } from './persistence-waits.js';
export {
  type AppReason,
  allowsApp,
  type LevelledToolConfig,
  type ResolvedToolConfig,
  resolveToolConfig,
} from './tool-config.js';
