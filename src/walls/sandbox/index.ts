/** The sandbox wall, and the package entry `helve/sandbox`: untrusted programs, with nothing but the tools that they are given. */

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
export { defaultLimits } from './limits.js';
export { createSandbox } from './sandbox.js';
