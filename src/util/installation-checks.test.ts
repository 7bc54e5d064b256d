/** What `helve doctor` says where the walls of Linux are missing, and that it is true of the walls. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { createCommandWall } from '../walls/commands/index.js';
import { requireDescriptors } from '../walls/files/access.js';
import { checkCertificates, checkDataFolder, checkSystem } from './installation-checks.js';
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

const folder = mkdtempSync(join(tmpdir(), 'helve-checks-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each<[number | undefined, string, string]>([
  [undefined, 'ok', ''],
  [5.5 * 1_073_741_824, 'ok', ', with 5 GB free'],
  [700 * 1_048_576, 'warning', ', with 700 MB free'],
  [0, 'warning', ', with 0 MB free'],
])('R-operate: doctor says how much room the data folder has: %s bytes', (free, state, detail) => {
  expect(checkDataFolder(folder, () => free)).toMatchObject({ check: 'data folder', state, detail: folder + detail });
  expect(checkDataFolder(folder).detail).toMatch(/, with \d+ [GM]B free$/);
});

test.each<[string, string | undefined, RegExp | undefined]>([
  ['certificates', `# ours\n${rootCertificates.slice(0, 2).join('\n')}`, undefined],
  ['a text', 'nothing', /has no certificates in PEM form$/],
  ['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /cannot be used: /],
  ['nothing', undefined, /cannot be used: ENOENT/],
])('R-operate: doctor reads the file of more certificates as Node.js does: %s', (what, text, fault) => {
  const file = join(folder, `${what}.pem`);
  if (text !== undefined) writeFileSync(file, text);
  const [row] = checkCertificates(file);
  expect(row).toMatchObject(
    fault ? { state: 'warning', detail: expect.stringMatching(fault) } : { state: 'ok', detail: `2 more from ${file}` },
  );
  expect(checkCertificates(undefined)).toEqual([]);
});
