import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../domain/audit.js';
import type { AuditTable } from '../domain/storage.js';
import { chainStart } from '../domain/storage.js';
import { seal } from './seal.js';
import { auditRows, createTurns, verifyChain } from './verify-chain.js';

function chain(count: number): AuditEvent[] {
  const rows: AuditEvent[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const event = {
      id: `e${seq}`,
      workspaceId: 'w',
      seq,
      type: 'agent.created' as const,
      at: '2026-01-01T00:00:00.000Z',
      actor: { kind: 'user' as const, id: 'ada', name: 'Ada' },
      body: { slug: `agent-${seq}` },
    };
    rows.push({ ...event, hash: seal(rows.at(-1)?.hash ?? chainStart, event) });
  }
  return rows;
}

const rows = chain(1_300);
const pointAt = (seq: number, hash = rows[seq - 1]?.hash ?? '') => ({ seq, hash });

/** A table that records the position from which it was read. */
function tableOf(given: readonly AuditEvent[]) {
  const read: number[] = [];
  const table: Pick<AuditTable, 'head' | 'page'> = {
    async page(after, limit) {
      read.push(after);
      return given.filter(({ seq }) => seq > after).slice(0, limit);
    },
    head: async () => pointAt(rows.length),
  };
  return { table, read };
}

test('R-audit: other work gets a turn between the pages', async () => {
  let turns = 0;
  let ended = false;
  const count = (): void => {
    turns += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  await verifyChain(tableOf(rows).table);
  ended = true;
  expect(turns).toBeGreaterThanOrEqual(3);
  const seen: number[] = [];
  for await (const { seq } of auditRows(tableOf(rows).table)) seen.push(seq);
  expect(seen).toEqual(rows.map(({ seq }) => seq));
});

test('R-audit: of ten readers that share their turns, at most one reads in each turn of the event loop', async () => {
  let turn = 0;
  let ended = false;
  const count = (): void => {
    turn += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const table: Pick<AuditTable, 'page'> = {
    async page(after, limit) {
      turns.push(turn);
      return rows.filter(({ seq }) => seq > after).slice(0, limit);
    },
  };
  const takeTurn = createTurns();
  const readAll = async () => {
    let read = 0;
    for await (const _ of auditRows(table, takeTurn)) read += 1;
    return read;
  };
  expect(new Set(await Promise.all(Array.from({ length: 10 }, readAll)))).toEqual(new Set([rows.length]));
  ended = true;
  expect(new Set(turns).size).toBe(turns.length);
});

describe('the end of the chain', () => {
  const head = rows.length;
  /** What follows from the row before: only the end of the chain tells that it is not the record's. */
  const sealed = (event: AuditEvent, after: AuditEvent | undefined): AuditEvent => ({
    ...event,
    hash: seal(after?.hash ?? chainStart, event),
  });
  const last = sealed({ ...rows[head - 1]!, tool: 'x' }, rows[head - 2]);
  const one = sealed({ ...last, seq: head + 1 }, rows[head - 1]);

  test.each([
    ['the last row was replaced', [...rows.slice(0, -1), last], head, /not the one the chain ended with/],
    ['the last row is missing', rows.slice(0, -1), head, /rows from 1300 to 1300 are missing/],
    ['a row was added behind it', [...rows, one], head + 1, /comes after the end/],
  ])('attack: %s, and that is seen', async (_, given, seq, problem) => {
    const firstBroken = { seq, problem: expect.stringMatching(problem) };
    expect(await verifyChain(tableOf(given).table)).toMatchObject({ ok: false, firstBroken });
  });

  test('R-audit: a row that is recorded meanwhile is in order', async () => {
    const { table } = tableOf([...rows, one]);
    const heads = [pointAt(head), { seq: head + 1, hash: one.hash }];
    const moving = { ...table, head: async () => heads.shift() ?? pointAt(0) };
    expect(await verifyChain(moving)).toEqual({ ok: true, rows: head + 1, head: pointAt(head) });
  });
});

describe('from an already verified row', () => {
  test('R-audit: only later rows are read', async () => {
    const { table, read } = tableOf(rows);
    expect(await verifyChain(table, { from: pointAt(1_000) })).toEqual({ ok: true, rows: 1_300, head: pointAt(1_300) });
    // The row itself, and then only rows after it.
    expect(read[0]).toBe(999);
    expect(Math.min(...read.slice(1))).toBe(1_000);
    expect(read.at(-1)).toBe(1_300);
    expect(await verifyChain(tableOf(rows).table, { from: pointAt(1_300) })).toMatchObject({ ok: true, rows: 1_300 });
  });

  test.each([
    ['it is another row now', rows, pointAt(1_000, 'f'.repeat(64)), 1_000, 'is not the one that was checked'],
    [
      'it is missing',
      rows.filter(({ seq }) => seq !== 1_000),
      pointAt(1_000),
      1_000,
      'is not the one that was checked',
    ],
    ['it was never there', rows, pointAt(2_000, 'f'.repeat(64)), 2_000, 'is not the one that was checked'],
    [
      'a later row was changed',
      rows.map((one) => (one.seq === 1_100 ? { ...one, tool: 'x' } : one)),
      pointAt(9),
      1_100,
      'was changed',
    ],
    ['the next row is missing', rows.filter(({ seq }) => seq !== 10), pointAt(9), 10, 'is missing'],
  ])('attack: %s, and that is seen', async (_, given, from, seq, problem) => {
    const report = await verifyChain(tableOf(given).table, { from });
    expect(report).toMatchObject({ ok: false, rows: seq - 1, firstBroken: { seq, problem: `row ${seq} ${problem}` } });
  });
});
