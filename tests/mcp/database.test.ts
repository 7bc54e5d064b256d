/** The database tools through the official MCP client, and what a person at the client sees. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Database from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { atEnd, bearer, endAll, openRealDoor, textOf } from './real-door.js';

let folder: string;
const model = new LLMock({ port: 0, host: '127.0.0.1' });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-mcp-database-'));
  const database = new Database(join(folder, 'shop.db'));
  database.exec("create table bees (name text); insert into bees values ('Maja')");
  database.close();
  model.onMessage('which bees?', { content: 'select name from bees' });
  await model.start();
  atEnd(async () => {
    await model.stop();
    await rm(folder, { recursive: true, force: true });
  });
});
afterEach(endAll);

async function connect(answer?: 'accept' | 'decline') {
  const shown: string[] = [];
  const config = { allowed_connections: ['shop'] };
  const { alice } = await openRealDoor({
    config: `toolkits:
  database: { connections: { shop: { url: "sqlite:${folder}/shop.db" } } }
models:
  language: { base_url: "${model.url}/v1", model: m }
`,
    toolConfig: { query_database: config, describe_database: config, smart_query_database: config },
  });
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    { capabilities: answer ? { elicitation: { form: {} } } : {} },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params.message);
      return { action: answer, ...(answer === 'accept' ? { content: {} } : {}) };
    });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(alice.address), { requestInit: { headers: bearer(alice) } }),
  );
  atEnd(() => client.close());
  return { client, shown };
}

const ask = { name: 'smart_query_database', arguments: { connection: 'shop', question: 'which bees?' } };

it('R-database: query and describe; a write is refused', async () => {
  const { client } = await connect();
  const call = (name: string, args: object) => client.callTool({ name, arguments: { connection: 'shop', ...args } });
  expect((await call('query_database', { sql: 'select * from bees' })).structuredContent).toMatchObject({
    columns: ['name'],
    rows: [['Maja']],
  });
  expect((await call('describe_database', {})).structuredContent).toMatchObject({ tables: [{ name: '"bees"' }] });
  const refused = await call('query_database', { sql: 'delete from bees' });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('read-only')]);
  expect((await call('describe_database', { connection: 'other' })).isError).toBe(true);
});

it('R-database: the statement is shown to the person at the client before it runs', async () => {
  const yes = await connect('accept');
  const ran = await yes.client.callTool(ask);
  expect(yes.shown).toEqual([expect.stringContaining('select name from bees')]);
  expect(ran.structuredContent).toMatchObject({ ran: true, rows: [['Maja']] });
  const no = await connect('decline');
  expect((await no.client.callTool(ask)).isError).toBe(true);
  const nobody = await connect();
  expect((await nobody.client.callTool(ask)).structuredContent).toMatchObject({
    ran: false,
    sql: 'select name from bees',
  });
});
