/**
 * Processes that die during calls, and stores that refuse a row. The kill loop is bench/crash/run.js, here with
 * few kills; it runs the built package, so `npm run build` comes first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { settleInterrupted } from '../../src/flows/calling/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../src/testing/index.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';

type Store = 'sqlite' | 'postgres';
const stores: readonly Store[] = ['sqlite', 'postgres'];
const bench = fileURLToPath(new URL('../../bench/crash/', import.meta.url));
const timeoutMs = 120_000;

let folder: string;
let server: TestPostgres;
let files = 0;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helve-crash-test-'));
  server = await startPostgres();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newFile = (ending: string) => join(folder, `${++files}${ending}`);
const newStore = async (store: Store) => (store === 'sqlite' ? newFile('.db') : server.storeUrl());

function node(program: string, parameters: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(bench, program), ...parameters]);
  children.add(child);
  return child;
}

async function killLoop(...parameters: string[]) {
  const child = node('run.js', [...parameters, '--start-limit-ms', '20000']);
  let output = '';
  let report = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    report += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, report, summary: output === '' ? undefined : JSON.parse(output)[0] };
}

/** The store itself, bypassing Helve. */
async function execute(store: Store, location: string, statement: string): Promise<void> {
  if (store === 'sqlite') {
    const database = new Database(location);
    database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: location, options: '-c search_path=helve' });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** From now on the store refuses rows of this type in the record. */
const refuseRows = (store: Store, location: string, type: string) =>
  refuse(store, location, { table: 'audit_events', when: `new.type = '${type}'` });

const refuse = (store: Store, location: string, { table, when }: { table: string; when: string }) =>
  execute(
    store,
    location,
    store === 'sqlite'
      ? `create trigger refusal before insert on ${table} when ${when}
          begin select raise(abort, 'the disk says no'); end`
      : `create function refuse() returns trigger language plpgsql as $$ begin raise 'the disk says no'; end $$;
          create trigger refusal before insert on ${table} for each row when (${when})
          execute function refuse()`,
  );

const takeRows = (store: Store, location: string) =>
  execute(store, location, `drop trigger refusal${store === 'postgres' ? ' on audit_events' : ''}`);

async function rowsOf(helve: TestHelve, executionId: string): Promise<string[]> {
  const rows = await helve.plane.audit(helve.admin, { executionId });
  return rows.map((row) => row.type).reverse();
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await holds()); ) {
    if (Date.now() > deadline) throw new Error('It did not come to pass within 20 s');
    await new Promise((next) => setTimeout(next, 20));
  }
}

describe('kills', () => {
  test(
    'R-audit R-pipeline: kills under eight lanes of calls lose no acknowledged row and repeat no effect, on both stores',
    async () => {
      // In parallel, because most of the time is spent on starting processes and waiting for the disk.
      const runs = await Promise.all(stores.map((store) => killLoop('--store', store, '--kills', '6', '--self-test')));
      for (const { code, report, summary } of runs) {
        expect(summary, report).toMatchObject({ kills: 6, complete: true, ok: true, examples: [] });
        expect(summary.effects).toBeGreaterThan(0);
        // The checks can fail: each kind of damage is found by the check for it.
        expect([summary.missed, code]).toEqual([[], 0]);
      }
    },
    timeoutMs,
  );

  test(
    'R-audit: the kill loop fails when an acknowledged row is lost',
    async () => {
      const { code, summary } = await killLoop('--store', 'sqlite', '--kills', '1', '--lose', 'finished');
      expect(code).toBe(1);
      expect(summary.problems.lost).toBe(1);
    },
    timeoutMs,
  );
});

