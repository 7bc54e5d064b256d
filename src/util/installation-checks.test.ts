/** What `helve doctor` says where the walls of Linux are missing, and that it is true of the walls. */
import { expect, test } from 'vitest';
import { createCommandWall } from '../walls/commands/index.js';
import { requireDescriptors } from '../walls/files/access.js';
import { checkSystem } from './installation-checks.js';
import { examineMachine, hostFacts } from './sandbox/machine.js';
import { createWorkers } from './sandbox/workers.js';

test.each([
  'darwin',
  'win32',
])('R-cli: on %s the doctor says what works and what is off, and does not crash', async (platform) => {
  const row = checkSystem(platform);
  expect(row).toMatchObject({ check: 'system', state: 'warning', hint: expect.stringContaining('Linux') });
  // Each thing that it calls off is off.
  expect(row.detail).toMatch(/These are off: run_command, the file tools and SQLite/);
  const facts = { ...hostFacts(), platform };
  await expect(examineMachine(facts)).rejects.toMatchObject({ code: 'invalid_config' });
  await expect(requireDescriptors(platform)).rejects.toMatchObject({ code: 'invalid_config' });
  const workers = createWorkers();
  const checks = await createCommandWall(workers, facts).checks();
  expect(checks).toEqual([
    expect.objectContaining({ check: 'commands', ok: false, detail: expect.stringContaining(platform) }),
  ]);
  workers.close();
});

test('R-cli: on Linux nothing is said to be off', async () => {
  expect(checkSystem('linux')).toEqual({ check: 'system', state: 'ok', detail: 'linux' });
  await expect(requireDescriptors('linux')).resolves.toBeUndefined();
});
