/** `helve task` against a real server: filing, assigning, following, ending. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;
beforeAll(async () => {
  dataDir = await temporaryFolder('cli-task');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run(['task', ...args, '--data', dataDir]);

test('R-cli: an issue is filed, blocked, shown, cancelled and followed to its end', async () => {
  expect((await helve('list')).stdout).toMatch(/There are no issues/);
  const filed = await helve('create', 'It \u001b[31mbreaks', '--require', 'GitHub', '--label', 'bug', '--json');
  const { id } = JSON.parse(filed.stdout) as { id: string };
  expect(JSON.parse(filed.stdout)).toMatchObject({
    state: 'idle',
    labels: ['bug'],
    tools: { requiredApps: ['GitHub'] },
  });
  const assigned = await helve('assign', id, 'first');
  expect(assigned.stdout).toContain(id);
  // What an issue says may come from strangers, and does not reach the terminal as it is.
  expect(assigned.stdout).not.toContain('\u001b');
  await expect.poll(async () => (await helve('list', '--state', 'blocked')).stdout).toContain(id);
  const shown = await helve('show', id);
  expect(shown.stdout).toMatch(
    /blocked, first\n {2}No account of github is connected that .* may use: http.*connect\/github/,
  );
  expect(shown.stdout).toMatch(/filed by .*\n.*ASSIGN_AGENT → preparing\n.*TOOLS_MISSING → blocked/);
  expect((await helve('cancel', id)).stdout).toMatch(/cancelled/);
  const followed = await helve('follow', id);
  expect(followed).toMatchObject({ code: 1, stdout: expect.stringContaining('cancelled') });
  expect((await helve('retry', id)).stdout).toMatch(/preparing|blocked/);
  const refused = await helve('unassign', 'iss_none');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/There is no issue/);
});
