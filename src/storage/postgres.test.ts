import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { seal } from '../audit/index.js';
import type { Storage } from '../domain/storage.js';
import { startPostgres } from '../testing/postgres.js';
import { storageContract } from '../testing/storage-contract.js';
import { draft, intent, time, workspace } from '../testing/storage-fixtures.js';
import { killAndCheck, openersAtOnce, processesAtOnce, removeChildren } from '../testing/storage-processes.js';
import { releasedSchemas } from '../testing/storage-released.js';
import { pastVersions, upgradeFrom } from '../testing/storage-upgrade.js';
import { appendAtOnce } from './append-at-once.js';
import { readNow } from './engine.js';
import { inspectStore, openStorage } from './index.js';
import { latestVersion } from './migrations/index.js';
import { openPostgres } from './postgres.js';

const server = await startPostgres();
const open = (location: string) => openStorage({ location, seal });
afterAll(async () => {
  await removeChildren();
  await server.stop();
});

async function query(location: string, text: string) {
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  const result = await client.query(text);
  await client.end();
  return result;
}

/** Until another connection to the database of `holder` waits for a lock. */
async function untilOneWaits(holder: pg.Client) {
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  const look = async () => expect((await holder.query(waiting)).rowCount).toBe(1);
  await vi.waitFor(look, { timeout: 20_000, interval: 10 });
}

storageContract('PostgreSQL', async () => {
  const location = await server.storeUrl();
  const storage = await open(location);
  let current = storage;
  return {
    storage,
    second: () => open(location),
    async reopen() {
      await current.close();
      current = await open(location);
      return current;
    },
    dispose: () => current.close(),
  };
});

