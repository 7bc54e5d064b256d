import type { MachineCheck } from '../../domain/reach.js';
import type { Sandbox, SandboxOptions } from '../../domain/sandbox.js';
import { findWorkerConfinement } from '../../util/sandbox/worker.js';

/** For `helve doctor`: where programs run and what confines them, after a program has run there. */
export async function checkSandbox(sandbox: Sandbox, isolation: SandboxOptions['isolation']): Promise<MachineCheck> {
  const check = 'programs';
  const { value, error } = await sandbox.run({
    code: 'return 6 * 7',
    call: () => Promise.reject(new Error('There are no tools')),
  });
  if (value !== 42)
    return { check, ok: false, detail: `no program can run: ${error?.message ?? 'it gave another value'}` };
  if (isolation !== 'process')
    return {
      check,
      ok: true,
      detail:
        'run in WebAssembly in threads of this process, one workspace in a thread at a time (code.isolation: worker)',
    };
  const where = 'run in WebAssembly in a process each (code.isolation: process), confined by';
  const confinement = await findWorkerConfinement();
  if (confinement.bubblewrap)
    return {
      check,
      ok: true,
      detail: `${where} bubblewrap, limits of the kernel (prlimit) and a filter for system calls`,
    };
  const { message, hint } = confinement.reason;
  const detail = `${where} Node's permission model only, without bubblewrap and limits of the kernel. ${message}. ${hint ?? ''}`;
  return { check, ok: false, detail: detail.trim() };
}
