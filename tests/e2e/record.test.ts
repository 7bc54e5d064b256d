/** The record as its owner relies on it: tampering with the file is reported by row, the export is complete and in order, search works. */
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seal } from '../../src/audit/index.js';
import type { AuditEvent } from '../../src/domain/audit.js';
import { allPermissions, type Principal } from '../../src/domain/principal.js';
import { chainStart } from '../../src/domain/storage.js';
import { createHelve, type Helve } from '../../src/helve.js';
import { createHttpApp } from '../../src/surfaces/http/index.js';
import { removeTemporaryFolders, temporaryFolder } from './support/server.js';

let dataDir: string;
let helve: Helve;
let admin: Principal;
let rows: AuditEvent[];

beforeEach(async () => {
  dataDir = await temporaryFolder('record');
  await start();
  for (const expression of ['1 + 1', '2 + 2', '3 + 3', 'nonsense(']) {
    await helve.execute({ principal: { agent: 'first' }, tool: 'calculate', input: { expression } });
  }
  await helve.execute({ principal: { agent: 'first' }, tool: 'key_value_set', input: { key: 'k', value: 'Zażółć' } });
  await helve.execute({ principal: { agent: 'first' }, tool: 'nothing', input: {} });
  rows = await exported();
});
afterEach(async () => {
  await helve.close();
  await removeTemporaryFolders();
});

async function start(): Promise<void> {
  helve = await createHelve({ dataDir });
  const { workspaceId } = await helve.setUp();
  admin = { kind: 'user', id: 'system', name: 'Helve', workspaceId, permissions: allPermissions };
}

async function exported(): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  for await (const row of helve.plane.exportAudit(admin)) found.push(row);
  return found;
}

/** With the server stopped, as someone with access to the file would do it. */
async function tamper(work: (database: Database.Database) => void): Promise<void> {
  await helve.close();
  const database = new Database(join(dataDir, 'helve.db'));
  try {
    work(database);
  } finally {
    database.close();
  }
  await start();
}

const set = (seq: number, column: string, value: string) => (database: Database.Database) =>
  void database.prepare(`update audit_events set ${column} = ? where seq = ?`).run(value, seq);

/** Rows from `from` on, changed by `change` and sealed again so that they follow from one another. */
function rewriteFrom(from: number, change: (row: AuditEvent) => AuditEvent) {
  return (database: Database.Database): void => {
    let hash = rows.find((row) => row.seq === from - 1)?.hash ?? chainStart;
    for (const row of rows.filter(({ seq }) => seq >= from)) {
      const changed = change(row);
      hash = seal(hash, changed);
      const update = database.prepare('update audit_events set body = ?, hash = ? where seq = ?');
      update.run(JSON.stringify(changed.body), hash, row.seq);
    }
  };
}

const last = () => rows.length;
const middle = 5;

describe('tampering', () => {
  test('R-audit: nothing was changed, and the refusal is recorded', async () => {
    await tamper(() => undefined);
    expect(await helve.plane.verifyAudit(admin)).toMatchObject({ ok: true, rows: last(), head: { seq: last() } });
  });

  const cases: Record<
    string,
    { work: () => (database: Database.Database) => void; broken: () => number; says: RegExp }
  > = {
    'a changed body': {
      work: () => set(middle, 'body', '{"rule":"nothing"}'),
      broken: () => middle,
      says: /row 5 was changed/,
    },
    'a changed actor': { work: () => set(middle, 'actor_name', 'somebody'), broken: () => middle, says: /was changed/ },
    'a changed time': {
      work: () => set(middle, 'at', '2020-01-01T00:00:00.000Z'),
      broken: () => middle,
      says: /was changed/,
    },
    'a changed tool': {
      work: () => set(last() - 1, 'tool', 'math.other'),
      broken: () => last() - 1,
      says: /was changed/,
    },
    'a changed hash': { work: () => set(middle, 'hash', 'f'.repeat(64)), broken: () => middle, says: /was changed/ },
    'the first row changed': { work: () => set(1, 'body', '{}'), broken: () => 1, says: /row 1 was changed/ },
    'the last row changed': { work: () => set(last(), 'body', '{}'), broken: () => last(), says: /was changed/ },
    'a middle row deleted': {
      work: () => (database) => void database.prepare('delete from audit_events where seq = ?').run(middle),
      broken: () => middle,
      says: /row 5 is missing/,
    },
    'the tail deleted': {
      work: () => (database) => void database.prepare('delete from audit_events where seq > ?').run(middle),
      broken: () => middle + 1,
      says: /rows from 6 to \d+ are missing/,
    },
    'everything deleted': {
      work: () => (database) => void database.prepare('delete from audit_events').run(),
      broken: () => 1,
      says: /rows from 1 to \d+ are missing/,
    },
    'two rows swapped': {
      work: () => (database) => {
        const move = database.prepare('update audit_events set seq = ? where seq = ?');
        for (const [to, from] of [
          [-1, middle],
          [middle, middle + 1],
          [middle + 1, -1],
        ] as const)
          move.run(to, from);
      },
      broken: () => middle,
      says: /row 5 was changed/,
    },
    'a row put in between': {
      work: () => (database) => {
        const move = database.prepare('update audit_events set seq = ? where seq = ?');
        for (let seq = last(); seq >= middle; seq--) move.run(seq + 1, seq);
        copyRow(database, middle - 1, middle, 'f'.repeat(64));
      },
      broken: () => middle,
      says: /row 5 was changed/,
    },
    'a row put after the end, with the hash that it should have': {
      work: () => (database) => {
        const row = rows.at(-1) as AuditEvent;
        copyRow(database, row.seq, row.seq + 1, seal(row.hash, { ...row, seq: row.seq + 1 }));
      },
      broken: () => last() + 1,
      says: /row \d+ does not belong to the record/,
    },
    'a whole suffix rewritten, sealed again, without the head': {
      work: () => rewriteFrom(middle, (row) => ({ ...row, body: { rewritten: true } })),
      broken: () => last(),
      says: /is not the one the chain ended with/,
    },
  };

  test.each(Object.keys(cases))('R-audit: %s is named by its row', async (name) => {
    const { work, broken, says } = cases[name] as (typeof cases)[string];
    const expected = broken();
    await tamper(work());
    const report = await helve.plane.verifyAudit(admin);
    expect(report).toMatchObject({ ok: false, firstBroken: { seq: expected, problem: expect.stringMatching(says) } });
    expect(report.rows).toBeLessThanOrEqual(expected);
  });

  test('R-audit: rows that honest calls add during verification do not count as a breach', async () => {
    const calls = Array.from({ length: 50 }, () =>
      helve.execute({ principal: { agent: 'first' }, tool: 'calculate', input: { expression: '1' } }),
    );
    const reports = [];
    for (let turn = 0; turn < 10; turn++) reports.push(await helve.plane.verifyAudit(admin));
    await Promise.all(calls);
    expect(reports.filter(({ ok }) => !ok)).toEqual([]);
  });
});