describe('PostgreSQL connections', () => {
  it('keeps two schemas of one database apart', async () => {
    const location = await server.url();
    const [a, b] = await Promise.all(['plane_a', 'user'].map((schema) => openStorage({ location, seal, schema })));
    await a?.system.createWorkspace(workspace('w'), [draft()]);
    expect(await b?.system.listWorkspaces()).toEqual([]);
    await a?.close();
    await b?.close();
    await b?.close();
    await expect(b?.system.listWorkspaces()).rejects.toMatchObject({ code: 'storage_failed' });
    await expect(openStorage({ location, seal, schema: 'x"; drop' })).rejects.toMatchObject({ code: 'invalid_config' });
    expect((await query(location, `select 1 from pg_tables where schemaname = 'public'`)).rows).toEqual([]);
  });
  it('survives a server that greets and leaves at the same moment', async () => {
    const message = (type: string, body: string) => {
      const head = Buffer.alloc(5);
      head.write(type);
      head.writeInt32BE(4 + Buffer.byteLength(body), 1);
      return Buffer.concat([head, Buffer.from(body)]);
    };
    const farewell = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0';
    let greeted = 0;
    const leaving = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        greeted += 1;
        socket.end(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I'), message('E', farewell)]));
      });
    });
    await new Promise<void>((resolve) => leaving.listen(0, '127.0.0.1', resolve));
    const { port } = leaving.address() as AddressInfo;
    await expect(open(`postgres://a:b@127.0.0.1:${port}/c`)).rejects.toMatchObject({ code: 'storage_failed' });
    expect(greeted).toBeGreaterThan(0);
    await new Promise((resolve) => leaving.close(resolve));
  });
  it('says what is wrong without the password', async () => {
    const good = new URL(await server.url());
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const variants = [
      [{ password: 'secret-word' }, /refused the user name or password/],
      [{ password: '' }, /asks for a password/],
      [{ search: '?sslmode=verify-full' }, /has no TLS/],
      [{ port: '1' }, /refused the connection/],
      [{ port: String((silent.address() as AddressInfo).port) }, /did not answer in time/],
      [{ pathname: '/nowhere' }, /has no database of that name/],
      [{ hostname: 'no.invalid' }, /cannot be found/],
    ] as const;
    for (const [variant, reason] of variants) {
      const url = new URL(good);
      Object.assign(url, variant);
      const failure = await open(url.href).catch((thrown) => thrown);
      expect(failure).toMatchObject({ name: 'HelveError', code: 'storage_failed' });
      expect(failure.message).toContain('postgres://');
      expect(failure.message).toMatch(reason);
      if (url.password !== '') expect(failure.message).not.toContain(url.password);
    }
    silent.close();
    const malformed = await open('postgres://user:secret-word@host:port/db').catch((thrown) => thrown);
    expect(malformed).toMatchObject({ code: 'invalid_config' });
    expect(String(malformed.stack)).not.toContain('secret-word');
  });
  it.each(
    pastVersions,
  )('R-operate, R-vault: brings a store of schema %i up to date, with its rows', async (version) => {
    await upgradeFrom(version, await server.url(), releasedSchemas.postgres);
  });
  it('R-operate: says that there is no store, without making one', async () => {
    const location = await server.url();
    expect(await inspectStore(location)).toMatchObject({ schema: 0, pending: [] });
    expect((await query(location, `select 1 from pg_namespace where nspname = 'helve'`)).rows).toEqual([]);
  });
  it('R-operate: says whether its schema is there, also when it was changed underneath', async () => {
    const location = await server.storeUrl();
    const storage = await open(location);
    expect(await storage.system.isMigrated()).toBe(true);
    expect(storage.pool()).toMatchObject({ max: 10, open: expect.any(Number), waiting: 0 });
    // More than it may have at a time: the others wait.
    const many = Promise.all(Array.from({ length: 30 }, () => storage.now()));
    await new Promise((resolve) => setImmediate(resolve));
    expect(storage.pool()?.waiting).toBeGreaterThan(0);
    await many;
    expect(storage.pool()).toMatchObject({ max: 10, open: 10, waiting: 0 });
    await query(location, 'delete from helve.helve_schema where version > 20');
    expect(await storage.system.isMigrated()).toBe(false);
    await storage.close();
  });
  it('R-operate: refuses a schema from a newer Helve in one line, unless that one left it readable', async () => {
    const location = await server.storeUrl();
    await (await open(location)).close();
    await query(location, `insert into helve.helve_schema values (99, 'later', '', ${latestVersion})`);
    const storage = await open(location);
    expect(await storage.system.isMigrated()).toBe(true);
    await query(location, 'update helve.helve_schema set oldest_reader = null where version = 99');
    expect(await storage.system.isMigrated()).toBe(false);
    await storage.close();
    for (const use of [open, inspectStore])
      await expect(use(location)).rejects.toMatchObject({
        code: 'invalid_config',
        message: expect.stringMatching(/^[^\n]*newer Helve \(schema 99[^\n]*$/),
      });
  });
  it('continues after the server has dropped its connections', async () => {
    const location = await server.storeUrl();
    const storage = await open(location);
    await storage.system.createWorkspace(workspace('w'), [draft()]);
    // The query may meet the server's farewell message, the closed socket or neither: many rounds cover each.
    for (let round = 0; round < 30; round += 1) {
      await query(
        location,
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      );
      await storage
        .workspace('w')
        .keyValues.get('n', 'k', time(1))
        .catch(() => {});
      expect(await storage.workspace('w').revision()).toBe(1);
    }
    await storage.close();
  });
  it('R-grants: does not start a call whose configuration changes while its commit waits for the head', async () => {
    const location = await server.storeUrl();
    const storage = await open(location);
    await storage.system.createWorkspace(workspace('w'), [draft()]);
    const holder = new pg.Client({ connectionString: location });
    await holder.connect();
    await holder.query('begin; update helve.workspaces set revision = revision + 1');
    const outcomes = storage.commit([
      { workspaceId: 'w', events: [draft()], openIntent: intent('late'), revision: 1 },
      { workspaceId: 'w', events: [draft()], openIntent: intent('timely'), revision: 2 },
    ]);
    await untilOneWaits(holder);
    await holder.query('commit');
    expect(await outcomes).toEqual(['stale_revision', 'committed']);
    expect((await storage.system.listIntents()).map(({ executionId }) => executionId)).toEqual(['timely']);
    expect((await storage.workspace('w').audit.head()).seq).toBe(2);
    await holder.end();
    await storage.close();
  });
  it('reads and plans the statements of calls once in a session, also when their function is made anew', async () => {
    const location = await server.storeUrl();
    const engine = await openPostgres(location, 'helve');
    const storage = await open(location);
    await storage.system.createWorkspace(workspace('w'), [draft()]);
    const start = { workspaceId: 'w', events: [draft()], openIntent: intent('one') };
    expect(await appendAtOnce(engine, [start])).toEqual(['committed']);
    const functionOfStore = `'helve.append_to_record(text, text, json)'::regprocedure`;
    const { rows } = await query(location, `select pg_get_functiondef(${functionOfStore}) as text`);
    await query(location, 'drop function helve.append_to_record(text, text, json)');
    await query(location, rows[0].text);
    const end = { workspaceId: 'w', events: [draft()], closeIntent: 'one' };
    for (const entry of [end, { workspaceId: 'w', events: [draft()] }])
      expect(await appendAtOnce(engine, [entry])).toEqual(['committed']);
    const sql = 'select name, generic_plans + custom_plans as uses from pg_prepared_statements order by name';
    expect(await readNow(engine.db, { sql, parameters: [] })).toEqual([
      { name: 'append', uses: 1 },
      { name: 'append_with_intents', uses: 2 },
    ]);
    await engine.close();
    await storage.close();
  });
  it('does not reuse a connection that ended during a statement', async () => {
    const location = await server.storeUrl();
    const storage = await open(location);
    await storage.system.createWorkspace(workspace('w'), [draft()]);
    const holder = new pg.Client({ connectionString: location });
    await holder.connect();
    for (let round = 0; round < 10; round += 1) {
      await holder.query('begin; lock table helve.key_values in access exclusive mode');
      const waiting = storage.workspace('w').keyValues.get('n', 'k', time(1));
      const failed = expect(waiting).rejects.toMatchObject({ code: 'storage_failed' });
      await vi.waitFor(
        async () => {
          const killed = await holder.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          expect(killed.rowCount).toBe(1);
        },
        { timeout: 20_000 },
      );
      await failed;
      expect(await storage.workspace('w').revision()).toBe(1);
      await holder.query('rollback');
    }
    await holder.end();
    await storage.close();
  });
  it.each<[string, (storage: Storage) => Promise<unknown>, string]>([
    [
      'a change',
      (storage) => storage.workspace('w').change([draft()], (tables) => tables.deleteSecret('none')),
      'secrets',
    ],
    ['a commit', (storage) => storage.commit([{ workspaceId: 'w', events: [draft()] }]), 'audit_events'],
    ['a statement', (storage) => storage.workspace('w').keyValues.set('n', 'k', 1, undefined), 'workspaces'],
  ])(
    'makes %s again that the server has ended to resolve a deadlock',
    async (_, write, table) => {
      const location = await server.storeUrl();
      // Of two that wait for each other the server ends the one that looks first; this one has begun to wait a moment earlier.
      await query(location, `alter database "${new URL(location).pathname.slice(1)}" set deadlock_timeout = '3s'`);
      const storage = await open(location);
      await storage.system.createWorkspace(workspace('w'), [draft()]);
      const holder = new pg.Client({ connectionString: location });
      await holder.connect();
      await holder.query(`set deadlock_timeout = '60s'`);
      await holder.query(`begin; lock table helve.${table} in access exclusive mode`);
      const written = write(storage);
      await untilOneWaits(holder);
      const other = table === 'workspaces' ? 'key_values' : 'workspaces';
      await holder.query(`lock table helve.${other} in access exclusive mode`);
      await holder.query('rollback');
      await written;
      // The server counts a deadlock a moment after it has ended.
      const count = 'select deadlocks::int from pg_stat_database where datname = current_database()';
      await expect.poll(async () => (await query(location, count)).rows).toEqual([{ deadlocks: 1 }]);
      await holder.end();
      await storage.close();
    },
    90_000,
  );
  it('never shows the parameters of a failed statement', async () => {
    const storage = await open(await server.storeUrl());
    const failure = await storage
      .workspace('secret-id')
      .keyValues.set('n', 'k', 1, undefined)
      .catch((thrown) => thrown);
    expect(failure).toMatchObject({ code: 'not_found' });
    expect(failure.message).not.toContain('secret-id');
    await storage.close();
  });
});

describe('PostgreSQL processes', () => {
  it('opens one empty database four times simultaneously', async () => openersAtOnce(open, await server.url()));
  it('starts two processes on one empty database', async () => processesAtOnce(open, await server.url()), 60_000);
  it(
    'R-audit: loses nothing acknowledged when killed',
    async () => killAndCheck(open, await server.storeUrl(), 5),
    60_000,
  );
});
