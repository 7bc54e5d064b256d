import { setMaxListeners } from 'node:events';
import type { RunResult, Sandbox, SandboxLimits, SandboxOptions } from '../../domain/sandbox.js';
import { sandboxError } from './errors.js';
import { resolveLimits } from './limits.js';
import { createProcesses } from './processes.js';
import { runProgram } from './run.js';
import { createThreads } from './threads.js';

const defaultPlaces = 4;

/**
 * Runs untrusted programs. A program has ECMAScript, a console, timers and the tools that the caller names, and
 * nothing of this machine.
 */
export function createSandbox({
  isolation = 'worker',
  places: maxPlaces = defaultPlaces,
}: SandboxOptions = {}): Sandbox {
  const places = isolation === 'worker' ? createThreads(maxPlaces) : createProcesses(maxPlaces);
  const closing = new AbortController();
  // One for each run.
  setMaxListeners(0, closing.signal);
  let runs = 0;
  return {
    async run(request): Promise<RunResult> {
      let limits: SandboxLimits;
      try {
        limits = resolveLimits(request.limits);
      } catch (error) {
        const reason = sandboxError(String((error as Error).message), 'invalid_limits');
        return { ok: false, error: reason, logs: [], cpuMs: 0, calls: 0 };
      }
      return runProgram({ run: runs++, request, limits, places, closing: closing.signal });
    },
    async close() {
      closing.abort();
      await places.close();
    },
  };
}