function copyRow(database: Database.Database, from: number, to: number, hash: string): void {
  const columns = 'workspace_id, at, type, execution_id, tool, actor_kind, actor_id, actor_name, on_behalf_of, body';
  const insert = `insert into audit_events (seq, hash, ${columns}) select ?, ?, ${columns} from audit_events where seq = ?`;
  database.prepare(insert).run(to, hash, from);
}

describe('reading', () => {
  test('R-audit: the export is NDJSON, complete, in order, and anyone can check its hashes', async () => {
    const { secret } = await helve.plane.createApiKey(admin, { permissions: ['audit:read'] });
    const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
    const response = await app.request('/api/audit/export', { headers: { authorization: `Bearer ${secret}` } });
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const text = await response.text();
    expect(text.endsWith('\n')).toBe(true);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEvent);
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: last() + 1 }, (_, index) => index + 1));
    let hash = chainStart;
    for (const line of lines) {
      expect(line.hash).toBe(seal(hash, line));
      hash = line.hash;
    }
    const { head } = await helve.plane.verifyAudit(admin);
    expect(hash).toBe(head.hash);
  });

  test('R-audit: search filters by type, tool, actor, execution, text, time and place, newest first', async () => {
    const search = (query: Parameters<typeof helve.plane.audit>[1]) => helve.plane.audit(admin, query);
    const everything = [...rows].reverse();
    expect(await search({ limit: 500 })).toEqual(everything);
    const by = (keep: (row: AuditEvent) => boolean) => everything.filter(keep);
    const [refused] = by((row) => row.type === 'execution.refused');
    const agent = by((row) => row.actor.name === 'first')[0]?.actor.id ?? '';
    expect(await search({ types: ['execution.refused', 'agent.created'] })).toEqual(
      by((row) => row.type === 'execution.refused' || row.type === 'agent.created'),
    );
    expect(await search({ types: [] })).toEqual([]);
    expect(await search({ tool: 'math.calculate' })).toEqual(by((row) => row.tool === 'Math.calculate'));
    expect(await search({ actorId: agent })).toEqual(by((row) => row.actor.id === agent));
    expect(await search({ executionId: refused?.executionId ?? '' })).toEqual([refused]);
    expect(await search({ text: '2 + 2' })).toEqual(by((row) => JSON.stringify(row.body).includes('2 + 2')));
    expect(await search({ text: 'Zażółć' })).toHaveLength(1);
    expect(await search({ text: '%' })).toEqual([]);
    expect(await search({ before: 4 })).toEqual(by((row) => row.seq < 4));
    expect(await search({ limit: 2 })).toEqual(everything.slice(0, 2));
    const at = rows[2]?.at ?? '';
    expect(await search({ since: at, limit: 500 })).toEqual(by((row) => row.at >= at));
    expect(await search({ until: at, limit: 500 })).toEqual(by((row) => row.at <= at));
    expect(await search({ tool: 'math.calculate', types: ['execution.finished'], text: 'ok' })).toHaveLength(3);
  });
});
