/** A start that fails leaves nothing open: else the process would not end, and would keep the actors of tasks from the others. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHelve } from '../../helve.js';
import { freePort } from '../../testing/free-port.js';
import { startPostgres, type TestPostgres } from '../../testing/postgres.js';

let postgres: TestPostgres;
let dataDir: string;
let taken: Server;
let port: number;
beforeAll(async () => {
  postgres = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'helve-failed-start-'));
  port = await freePort();
  taken = createServer().listen(port, '127.0.0.1');
}, 120_000);
afterAll(async () => {
  taken.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** How many connections others have to the database, and how many processes it knows. */
async function count(database: string) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(`select
    (select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
    (select count(*)::int from instances) as processes`);
  await client.end();
  return rows[0] as { readonly connections: number; readonly processes: number };
}

async function failToStart(helveYaml: string): Promise<string> {
  const database = await postgres.storeUrl();
  await writeFile(join(dataDir, 'helve.yaml'), helveYaml);
  const vaultKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
  const opening = createHelve({ dataDir, database, vaultKeys, reportError: () => undefined });
  const reason = await opening.then(
    () => 'it started',
    (error) => error.message,
  );
  // PostgreSQL takes a moment to notice.
  await expect.poll(() => count(database)).toEqual({ connections: 0, processes: 0 });
  return reason;
}

test('R-operate: a setting that is refused after the store was opened leaves no connection to the store', async () => {
  expect(await failToStart('toolkits:\n  nothing: { a: 1 }\n')).toMatch(/there is no toolkit nothing/);
});

test('R-operate R-machines: a port for Restate that is taken leaves no connection, no process and no lease that is renewed', async () => {
  const restate = `{ url: "http://127.0.0.1:9", admin: "http://127.0.0.1:9", listen: { host: 127.0.0.1, port: ${port} } }`;
  expect(await failToStart(`tasks:\n  engine: restate\n  restate: ${restate}\n`)).toMatch(
    /tasks\.restate\.listen: Port \d+ on 127\.0\.0\.1 is in use/,
  );
});
