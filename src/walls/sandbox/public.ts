/** The package entry `helve/sandbox`: untrusted programs, with nothing but the tools that they are given. */
export {
  type CallFacts,
  createSandbox,
  defaultLimits,
  type LimitName,
  type LogLine,
  type RunError,
  type RunRequest,
  type RunResult,
  type Sandbox,
  type SandboxLimits,
  type SandboxOptions,
  type TimerFacts,
} from './index.js';
