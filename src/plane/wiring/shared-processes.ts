/**
 * The threads and processes that check programs, run them and read untrusted bytes, for several planes in one process. A plane that is given
 * none has its own. What keeps something about a tenant is never shared: processes with a key are always those of one
 * plane, and a thread of the sandbox has the programs of one workspace of one plane at a time.
 */
import { createChecker } from '../../checker/index.js';
import type { CodeChecker } from '../../domain/code.js';
import type { Sandbox, SandboxOptions } from '../../domain/sandbox.js';
import type { Workers } from '../../domain/workers.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { createShare } from '../../util/share.js';
import type { SharedPlaces } from '../../walls/sandbox/index.js';

/** Made by `createSharedProcesses`, for `createHelve({ processes })`. All but `close` is for Helve. */
export interface SharedProcesses {
  readonly workers: Workers;
  readonly checker: CodeChecker;
  /** Makes a sandbox on the threads or processes of all planes with this isolation. */
  openSandbox(options: Pick<SandboxOptions, 'isolation'>): Promise<Sandbox>;
  /** Ends all threads and processes. To be called after every Helve that uses them is closed. */
  close(): Promise<void>;
}

export interface SharedProcessesOptions {
  /** The folder below which an operator may have added the packages of the checker. Default: none. */
  readonly dataDir?: string;
}

/**
 * For a program that opens several Helves, such as one that tests its tools: with `createHelve({ processes })` they check and run programs
 * in the same few threads and processes, which are started when they are first needed. They do not keep the program running.
 */
export function createSharedProcesses({ dataDir }: SharedProcessesOptions = {}): SharedProcesses {
  const workers = createWorkers({ dataDir });
  const checker = createChecker({ dataDir });
  const places = new Map<SandboxOptions['isolation'], SharedPlaces>();
  let closed = false;
  return {
    workers,
    checker,
    async openSandbox({ isolation }) {
      const { createSharedPlaces } = await import('../../walls/sandbox/index.js');
      const known = places.get(isolation) ?? createSharedPlaces({ isolation });
      places.set(isolation, known);
      if (closed) await known.close();
      return known.openSandbox();
    },
    async close() {
      closed = true;
      workers.close();
      await Promise.all([checker.close(), ...[...places.values()].map((shared) => shared.close())]);
    },
  };
}

/** The checker of a plane: its own, or a share of one that stays open when the plane closes. */
export function createPlaneChecker(shared: SharedProcesses | undefined, dataDir: string | undefined): CodeChecker {
  if (shared === undefined) return createChecker({ dataDir });
  const { checker } = shared;
  const share = createShare('The program was not checked because Helve is stopping');
  return {
    namesIn: checker.namesIn,
    check: (program, signal) => share.use(signal, (joined) => checker.check(program, joined)),
    close: async () => share.close(),
  };
}
