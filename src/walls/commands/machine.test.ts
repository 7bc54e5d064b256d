/** Machines that cannot confine commands: nothing runs on them, and the error says how to fix that. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits, refusal } from '../../../tests/commands/ground.js';
import { hostFacts, type MachineFacts } from '../../util/sandbox/machine.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { createCommandWall } from './wall.js';

const refused = async (facts: Partial<MachineFacts>) => {
  const other = createCommandWall(createWorkers(), { ...hostFacts(), ...facts });
  const [check] = await other.checks();
  const request = { argv: ['true'] };
  const error = await refusal(other.run(request, limits, new AbortController().signal));
  expect(check).toMatchObject({
    check: 'commands',
    ok: false,
    detail: expect.stringMatching(/^run_command is off\. /),
  });
  expect(check?.detail).toContain(error.message);
  expect(error.code).toBe('invalid_config');
  return `${error.message} ${error.hint}`;
};

test('R-shell: without bubblewrap, Linux, a filter or a user nothing runs, and the error says what to do', async () => {
  expect(await refused({ find: () => undefined })).toContain('apt-get install bubblewrap');
  expect(await refused({ platform: 'darwin' })).toContain('Run Helve on Linux');
  expect(await refused({ architecture: 'riscv64' })).toContain('x86_64 or aarch64');
  expect(await refused({ uid: -1 })).toContain('ordinary user');
});

test('R-shell: a bubblewrap that cannot confine, or only pretends to, is detected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helve-bwrap-'));
  const fake = (text: string) => {
    const path = join(folder, 'bwrap');
    rmSync(path, { force: true });
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return { find: () => path };
  };
  // As an ordinary user who owns the folder, so that the fake can be started.
  const asOwner = { uid: 1 };
  const denied = fake('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
  expect(await refused({ ...denied, ...asOwner })).toMatch(
    /No permissions to create new namespace.*unprivileged_userns_clone/s,
  );
  const pretends = fake(`shift 3; printf '{"child-pid": 1}\\nnonsense\\n{"exit-code": 0}\\n' >&5; exec "$@"`);
  expect(await refused({ ...pretends, ...asOwner })).toMatch(/does not start|in bubblewrap, /);
  const nothing = { find: () => join(folder, 'absent') };
  expect(await refused({ ...nothing, ...asOwner })).toContain('ENOENT');
  rmSync(folder, { recursive: true });
});
