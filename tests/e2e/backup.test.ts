/**
 * R-operate: the shipped command copies an installation while it serves calls; the copy starts elsewhere with every call that was
 * answered before, also after the first one was killed.
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, serve, temporaryFolder } from './support/server.js';

afterAll(async () => {
  killChildren();
  await removeTemporaryFolders();
});

const config = `limits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }
agents:
  - name: writer
    tools: [key_value_set, key_value_get]
`;

test('R-operate: a backup while calls run is restored elsewhere with every call that was answered before it', async () => {
  const folder = await temporaryFolder('backup');
  const [first, second, vault] = [join(folder, 'first'), join(folder, 'second'), join(folder, 'vault')];
  const server = await serve(await withConfig(first));
  const { stdout: token } = await run(['agents', 'token', 'writer', '--data', first, '--json']);
  const secret = (JSON.parse(token) as { secret: string }).secret;
  const answered: string[] = [];
  let calling = true;
  const put = async (key: string) => {
    const input = { key, value: key };
    const reply = await ask(server.url, 'POST /api/tools/execute', secret, { tool: 'key_value_set', input });
    if (reply.body?.ok === true) answered.push(key);
  };
  for (let number = 0; number < 20; number++) await put(`before-${number}`);
  expect(answered).toHaveLength(20);
  const lanes = [1, 2, 3].map(async (lane) => {
    for (let number = 0; calling; number++) await put(`lane-${lane}-${number}`);
  });
  const before = [...answered];
  const file = join(folder, 'copy.backup');
  const made = await run(['backup', file, '--data', first]);
  const during = answered.length - before.length;
  calling = false;
  await Promise.all(lanes);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout.indexOf('If they are lost')).toBeLessThan(
    made.stdout.indexOf('the chain of the record is unbroken'),
  );
  expect(during).toBeGreaterThan(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await run(['backup', file, '--data', first])).stderr).toMatch(/exists already/);
  expect(await run(['backup', '--keys', vault, '--data', first])).toMatchObject({ code: 0 });
  expect(await readFile(vault, 'utf8')).toBe(await readFile(join(first, 'vault-keys.json'), 'utf8'));
  await server.stop('SIGKILL');
  expect((await readdir(folder)).sort()).toEqual(['copy.backup', 'first', 'vault']);

  const restored = await run(['restore', file, '--keys', vault, '--data', second, '--json']);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(await readFile(join(second, 'helve.yaml'), 'utf8')).toBe(config);
  expect((await run(['restore', file, '--data', second])).stderr).toMatch(/not empty/);
  expect((await run(['audit', 'verify', '--store', join(second, 'helve.db')])).stdout).toMatch(/unbroken/);
  const copy = await serve(second);
  for (const key of before) {
    const reply = await ask(copy.url, 'POST /api/tools/execute', secret, { tool: 'key_value_get', input: { key } });
    expect(JSON.stringify(reply.body)).toContain(key);
  }
  await copy.stop();
});

async function withConfig(dataDir: string): Promise<string> {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'helve.yaml'), config);
  // Otherwise made when the first account is connected.
  const keys = { current: 'k', keys: { k: Buffer.alloc(32, 1).toString('base64') } };
  await writeFile(join(dataDir, 'vault-keys.json'), JSON.stringify(keys));
  return dataDir;
}
