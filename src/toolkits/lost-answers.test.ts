/**
 * Calls of tools without an account whose answer is lost, made again as the next owner of their run makes them, on both
 * stores. Toolkits with accounts have a test of their own, apart from mail and Telegram, which have one tool each.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { missing } from '../../tests/commands/ground.js';
import {
  type Act,
  callInRun,
  callTwice,
  namesWithEffects,
  repeatAfterLoss,
} from '../../tests/counterparts/lost-answers.js';
import { type Scripted, startScripted } from '../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../tests/counterparts/stores.js';
import { createMailHelve, startMailServer } from '../../tests/mail/counterparts.js';
import type { JsonObject } from '../domain/json.js';
import { createTestHelve, type TestHelve } from '../testing/index.js';
import { startPostgres, type TestPostgres } from '../testing/postgres.js';
import { newId } from '../util/hash.js';
import { nativeToolkits } from './index.js';
import { nameMemory } from './knowledge/memory/memories.js';

const unknown = { ok: false, error: { code: 'outcome_unknown', details: { reason: 'in_doubt' } } };
const policies = [{ id: 'all', effect: 'allow' as const, when: {} }];

let folder: string;
let postgres: TestPostgres;
let server: Scripted;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helve-lost-'));
  [postgres, server] = await Promise.all([startPostgres(), startScripted()]);
}, 120_000);
afterAll(async () => {
  await Promise.all([postgres?.stop(), server?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** What the calls of a table may reach: a folder, a database and the server of this test. */
function options(root: string) {
  const allowed_paths = [`${root}/**`];
  const toolConfig: Record<string, JsonObject> = {
    query_database: { allowed_connections: ['reading', 'writing'], allow_writes: true },
    run_command: { allowed_commands: ['true'] },
    run_ssh_command: { allowed_hosts: ['web'] },
    webhook: { allowed_urls: [`${server.url}/*`] },
  };
  for (const tool of ['write_file', 'create_directory', 'delete_file', 'move_file', 'create_document', 'ingest_files'])
    toolConfig[tool] = { allowed_paths };
  const url = `sqlite:${join(`${root}-shop`, 'shop.db')}`;
  const connections = { reading: { url }, writing: { url, writable: true } };
  return { toolConfig: toolConfig as never, policies, toolkits: { database: { connections } } };
}

interface Row {
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: object;
  /** What the effect changes. */
  readonly state: () => Promise<unknown> | unknown;
  readonly prepare?: () => Promise<unknown> | unknown;
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let helve: TestHelve;
  let root: string;
  beforeAll(async () => {
    root = join(folder, kind);
    mkdirSync(root);
    const { toolkits, ...more } = options(root);
    const store = kind === 'postgres' ? { database: await postgres.storeUrl() } : {};
    const egress = { allowedAddresses: ['127.0.0.1'] };
    helve = await createTestHelve({ ...more, ...store, egress, config: JSON.stringify({ toolkits }) });
  });
  afterAll(() => helve?.close());

  const ask = async (tool: string, input: object): Promise<any> => {
    const result = await helve.call(tool, input);
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    return result.output;
  };
  const names = () => readdirSync(root, { recursive: true }).sort();
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const put = (name: string) => writeFileSync(join(root, name), name);
  const value = (key: string) => ask('key_value_get', { key });
  const sources = async () => (await ask('list_knowledge', {})).sources.map(({ path }: { path: string }) => path);
  const memories = async () => (await ask('recall', {})).memories.map(({ text }: { text: string }) => text);
  const documents = async () => (await ask('librarian_list', {})).documents.map(({ path }: { path: string }) => path);

  // biome-ignore format: a table
  const rows: readonly Row[] = [
    { tool: 'key_value_set', input: { key: 'a', value: 1 }, output: { success: true }, state: () => value('a') },
    { tool: 'key_value_delete', input: { key: 'b' }, output: {}, state: () => value('b'), prepare: () => ask('key_value_set', { key: 'b', value: 1 }) },
    { tool: 'write_file', input: { path: 'w', content: 'new' }, output: { bytes_written: 3 }, state: () => read('w'), prepare: () => put('w') },
    { tool: 'create_directory', input: { path: 'd/e' }, output: {}, state: names },
    { tool: 'delete_file', input: { path: 'gone' }, output: { deleted: true, path: expect.stringMatching(/^\/.*\/gone$/) }, state: names, prepare: () => put('gone') },
    { tool: 'move_file', input: { source: 'old', destination: 'moved' }, output: { path: expect.stringMatching(/^\/.*\/moved$/) }, state: names, prepare: () => put('old') },
    { tool: 'create_document', input: { format: 'docx', path: 'a.docx', content: [{ type: 'paragraph', text: 'x' }] }, output: { format: 'docx' }, state: names },
    { tool: 'ingest_document', input: { path: 'note.md', content: '# Note\n\nText' }, output: { path: 'note.md' }, state: sources },
    { tool: 'ingest_files', input: { path: 'kept.md' }, output: { failures: 0 }, state: sources, prepare: () => put('kept.md') },
    { tool: 'remember', input: { text: 'a' }, output: { id: nameMemory('a') }, state: memories },
    { tool: 'forget', input: { id: nameMemory('b') }, output: {}, state: memories, prepare: () => ask('remember', { text: 'b' }) },
    { tool: 'remove_knowledge', input: { path: 'old.md' }, output: { removed: true }, state: sources, prepare: () => ask('ingest_document', { path: 'old.md', content: 'Old' }) },
  ];

