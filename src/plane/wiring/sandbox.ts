/** The sandbox of a plane. Its code is loaded, and its first thread or process started, when the first program runs. */
import type { MachineCheck } from '../../domain/reach.js';
import type { Sandbox, SandboxOptions } from '../../domain/sandbox.js';

export interface PlaneSandbox extends Sandbox {
  /** For `helve doctor`. */
  check(): Promise<MachineCheck>;
}

/** Makes the sandbox that a lazy one runs programs in. */
type MakeSandbox = (options: SandboxOptions) => Promise<Sandbox>;

const makeOwn: MakeSandbox = async (options) => (await import('../../walls/sandbox/index.js')).createSandbox(options);

export function createLazySandbox(options: SandboxOptions, make = makeOwn): PlaneSandbox {
  let made: Promise<Sandbox> | undefined;
  let closed = false;
  const lazy: PlaneSandbox = {
    async run(request) {
      made ??= make(options);
      const sandbox = await made;
      // The sandbox refuses what comes after its end.
      if (closed) await sandbox.close();
      return sandbox.run(request);
    },
    async check() {
      return (await import('../../walls/sandbox/index.js')).checkSandbox(lazy, options.isolation);
    },
    async close() {
      closed = true;
      await (await made)?.close();
    },
  };
  return lazy;
}
