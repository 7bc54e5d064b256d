/** A store that cannot be written, has no free connection or is unreachable: `/health`, the answers and the log. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { createHttpApp } from '../../src/surfaces/http/index.js';
import { mayBeMissing } from '../../src/testing/needs.js';
import { startPostgres } from '../../src/testing/postgres.js';
import { createTestHelve, testTool } from '../../src/testing/test-helve.js';
import { findUnshare } from '../../src/testing/unshare.js';

const publicUrl = 'http://127.0.0.1:4870';
const vaultKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const server = await startPostgres();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((one) => one.close().catch(() => undefined)));
});
afterAll(() => server.stop());

async function query(database: string, text: string) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const dropOthers = (user: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}' and pid <> pg_backend_pid()`;

/** A database with its own user, to whom limits apply: none apply to the server's owner. */
async function openDatabase(user: string) {
  const database = await server.url();
  const own = new URL(database);
  await query(database, `create role ${user} login password 'a-word' connection limit 20`);
  await query(database, `grant create on database ${own.pathname.slice(1)} to ${user}`);
  Object.assign(own, { username: user, password: 'a-word' });
  return { database, own: own.href };
}

async function openHelve(database: string, more: object = {}) {
  const tools = [testTool({ name: 'echo' })];
  const helve = await createTestHelve({ database, vaultKeys, nativeToolkits: [], tools, ...more });
  opened.push(helve);
  const app = createHttpApp({ plane: helve.plane, publicUrl });
  const health = async () => (await app.request(`${publicUrl}/health`, { headers: { host: '127.0.0.1:4870' } })).status;
  const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', { name: 'test' });
  /** A call through REST, by its status. */
  const call = async (n: number) => {
    const response = await app.request(`${publicUrl}/api/tools/execute`, {
      method: 'POST',
      headers: { host: '127.0.0.1:4870', authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'custom__echo', input: { n } }),
    });
    return response.status;
  };
  const ready = async () => {
    const answer = await app.request(`${publicUrl}/ready`, { headers: { host: '127.0.0.1:4870' } });
    return [answer.status, ((await answer.json()) as { reason?: string }).reason];
  };
  return { helve, health, ready, call };
}

