/**
 * The attacks on SQLite through each door of a running Helve, on a machine with bubblewrap and on one without: there the
 * tool is off, and says why. The control is an ordinary query, which the same doors answer.
 */
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plantedSecret, sqliteAttacks } from '../data/sqlite-attacks.js';
import { overHttp } from './support/mcp.js';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

afterAll(async () => {
  killChildren();
  await removeTemporaryFolders();
});

type Door = (tool: string, input: Record<string, unknown>) => Promise<string>;

describe.each(['bubblewrap', 'no bubblewrap'])('R-database: a machine with %s', (kind) => {
  const confined = kind === 'bubblewrap';
  let folder: string;
  let dataDir: string;
  let server: Server;
  let client: Client;
  let token: string;
  let environment: Record<string, string>;
  const doors: Record<string, Door> = {
    REST: async (tool, input) => (await ask(server.url, 'POST /api/tools/execute', token, { tool, input })).text,
    MCP: async (tool, input) => JSON.stringify(await client.callTool({ name: tool, arguments: input })),
    async CLI(tool, input) {
      const { stdout, stderr } = await run(
        ['call', tool, JSON.stringify(input), '--agent', 'first', '--data', dataDir, '--json'],
        environment,
      );
      return stdout + stderr;
    },
  };

  beforeAll(async () => {
    folder = await temporaryFolder('sqlite-doors');
    dataDir = join(folder, 'data');
    await Promise.all(['data', 'outside', 'own', 'bin'].map((name) => mkdir(join(folder, name))));
    await writeFile(join(folder, 'outside/secret'), `${plantedSecret}\n`);
    const database = new Database(join(folder, 'own/shop.db'));
    database.exec("create table bees (name text); insert into bees values ('Maja')");
    database.close();
    // For the tests as root and as an ordinary user.
    await chmod(folder, 0o755);
    await symlink(process.execPath, join(folder, 'bin/node'));
    environment = confined ? {} : { PATH: join(folder, 'bin') };
    const config = '{ allowed_connections: [shop], allow_writes: true }';
    await writeFile(
      join(dataDir, 'helve.yaml'),
      `limits: { per_ip: null }
toolkits: { database: { connections: { shop: { url: "sqlite:${folder}/own/shop.db", writable: true } } } }
agents:
  - name: first
    tools: [query_database, smart_query_database]
    tool_config: { query_database: ${config}, smart_query_database: ${config} }
`,
    );
    server = await serve(dataDir, [], environment);
    const issued = await run(['agents', 'token', 'first', '--data', dataDir], environment);
    token = issued.stdout.trim();
    client = await overHttp(`${server.url}/mcp/first`, token);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  const outside = async () =>
    JSON.stringify([await readdir(join(folder, 'outside')), await readFile(join(folder, 'outside/secret'), 'utf8')]);

  test.each(['REST', 'MCP', 'CLI'])('%s: an ordinary question, and every attack', async (name) => {
    const door = doors[name] as Door;
    const ordinary = await door('query_database', { connection: 'shop', sql: 'select name from bees' });
    if (confined) expect(ordinary).toContain('Maja');
    else expect(ordinary).toMatch(/bubblewrap is not installed/);
    const before = await outside();
    // Each start of the command line takes a second, so only one attack of each kind is run there.
    const kinds = new Set<string>();
    const attacks = sqliteAttacks.filter(
      ({ effect }) => name !== 'CLI' || (!kinds.has(effect) && kinds.add(effect) !== undefined),
    );
    for (const { title, sql } of attacks) {
      const text = sql(folder);
      for (const input of [{ sql: text }, { question: 'x', sql: text }]) {
        const tool = 'question' in input ? 'smart_query_database' : 'query_database';
        const answer = await door(tool, { connection: 'shop', ...input });
        expect(answer, title).toMatch(/forbidden|invalid_input|too_large|invalid_config/);
        expect(answer, title).not.toMatch(/PLANTED-SECRET\\n|504c414e5445442d534543524554|UExBTlRFRC1TRUNSRVQ/i);
      }
    }
    expect(await outside()).toBe(before);
    expect(await door('query_database', { connection: 'shop', sql: 'select count(*) from bees' })).toMatch(
      confined ? /\b1\b/ : /bubblewrap/,
    );
  });

  test('R-database: helve doctor says whether SQLite can be confined', async () => {
    const { stdout } = await run(['doctor', '--data', dataDir], environment);
    expect(stdout).toMatch(
      confined
        ? /workers.*confined by bubblewrap/
        : /workers.*query_database is off for SQLite.*apt-get install bubblewrap/s,
    );
  });
});
