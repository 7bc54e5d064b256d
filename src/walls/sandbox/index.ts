/** The sandbox wall: untrusted programs, with nothing but the tools that they are given. */

export type {
  CallFacts,
  LimitName,
  LogLine,
  RunError,
  RunRequest,
  RunResult,
  Sandbox,
  SandboxLimits,
  SandboxOptions,
  TimerFacts,
} from '../../domain/sandbox.js';
export { checkSandbox } from './check.js';
export { defaultLimits } from './limits.js';
export { createSandbox, createSharedPlaces, type SharedPlaces } from './sandbox.js';
