/** The sandbox of a plane. Its code is loaded, and its first thread or process started, when the first program runs. */
import type { Sandbox, SandboxOptions } from '../../domain/sandbox.js';

export function createLazySandbox(options: SandboxOptions): Sandbox {
  let made: Promise<Sandbox> | undefined;
  let closed = false;
  return {
    async run(request) {
      made ??= import('../../walls/sandbox/index.js').then(({ createSandbox }) => createSandbox(options));
      const sandbox = await made;
      // The sandbox refuses what comes after its end.
      if (closed) await sandbox.close();
      return sandbox.run(request);
    },
    async close() {
      closed = true;
      await (await made)?.close();
    },
  };
}
