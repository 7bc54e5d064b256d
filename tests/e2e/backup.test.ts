/**
 * R-operate: the shipped command copies an installation while it serves calls; the copy starts elsewhere with every call that was
 * answered before, also after the first one was killed.
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startPostgres } from '../../src/testing/postgres.js';
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
  // What is said about its keys belongs to a backup that was made.
  const refused = await run(['backup', file, '--data', first]);
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(/exists already/) });
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
  const { stdout: record } = await run(['audit', 'list', '--data', second, '--limit', '500', '--json']);
  const noted = (JSON.parse(record) as { type: string; body: object }[]).filter(({ type }) =>
    type.startsWith('store.'),
  );
  // The backup is noted in the store that it was made of, and not in the backup.
  expect(noted).toMatchObject([{ type: 'store.restored', body: { through: 'command line', from: 'sqlite' } }]);
  expect(JSON.stringify(noted)).not.toContain(folder);
  await copy.stop();
});

test('R-operate: an installation moves to PostgreSQL and back, and never while it serves', async () => {
  const postgres = await startPostgres();
  try {
    const dataDir = await withConfig(join(await temporaryFolder('move'), 'data'));
    const url = await postgres.url();
    const server = await serve(dataDir);
    const made = await run(['agents', 'token', 'writer', '--data', dataDir, '--json']);
    const { secret } = JSON.parse(made.stdout) as { secret: string };
    const put = (base: string, key: string) =>
      ask(base, 'POST /api/tools/execute', secret, { tool: 'key_value_set', input: { key, value: key } });
    expect((await put(server.url, 'one')).body).toMatchObject({ ok: true });
    const refused = await run(['move', '--to', url, '--data', dataDir]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('already being served')]);
    await server.stop();

    expect(await run(['move', '--to', url, '--data', dataDir])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/read them back.*HELVE_DATABASE_URL/),
    });
    const old = await run(['serve', '--port', '0', '--data', dataDir]);
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('was moved to postgres://127.0.0.1')]);
    const database = { HELVE_DATABASE_URL: url };
    const moved = await serve(dataDir, [], database);
    expect((await put(moved.url, 'two')).body).toMatchObject({ ok: true });
    await moved.stop();

    const back = ['move', '--to', join(dataDir, 'helve.db'), '--data', dataDir, '--json'];
    expect(await run(back, database)).toMatchObject({ code: 0, stderr: '' });
    const again = await serve(dataDir);
    for (const key of ['one', 'two']) {
      const read = await ask(again.url, 'POST /api/tools/execute', secret, { tool: 'key_value_get', input: { key } });
      expect(read.body).toMatchObject({ ok: true });
      expect(read.text).toContain(`"${key}"`);
    }
    expect((await run(['audit', 'verify', '--data', dataDir])).stdout).toMatch(/unbroken/);
    await again.stop();
  } finally {
    await postgres.stop();
  }
});

async function withConfig(dataDir: string): Promise<string> {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'helve.yaml'), config);
  // Otherwise made when the first account is connected.
  const keys = { current: 'k', keys: { k: Buffer.alloc(32, 1).toString('base64') } };
  await writeFile(join(dataDir, 'vault-keys.json'), JSON.stringify(keys));
  return dataDir;
}
