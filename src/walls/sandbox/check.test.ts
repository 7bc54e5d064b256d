import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';
import { checkSandbox } from './check.js';

const before = process.env.PATH;
afterEach(() => {
  process.env.PATH = before;
});

async function check(isolation: string) {
  const helve = await createTestHelve({ granted: [], config: `code: { isolation: ${isolation} }` });
  const found = (await helve.plane.machineChecks(helve.admin)).find((one) => one.check === 'programs');
  await helve.close();
  return found;
}

test('R-sandbox: doctor says where programs run, and what confines them', async () => {
  expect(await check('worker')).toMatchObject({
    ok: true,
    detail: expect.stringMatching(/in threads of this process/),
  });
  const { ok, detail } = (await check('process')) ?? {};
  expect(detail).toMatch(ok ? /a process each .*bubblewrap, limits of the kernel/ : /Node's permission model only/);
});

test('R-sandbox: without bubblewrap, doctor says what a process lacks', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'helve-path-'));
  process.env.PATH = empty;
  const { ok, detail } = (await check('process')) ?? {};
  rmSync(empty, { recursive: true });
  expect({ ok, detail }).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/Node's permission model only.*bubblewrap/),
  });
});

test('R-sandbox: a sandbox in which no program runs is told', async () => {
  const error = { name: 'SandboxError', message: 'The program made the engine fail.' };
  const broken = { run: async () => ({ ok: false, error, logs: [], cpuMs: 0, calls: 0 }), close: async () => {} };
  expect(await checkSandbox(broken, 'worker')).toEqual({
    check: 'programs',
    ok: false,
    detail: 'no program can run: The program made the engine fail.',
  });
});