describe('a process that dies beside one that lives', () => {
  test.each(stores)(
    'R-pipeline R-audit: the one that lives settles the calls of the dead one, and only those (%s)',
    async (store) => {
      const database = await newStore(store);
      const effects = newFile('.jsonl');
      const lines = () => (existsSync(effects) ? readFileSync(effects, 'utf8').split('\n').filter(Boolean) : []);
      let release = () => {};
      const slow = testTool({
        name: 'slow',
        execute: () => new Promise<null>((done) => (release = () => done(null))),
      });
      const heartbeatMs = 200;
      const survivor = await createTestHelve({ database, tools: [slow], heartbeatMs });
      const own = survivor.call('slow');
      const settings = { database, effects, round: 'dead', lanes: 3, kinds: ['effect'], delayMs: 2 ** 30 };
      const child = node('child.js', [JSON.stringify(settings)]);
      await until(() => lines().length === 3);
      const ids = lines().map((line) => JSON.parse(line).executionId as string);
      const statuses = () =>
        Promise.all(ids.map(async (id) => (await survivor.plane.execution(survivor.admin, id)).status));

      await new Promise((next) => setTimeout(next, 3 * heartbeatMs));
      expect(await statuses()).toEqual(['running', 'running', 'running']);
      child.kill('SIGKILL');
      await until(async () => (await statuses()).every((status) => status === 'interrupted'));
      await new Promise((next) => setTimeout(next, 3 * heartbeatMs));
      for (const id of ids) expect(await rowsOf(survivor, id)).toEqual(['execution.started', 'execution.interrupted']);
      expect(lines()).toHaveLength(3);

      release();
      expect(await own).toMatchObject({ ok: true });
      expect(await survivor.plane.verifyAudit(survivor.admin)).toMatchObject({ ok: true });
      await survivor.close();
    },
    timeoutMs,
  );

  test.each(stores)(
    'R-audit: a read that was under way outside leaves its start, and is interrupted after a restart (%s)',
    async (store) => {
      const database = await newStore(store);
      // It accepts the request and never answers: the process dies in the middle of it.
      let asked = 0;
      const server = createServer(() => {
        asked += 1;
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
      const settings = { database, effects: newFile('.jsonl'), round: 'read', lanes: 1, kinds: ['read'], page };
      const child = node('child.js', [JSON.stringify(settings)]);
      await until(() => asked === 1);
      const dead = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await dead;
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));

      const next = await createTestHelve({ database, workspace: 'other' });
      const { workspaceId } = await next.ensureWorkspace('default');
      const reader = { ...next.admin, workspaceId };
      const rows = await next.plane.audit(reader, { tool: 'browser.fetch_page' });
      expect(rows.map(({ type }) => type).reverse()).toEqual(['execution.started', 'execution.interrupted']);
      expect(new Set(rows.map(({ executionId }) => executionId)).size).toBe(1);
      // Nothing is read again by itself.
      expect(asked).toBe(1);
      await next.close();
    },
    timeoutMs,
  );

  test('R-pipeline: a process that starts while another settles does not count as dead', async () => {
    const intent = { executionId: 'e', tool: 'a.b', actor: { kind: 'agent', id: 'a', name: 'a' } as const };
    const open = { ...intent, workspaceId: 'w', startedAt: new Date(0).toISOString(), instanceId: 'newcomer' };
    const row = { id: 'newcomer', host: 'h', pid: 1, startToken: '', seenAt: new Date(0).toISOString() };
    const store = { instances: [] as (typeof row)[], intents: [] as (typeof open)[] };
    // It starts after the first look at the store, and opens an intent before the second.
    const look = async <T>(table: readonly T[]) => {
      const seen = [...table];
      store.instances.push(row);
      store.intents.push(open);
      return seen;
    };
    const settled = await settleInterrupted({
      instanceId: 'settler',
      now: () => new Date(0),
      listIntents: () => look(store.intents),
      listInstances: () => look(store.instances),
      removeInstance: async () => undefined,
      isAlive: () => true,
      append: async () => 'committed',
    });
    expect(settled).toBe(0);
  });
});

describe('a store that refuses a row', () => {
  test.each(
    stores,
  )('R-pipeline R-audit: a finish that cannot be recorded is an unknown outcome, not to be tried again (%s)', async (store) => {
    const database = await newStore(store);
    let effects = 0;
    const send = testTool({
      name: 'send',
      async execute() {
        await refuseRows(store, database, 'execution.finished');
        return ++effects;
      },
    });
    const helve = await createTestHelve({ database, tools: [send] });
    const result = await helve.call('send');
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown', retryable: false } });
    expect(await rowsOf(helve, result.executionId)).toEqual(['execution.started']);
    await takeRows(store, database);
    await helve.close();

    const next = await createTestHelve({ database, workspace: 'other' });
    const { workspaceId } = await next.ensureWorkspace('default');
    const reader = { ...next.admin, workspaceId };
    const record = await next.plane.execution(reader, result.executionId);
    expect(record.status).toBe('interrupted');
    expect(await next.plane.verifyAudit(reader)).toMatchObject({ ok: true });
    expect(effects).toBe(1);
    await next.close();
  });

  test.each(stores)('R-pipeline R-audit: without the row of its start nothing runs (%s)', async (store) => {
    const database = await newStore(store);
    let effects = 0;
    const send = testTool({ name: 'send', execute: async () => ++effects });
    const helve = await createTestHelve({ database, tools: [send] });
    await refuseRows(store, database, 'execution.started');
    const result = await helve.call('send');
    expect(result).toMatchObject({ ok: false, error: { code: 'storage_failed', retryable: true } });
    expect(effects).toBe(0);
    expect(await rowsOf(helve, result.executionId)).toEqual(['execution.refused']);
    await takeRows(store, database);
    expect(await helve.call('send')).toMatchObject({ ok: true });
    await helve.close();
  });

  test.each(
    stores.flatMap((store) => [
      [store, false, 'outcome_unknown', false] as const,
      [store, true, 'storage_failed', true] as const,
    ]),
  )('R-pipeline: on %s a long answer that cannot be kept (of a read: %s) is %s, to be tried again: %s', async (store, isRead, code, retryable) => {
    const database = await newStore(store);
    const annotations = { readOnlyHint: isRead, destructiveHint: false, idempotentHint: false, openWorldHint: false };
    const long = testTool({ name: 'long', annotations, execute: async () => 'x'.repeat(200_000) });
    const helve = await createTestHelve({ database, tools: [long] });
    await refuse(store, database, { table: 'results', when: 'true' });
    const result = await helve.call('long');
    expect(result).toMatchObject({ ok: false, error: { code, retryable } });
    expect(await rowsOf(helve, result.executionId)).toEqual(['execution.started', 'execution.finished']);
    await helve.close();
  });
});