/** The only free connection, as soon as there is one. */
async function connectAtLast(database: string): Promise<pg.Client> {
  return vi.waitFor(async () => {
    const client = new pg.Client({ connectionString: database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }, patiently);
}

const patiently = { timeout: 20_000, interval: 100 };

describe('a PostgreSQL in trouble', () => {
  test('R-rest: a read-only store can be read, reports it, and is not healthy', async () => {
    const { database, own } = await openDatabase('reader');
    const { helve, health } = await openHelve(own);
    expect(await health()).toBe(200);
    await query(database, 'alter role reader set default_transaction_read_only = on');
    await query(database, dropOthers('reader'));
    await vi.waitFor(async () => expect(await health()).toBe(503), patiently);
    await expect(helve.adminLink(helve.workspaceId)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/is read-only: .*standby.* \(25006\)/),
    });
    expect(await helve.plane.agents(helve.admin)).toHaveLength(1);
    await query(database, 'alter role reader reset default_transaction_read_only');
    await query(database, dropOthers('reader'));
    await vi.waitFor(async () => expect(await health()).toBe(200), patiently);
  }, 60_000);

  test('R-pipeline: a store without a free connection is waited for', async () => {
    const { database, own } = await openDatabase('crowd');
    const { helve } = await openHelve(own);
    await query(database, 'alter role crowd connection limit 1');
    await query(database, dropOthers('crowd'));
    const crowd = await connectAtLast(own);
    const connecting = vi.spyOn(pg.Pool.prototype, 'connect');
    const calls = Promise.all(Array.from({ length: 20 }, () => helve.call('custom__echo', { n: 1 })));
    // The server has refused it more than once before a connection is free.
    await vi.waitFor(async () => {
      const attempts = await Promise.allSettled(connecting.mock.results.map(({ value }) => value as Promise<unknown>));
      const refused = attempts.filter((one) => one.status === 'rejected' && one.reason.code === '53300');
      expect(refused.length).toBeGreaterThan(1);
    }, patiently);
    await crowd.end();
    await query(database, 'alter role crowd connection limit 20');
    expect((await calls).map(({ ok }) => ok)).toEqual(Array.from({ length: 20 }, () => true));
  }, 60_000);

  test('R-pipeline: the wait for a store without a free connection ends', async () => {
    const { database, own } = await openDatabase('crowded');
    await query(database, 'alter role crowded connection limit 0');
    await expect(createTestHelve({ database: own, vaultKeys, nativeToolkits: [] })).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/has no connection left.*\(53300\)/),
    });
  }, 60_000);

  test('R-pipeline: a process opens at most the configured number of connections', async () => {
    const { database, own } = await openDatabase('pool');
    const { helve } = await openHelve(own, { databasePoolSize: 2 });
    const most = { count: 0 };
    const calls = Promise.all(Array.from({ length: 200 }, (_, n) => helve.call('custom__echo', { n })));
    for (let look = 0; look < 10; look += 1) {
      const [row] = await query(database, `select count(*)::int as count from pg_stat_activity where usename = 'pool'`);
      most.count = Math.max(most.count, Number(row?.count));
    }
    expect((await calls).every(({ ok }) => ok)).toBe(true);
    expect(most.count).toBe(2);
    const small = createTestHelve({ database: own, vaultKeys, nativeToolkits: [], databasePoolSize: 1 });
    await expect(small).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('2 or more'),
    });
  }, 60_000);

  test('R-audit: one that is away does not fill the log: some lines for 1,000 calls', async () => {
    const { database, own } = await openDatabase('away');
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((text) => void lines.push(...String(text).split('\n')));
    const { call, health, ready } = await openHelve(own);
    expect(await call(0)).toBe(200);
    await query(database, 'alter role away nologin');
    await query(database, dropOthers('away'));
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => call(n)));
    expect(new Set(answers)).toEqual(new Set([503]));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(10);
    await vi.waitFor(async () => expect(await health()).toBe(503), patiently);
    expect(await ready()).toEqual([503, 'store_unavailable']);
    await query(database, 'alter role away login');
    await vi.waitFor(async () => expect(await health()).toBe(200), patiently);
    await vi.waitFor(async () => expect(await ready()).toEqual([200, undefined]), patiently);
  }, 60_000);
});

const script = fileURLToPath(new URL('support/full-disk.js', import.meta.url));
const folder = '/mnt';
const [unshare = '', ...namespaces] = findUnshare('--mount') ?? [];
const onSmallDisk = (...command: string[]) =>
  spawnSync(
    unshare,
    [...namespaces, 'sh', '-c', `mount -t tmpfs -o size=4m tmpfs ${folder} && exec "$@"`, 'sh', ...command],
    { encoding: 'utf8', timeout: 60_000 },
  );
const obstacle =
  unshare !== '' && onSmallDisk('true').status === 0 ? undefined : 'unshare (util-linux) cannot mount a disk here';

describe.skipIf(mayBeMissing(obstacle) !== undefined)('a SQLite file on a disk that is full', () => {
  test('R-rest: health and errors report it, and both recover', () => {
    const { stdout, stderr } = onSmallDisk(process.execPath, script, folder);
    const said = JSON.parse(stdout || JSON.stringify({ stderr })) as Record<string, unknown>;
    expect(said).toMatchObject({
      before: { status: 200, write: 'written' },
      full: {
        status: 503,
        write: expect.stringMatching(/^storage_failed: .* is full: make room on the disk \(SQLITE_FULL\)/),
      },
      after: { status: 200, write: 'written' },
    });
  }, 60_000);
});
