/** `helve upgrade` and `helve upgrade --check` on stores that an older or a newer Helve left behind. */
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latestVersion } from '../../src/storage/migrations/index.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { releasedSchemas } from '../../src/testing/storage-released.js';
import { makePast, withEngine } from '../../src/testing/storage-upgrade.js';
import { thisProcess } from '../../src/util/process-identity.js';
import { removeTemporaryFolders, run, temporaryFolder } from './support/server.js';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
}, 120_000);
afterAll(async () => {
  await postgres.stop();
  await removeTemporaryFolders();
});

async function openScene(kind: 'sqlite' | 'postgres', version: number) {
  const folder = await temporaryFolder('upgrade');
  const location = kind === 'sqlite' ? join(folder, 'helve.db') : await postgres.url();
  const environment: Record<string, string> = kind === 'sqlite' ? {} : { HELVE_DATABASE_URL: location };
  if (version > 0) await makePast(location, version, releasedSchemas[kind][version]);
  return {
    helve: (...args: string[]) => run([...args, '--data', folder], environment),
    /** Says that this process serves the store. */
    serve: (schema?: number) =>
      withEngine(location, async ({ db }) => {
        const { host, pid, startToken } = thisProcess();
        const row = { id: 'alive', host, pid, start_token: startToken, seen_at: new Date().toISOString() };
        await db
          .insertInto('instances')
          .values({ ...row, ...(schema !== undefined && { schema_version: schema }) } as never)
          .execute();
      }),
    stop: () => withEngine(location, ({ db }) => db.deleteFrom('instances').where('id', '=', 'alive').execute()),
    query: (statement: string) => withEngine(location, ({ db }) => sql.raw(statement).execute(db)),
  };
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('R-operate: processes of the schema before can be replaced one by one', async () => {
    const { helve, serve } = await openScene(kind, 31);
    await serve();
    const check = await helve('upgrade', '--check', '--json');
    expect(check.code, check.stderr).toBe(0);
    expect(JSON.parse(check.stdout)).toMatchObject({
      schema: 31,
      programSchema: latestVersion,
      plan: 'rolling',
      // They go on, but do not start again: they do not know the rule.
      canGoBack: false,
      pending: expect.arrayContaining([{ version: 33, name: 'program versions', oldestReader: 31 }]),
      serving: [{ pid: process.pid, schema: 31, goesOn: true }],
    });
    const forPeople = (await helve('upgrade', '--check')).stdout;
    expect(forPeople).toMatch(/can be replaced one by one[\s\S]*helve backup/);
    expect(JSON.parse((await helve('upgrade', '--check', '--json')).stdout).schema).toBe(31);
    const done = await helve('upgrade');
    expect(done.code, done.stderr).toBe(0);
    const after = await helve('upgrade', '--check', '--json');
    expect(JSON.parse(after.stdout)).toMatchObject({ schema: latestVersion, plan: 'current', pending: [] });
  });

  test('R-operate: a process that could not go on must be stopped first', async () => {
    const { helve, serve, stop } = await openScene(kind, 30);
    await serve();
    const check = await helve('upgrade', '--check');
    expect(check.code).toBe(3);
    expect(check.stdout).toContain(`process ${process.pid}`);
    expect(check.stdout).toMatch(/must be stopped first[\s\S]*restore the backup/);
    const refused = await helve('upgrade');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/serves the store .* older Helve/);
    expect(JSON.parse((await helve('upgrade', '--check', '--json')).stdout)).toMatchObject({ schema: 30 });
    await stop();
    const ready = await helve('upgrade', '--check');
    expect(ready.code).toBe(0);
    expect(ready.stdout).toMatch(/No process serves the store[\s\S]*restore the backup/);
    expect(ready.stdout).not.toContain('one by one');
    expect((await helve('upgrade')).code).toBe(0);
    expect(JSON.parse((await helve('upgrade', '--check', '--json')).stdout)).toMatchObject({ plan: 'current' });
  });

  test('R-operate: a store that a newer Helve has changed is refused in one line', async () => {
    const { helve, query } = await openScene(kind, latestVersion);
    await query(`insert into helve_schema (version, name, applied_at) values (99, 'later', '')`);
    for (const words of [['upgrade', '--check'], ['upgrade'], ['serve', '--port', '0']]) {
      const refused = await helve(...words);
      expect(refused.code).toBe(1);
      expect(refused.stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^error: The store at .* was written by a newer Helve \(schema 99, .*upgrade Helve/),
      ]);
    }
    // The control: with a newer Helve's word that this one can go on, it does.
    await query(`update helve_schema set oldest_reader = ${latestVersion} where version = 99`);
    const check = await helve('upgrade', '--check', '--json');
    expect(JSON.parse(check.stdout)).toMatchObject({ schema: 99, plan: 'current' });
  });

  test('R-operate: without a store there is nothing to upgrade', async () => {
    const { helve } = await openScene(kind, 0);
    expect(JSON.parse((await helve('upgrade', '--check', '--json')).stdout)).toMatchObject({ plan: 'none' });
    expect((await helve('upgrade')).code).toBe(5);
    expect(JSON.parse((await helve('upgrade', '--check', '--json')).stdout)).toMatchObject({ plan: 'none' });
  });
});