  // biome-ignore format: a table
  const confined: readonly Row[] = [
    { tool: 'librarian_store', input: { collection: '/db/a', document_name: 'b.xml', content: '<b/>' }, output: { path: '/db/a/b.xml' }, state: documents },
    { tool: 'librarian_delete', input: { path: '/db/a/c.xml' }, output: {}, state: documents,
      prepare: () => ask('librarian_store', { collection: '/db/a', document_name: 'c.xml', content: '<c/>' }) },
  ];

  /** Twice, so that the second run of a row begins as the first. */
  const reset = async ({ tool, prepare }: Row): Promise<void> => {
    if (tool === 'key_value_set') await helve.call('key_value_delete', { key: 'a' });
    for (const name of ['w', 'd', 'moved', 'a.docx', 'kept.md'])
      rmSync(join(root, name), { recursive: true, force: true });
    for (const path of ['note.md', 'kept.md', join(root, 'kept.md')]) await helve.call('remove_knowledge', { path });
    for (const text of ['a', 'b']) await helve.call('forget', { id: nameMemory(text) });
    for (const path of await sources()) await helve.call('remove_knowledge', { path });
    if (tool.startsWith('librarian')) await helve.call('librarian_delete', { path: '/db/a/b.xml' });
    await prepare?.();
  };

  async function lostAfter(row: Row): Promise<void> {
    await reset(row);
    const before = await row.state();
    const { first, between, second } = await callTwice({ helve, ...row }, row.state);
    expect([first, second], JSON.stringify(second)).toMatchObject([
      { ok: true, output: row.output },
      { ok: true, output: row.output },
    ]);
    expect(between).not.toEqual(before);
    expect(await row.state()).toEqual(between);
  }

  async function lostBefore(row: Row): Promise<void> {
    await reset(row);
    const before = await row.state();
    expect(await callInRun({ helve, ...row }, inDoubt())).toMatchObject({ ok: true, output: row.output });
    expect(await row.state()).not.toEqual(before);
  }

  describe.each([
    ['after', lostAfter],
    ['before', lostBefore],
  ] as const)('the answer is lost %s the effect', (_when, lose) => {
    test.each(rows.map((row) => [row.tool, row] as const))('R-durable-runs: %s happens once', (_tool, row) =>
      lose(row));

    test.skipIf(missing).each(confined.map((row) => [row.tool, row] as const))(
      `R-durable-runs: %s happens once${missing ? ` (skipped: ${missing})` : ''}`,
      (_tool, row) => lose(row),
    );
  });

  test('R-durable-runs: what was appended is left to a person, also by way of call_tool', async () => {
    put('log');
    const input = { path: 'log', content: '+', mode: 'append' };
    const named = { tool: 'call_tool', input: { tool: 'write_file', arguments: input } };
    for (const call of [
      { helve, tool: 'write_file', input },
      { helve, ...named },
    ]) {
      const before = read('log');
      const { second } = await callTwice(call);
      expect(second).toMatchObject(unknown);
      expect(read('log')).toBe(`${before}+`);
    }
  });

  // The programs of the two are confined.
  test.skipIf(missing)(
    'R-durable-runs: a statement that may not write and a command without a network run again',
    async () => {
      mkdirSync(`${root}-shop`);
      const database = new Database(join(`${root}-shop`, 'shop.db'));
      database.exec('create table t (one integer)');
      database.close();
      const sql = 'insert into t values (1)';
      const write = { helve, tool: 'query_database', input: { connection: 'writing', sql } };
      expect(await callTwice(write)).toMatchObject({ first: { ok: true }, second: unknown });
      const look = { helve, tool: 'query_database', input: { connection: 'reading', sql: 'select one from t' } };
      expect(await callTwice(look)).toMatchObject({ second: { ok: true, output: { rows: [[1]] } } });
      const command = { helve, tool: 'run_command', input: { command: 'true' } };
      expect(await callTwice(command)).toMatchObject({ second: { ok: true, output: { exit_code: 0 } } });
    },
  );

