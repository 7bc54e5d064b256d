/** A sandbox runs programs in threads or processes. These are its own or shared with other sandboxes; its tenants are always its own. */
import { setMaxListeners } from 'node:events';
import type { RunResult, Sandbox, SandboxLimits, SandboxOptions } from '../../domain/sandbox.js';
import { sandboxError } from './errors.js';
import { resolveLimits } from './limits.js';
import type { Places } from './messages.js';
import { createProcesses } from './processes.js';
import { runProgram } from './run.js';
import { createThreads } from './threads.js';

const defaultPlaces = 4;

/** Threads or processes for the programs of several sandboxes. */
export interface SharedPlaces {
  /**
   * Makes a sandbox whose tenants are its own: none of them shares a thread or a process with a tenant of another sandbox at the same
   * time, even one of the same name. Its `close` ends only its own runs.
   */
  openSandbox(): Sandbox;
  /** Ends the runs of all sandboxes, and the threads or processes. */
  close(): Promise<void>;
}

/**
 * Runs untrusted programs. A program has ECMAScript, a console, timers and the tools that the caller names, and
 * nothing of this machine.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const places = createSharedPlaces(options);
  const sandbox = places.openSandbox();
  return {
    run: sandbox.run,
    async close() {
      await sandbox.close();
      await places.close();
    },
  };
}

/** The threads or processes of several sandboxes; `places` counts those of all of them together. */
export function createSharedPlaces({
  isolation = 'worker',
  places: maxPlaces = defaultPlaces,
}: SandboxOptions = {}): SharedPlaces {
  const places = isolation === 'worker' ? createThreads(maxPlaces) : createProcesses(maxPlaces);
  let sandboxes = 0;
  // A thread knows its runs by their numbers, whichever sandbox they are of.
  let runs = 0;
  return {
    openSandbox() {
      const sandbox = sandboxes++;
      const take: Places['take'] = (tenant, signal) =>
        places.take(tenant === undefined ? undefined : `${sandbox} ${tenant}`, signal);
      return toSandbox({ take }, () => runs++);
    },
    close: places.close,
  };
}

function toSandbox(places: Pick<Places, 'take'>, nextRun: () => number): Sandbox {
  const closing = new AbortController();
  // One for each run.
  setMaxListeners(0, closing.signal);
  return {
    async run(request): Promise<RunResult> {
      let limits: SandboxLimits;
      try {
        limits = resolveLimits(request.limits);
      } catch (error) {
        const reason = sandboxError(String((error as Error).message), 'invalid_limits');
        return { ok: false, error: reason, logs: [], cpuMs: 0, calls: 0 };
      }
      return runProgram({ run: nextRun(), request, limits, places, closing: closing.signal });
    },
    async close() {
      closing.abort();
    },
  };
}
