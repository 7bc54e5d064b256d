/** Planes that check and run programs in the same threads and processes. */
import { afterAll, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { createPlaneChecker, createSharedProcesses } from './shared-processes.js';

const processes = createSharedProcesses();
afterAll(() => processes.close());
const program = { code: 'return 1', namespaces: [], known: [] };
const runCode = ({ plane, agent }: TestHelve, code: string) => plane.runCode(agent, { code });

test('R-code-tools: a plane that closes leaves them to the others, which check and run programs in them', async () => {
  const [closing, staying] = [await createTestHelve({ processes }), await createTestHelve({ processes })];
  expect(await runCode(closing, 'const one: number = 1; return one')).toMatchObject({ status: 'succeeded', value: 1 });
  await closing.close();
  expect(await runCode(staying, 'const two: number = 2; return two')).toMatchObject({ status: 'succeeded', value: 2 });
  const { issues } = await staying.plane.checkCode(staying.agent, 'const two: string = 2; return two');
  expect(issues.map(({ message }) => message)).toEqual(['two must be string, not number']);
  await staying.close();
});

test('R-code-tools: the checker of a plane ends with the plane, and that of the others goes on', async () => {
  const [closing, staying] = [createPlaneChecker(processes, undefined), createPlaneChecker(processes, undefined)];
  const checking = closing.check(program);
  await closing.close();
  await expect(checking).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(closing.check(program)).rejects.toMatchObject({ code: 'shutting_down' });
  expect(await staying.check(program)).toEqual({ issues: [] });
});

test('R-code-tools: when they are closed, programs are neither checked nor run', async () => {
  const own = createSharedProcesses();
  await own.close();
  await expect(createPlaneChecker(own, undefined).check(program)).rejects.toMatchObject({ code: 'shutting_down' });
  const sandbox = await own.openSandbox({ isolation: 'worker' });
  const result = await sandbox.run({ code: 'return 1', call: async () => 'null' });
  expect(result.error).toMatchObject({ code: 'closed' });
});