  test('R-durable-runs: a webhook goes out again under the same id, by which the receiver knows it', async () => {
    const received = new Set<string>();
    const receiver: Act = ({ headers }) => {
      received.add(String(headers['webhook-id']));
      return { body: {} };
    };
    const call = { helve, tool: 'webhook', input: { url: `${server.url}/hook`, payload: {} } };
    for (const lost of ['after', 'before'] as const) {
      received.clear();
      const { result } = await repeatAfterLoss(call, { server, act: receiver }, lost);
      expect(result).toMatchObject({ ok: true, output: { status_code: 200, webhook_id: [...received][0] } });
      expect(received.size).toBe(1);
    }
    // One that does not look at the id acts twice.
    let acted = 0;
    const careless: Act = () => ({ body: { acted: ++acted } });
    await repeatAfterLoss(call, { server, act: careless }, 'after');
    expect(acted).toBe(2);
  });

  test.each([
    ['GET', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
    ['PATCH', 1],
  ] as const)('R-durable-runs: fetch_url: %s is sent %i times', async (method, times) => {
    let acted = 0;
    const act: Act = () => ({ body: { acted: ++acted } });
    const call = { helve, tool: 'fetch_url', input: { url: `${server.url}/x`, method } };
    const { result } = await repeatAfterLoss(call, { server, act, isEffect: () => true }, 'after');
    expect(result).toMatchObject(times === 2 ? { ok: true } : unknown);
    expect(acted).toBe(times);
  });
});

const inDoubt = () => ({
  runId: newId(),
  replaces: newId(),
  doubtfulSince: new Date().toISOString(),
});

describe.each(stores)('what only a person can tell, on %s', (kind) => {
  const store = useStore(kind);

  test('R-durable-runs: a command on another machine is not run again', async () => {
    let reached = 0;
    const machine = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => void machine.close(() => resolve())));
    const { port } = machine.address() as { port: number };
    const key = join(folder, 'key');
    writeFileSync(key, 'x', { mode: 0o600 });
    const web = { address: '127.0.0.1', port, user: 'x', private_key_file: key, host_key: `SHA256:${'A'.repeat(43)}` };
    const config = JSON.stringify({ toolkits: { ssh: { hosts: { web } } } });
    const toolConfig = { run_ssh_command: { allowed_hosts: ['web'] } };
    const helve = await createTestHelve({
      ...(await store()),
      granted: ['run_ssh_command'],
      policies,
      config,
      toolConfig,
    });
    onTestFinished(() => helve.close());
    const call = { helve, tool: 'run_ssh_command', input: { host: 'web', command: 'true' } };
    expect(await callInRun(call, inDoubt())).toMatchObject(unknown);
    expect(reached).toBe(0);
  });

  test('R-durable-runs: a step of an agent starts one program, however often it is asked', async () => {
    const helve = await createTestHelve({ ...(await store()), policies });
    onTestFinished(() => helve.close());
    const started = async () => (await helve.audited()).filter(({ type }) => type === 'run.started').length;
    const call = { helve, tool: 'run_code', input: { code: 'return 1' } };
    const { first, second } = await callTwice({ ...call, isLoop: true });
    for (const result of [first, second]) expect(result).toMatchObject({ ok: true, output: { value: 1 } });
    expect(await started()).toBe(1);
    // A program has no programs.
    expect(await callInRun(call, inDoubt())).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await started()).toBe(1);
  });

  test('R-durable-runs: an agent is not created, and a tool not granted, again', async () => {
    const helve = await createTestHelve({ ...(await store()), policies });
    onTestFinished(() => helve.close());
    const { kind, id, name } = helve.admin;
    const principal = { ...helve.agent, onBehalfOf: { kind, id, name } };
    const input = { agent: 'twin' };
    expect(await callTwice({ helve, principal, tool: 'create_agent', input })).toMatchObject({
      first: { ok: true },
      second: unknown,
    });
    const listed = await helve.execute({ principal, tool: 'list_grants', input });
    if (!listed.ok) throw new Error(JSON.stringify(listed.error));
    const { version } = listed.output as { version: string };
    const proposed = { ...input, tools: ['calculate'], reason: 'To count', version };
    const call = { helve, principal, tool: 'propose_grant', input: proposed };
    // A call in doubt was approved when it was made first: it is not asked again, and grants nothing.
    expect(await callInRun(call, inDoubt())).toMatchObject(unknown);
    expect(await helve.execute({ principal, tool: 'list_grants', input })).toMatchObject({ output: { granted: [] } });
  });

  test('R-durable-runs: a command with a network is not run again', async () => {
    const toolConfig = { run_command: { allowed_commands: ['true'], network: true } };
    const helve = await createTestHelve({ ...(await store()), granted: ['run_command'], policies, toolConfig });
    onTestFinished(() => helve.close());
    const call = { helve, tool: 'run_command', input: { command: 'true' } };
    expect(await callInRun(call, inDoubt())).toMatchObject(unknown);
  });

  test('R-durable-runs: a mail is not sent again, by the operator’s server or by an account’s', async () => {
    const mail = await startMailServer({});
    onTestFinished(mail.close);
    const account = { host: '127.0.0.1', port: String(mail.port), security: 'none', from_address: 'me@corp.example' };
    const own = await createTestHelve({
      ...(await store()),
      config: JSON.stringify({ toolkits: { smtp: { allowed_hosts: [`127.0.0.1:${mail.port}`] } } }),
      connections: [{ toolkit: 'smtp', name: 'Mailbox', scheme: 'password', credentials: account }],
    });
    const operators = await createMailHelve({ smtp: { port: mail.port }, ...(await store()) });
    for (const helve of [own, operators]) onTestFinished(() => helve.close());
    const input = { to: 'a@corp.example', subject: 'Once', body: 'Only once' };
    const calls = [
      { helve: own, tool: 'mailbox__send_smtp_email', input },
      { helve: operators, tool: 'send_email', input },
    ];
    for (const call of calls) {
      mail.delivered.length = 0;
      expect(await callTwice(call)).toMatchObject({ first: { ok: true }, second: unknown });
      expect(mail.delivered).toHaveLength(1);
    }
  });

  test('R-durable-runs: a bot’s message is not sent again', async () => {
    let sent = 0;
    const telegram: Act = () => ({ body: { ok: true, result: { message_id: ++sent, chat: { id: 42 } } } });
    const helve = await createTestHelve({
      ...(await store()),
      config: JSON.stringify({ toolkits: { telegram: { base_url: server.url } } }),
      connections: [
        { toolkit: 'telegram', name: 'Bot', scheme: 'bot_token', credentials: { token: `1:${'A'.repeat(35)}` } },
      ],
    });
    onTestFinished(() => helve.close());
    const call = { helve, tool: 'bot__send_telegram_message', input: { chat_id: 42, text: 'Once' } };
    const { result, seen } = await repeatAfterLoss(call, { server, act: telegram }, 'after');
    expect(result).toMatchObject(unknown);
    expect([sent, seen.length]).toEqual([1, 0]);
  });
});

describe('what each tool says', () => {
  const tried: Readonly<Record<string, readonly string[]>> = {
    key_value: ['key_value_set', 'key_value_delete'],
    http: ['fetch_url'],
    discovery: ['call_tool', 'run_code'],
    platform: ['create_agent', 'propose_grant'],
    files: ['write_file', 'create_directory', 'delete_file', 'move_file'],
    email: ['send_email'],
    webhook: ['webhook'],
    shell: ['run_command'],
    ssh: ['run_ssh_command'],
    documents: ['create_document'],
    database: ['query_database'],
    librarian: ['librarian_store', 'librarian_delete'],
    knowledge: ['ingest_document', 'ingest_files', 'remove_knowledge'],
    memory: ['remember', 'forget'],
    telegram: ['send_telegram_message'],
    smtp: ['send_smtp_email'],
  };
  /** They have a table of their own, in a file of this name in their folder; `code` has only an installation, which is repeatable. */
  const elsewhere = ['code', 'google_gmail', 'google_workspace', 'github', 'linear', 'slack', 'stripe'];

  test('R-durable-runs: every tool with effects is tried, here or in the test of its toolkit', async () => {
    for (const { slug, load } of nativeToolkits) {
      if (elsewhere.includes(slug)) continue;
      expect(namesWithEffects(await load()).sort(), slug).toEqual([...(tried[slug] ?? [])].sort());
    }
  });

  test('R-durable-runs: every tool with effects says how it is kept from happening twice, in one sentence', async () => {
    for (const { slug, load } of nativeToolkits) {
      for (const { name, annotations, idempotency, probe } of await load()) {
        if (annotations.readOnlyHint) continue;
        expect(idempotency !== undefined || annotations.idempotentHint, `${slug}.${name}`).toBe(true);
        expect(idempotency?.how ?? 'As', `${slug}.${name}`).toMatch(/^[A-Z][^.]*[^.]$/);
        expect(probe !== undefined, `${slug}.${name}`).toBe(idempotency?.by === 'probe');
      }
    }
  });
});
