/** The record as a whole: a check that is followed, stopped and resumed, and a filtered export. */
import { describe, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import type { AuditEvent } from '../../domain/audit.js';
import type { ChainProgress } from '../../domain/chain.js';
import type { Principal } from '../../domain/principal.js';
import { chainStart } from '../../domain/storage.js';
import { createVault, keyringInMemory, keyringMissing } from '../../vault/index.js';
import { createWholeRecord } from './whole-record.js';

const never = new AbortController().signal;
const reader = (workspaceId = 'w'): Principal => ({
  kind: 'user',
  id: 'ada',
  name: 'Ada',
  workspaceId,
  permissions: ['audit:read'],
});

function chain(count: number): AuditEvent[] {
  const rows: AuditEvent[] = [];
  for (let seq = 1; seq <= count; seq++) {
    const event = {
      id: `e${seq}`,
      workspaceId: 'w',
      seq,
      type: 'execution.finished' as const,
      at: '2026-01-01T00:00:00.000Z',
      actor: { kind: 'agent' as const, id: 'a1', name: 'scout' },
      tool: 'mail.send',
      executionId: `x${seq}`,
      body: { status: 'ok' },
    };
    rows.push({ ...event, hash: seal(rows.at(-1)?.hash ?? chainStart, event) });
  }
  return rows;
}
const rows = chain(2_500);
const tampered = (seq: number) => rows.map((row) => (row.seq === seq ? { ...row, tool: 'mail.read' } : row));

function createScene(given: readonly AuditEvent[] = rows, keyring = keyringInMemory()) {
  const read: number[] = [];
  const store = { rows: given };
  const audit = {
    async page(after: number, limit: number) {
      read.push(after);
      return store.rows.filter(({ seq }) => seq > after).slice(0, limit);
    },
    async search({
      tool,
      before = Number.POSITIVE_INFINITY,
      limit,
    }: {
      tool?: string;
      before?: number;
      limit: number;
    }) {
      const found = store.rows.filter((row) => (tool === undefined || row.tool === tool) && row.seq < before);
      return found.reverse().slice(0, limit);
    },
    head: async () => ({ seq: rows.length, hash: rows.at(-1)!.hash }),
  };
  const acts = createWholeRecord({
    storage: { workspace: () => ({ audit, recordArchives: { newest: async () => undefined } }) },
    now: () => new Date('2026-02-01T00:00:00.000Z'),
    accounts: { vault: createVault(keyring) },
    catalogue: async () => ({ match: () => [] }),
    registry: { findToolkit: async () => undefined },
  } as never);
  const check = async (checkpoint?: string, by = reader()) => {
    const events: ChainProgress[] = [];
    for await (const event of acts.followAuditCheck(by, checkpoint, never)) events.push(event);
    return events;
  };
  return { acts, check, read, store };
}

describe('a check that is followed', () => {
  test('R-audit: it says how far it is, and ends with the whole chain', async () => {
    const events = await createScene().check();
    expect(events.map(({ type, checked }) => [type, checked])).toEqual([
      ['progress', 0],
      ['progress', 1_000],
      ['progress', 2_000],
      ['done', 2_500],
    ]);
    expect(events[1]).toMatchObject({ total: 2_500 });
    expect(events.at(-1)).toMatchObject({ ok: true, head: { seq: 2_500 } });
    expect(events.at(-1)).not.toHaveProperty('earlier');
  });

  test('attack: a changed row is named as it stands now, and the rows before it are verified', async () => {
    const last = (await createScene(tampered(1_200)).check()).at(-1);
    expect(last).toMatchObject({
      ok: false,
      checked: 1_199,
      firstBroken: { seq: 1_200, event: { type: 'execution.finished', tool: 'mail.read', actor: { name: 'scout' } } },
    });
    const missing = (await createScene(rows.filter(({ seq }) => seq !== 7)).check()).at(-1);
    expect(missing).toMatchObject({ ok: false, firstBroken: { seq: 7, problem: 'row 7 is missing' } });
    expect((missing as { firstBroken: object }).firstBroken).not.toHaveProperty('event');
  });

  test('R-audit: who closes it, or whose signal fires, stops the reading', async () => {
    const { acts, read } = createScene();
    for await (const event of acts.followAuditCheck(reader(), undefined, never)) if (event.checked === 1_000) break;
    expect(Math.max(...read)).toBeLessThan(1_100);
    const stop = new AbortController();
    const events: ChainProgress[] = [];
    for await (const event of acts.followAuditCheck(reader(), undefined, stop.signal)) {
      events.push(event);
      if (event.checked === 1_000) stop.abort();
    }
    expect(events.map(({ type }) => type)).toEqual(['progress', 'progress']);
    expect(Math.max(...read)).toBeLessThan(1_100);
  });
});

describe('a checkpoint', () => {
  const checkpointAt = async ({ check }: ReturnType<typeof createScene>, checked: number) =>
    (await check()).find((event) => event.checked === checked)?.checkpoint ?? '';

  test('R-audit: the check goes on after it, and says what was verified earlier', async () => {
    const scene = createScene();
    const checkpoint = await checkpointAt(scene, 2_000);
    scene.read.length = 0;
    const events = await scene.check(checkpoint);
    expect(events.map(({ checked }) => checked)).toEqual([2_000, 2_500]);
    expect(events.at(-1)).toMatchObject({ ok: true, earlier: { seq: 2_000, at: '2026-02-01T00:00:00.000Z' } });
    // The row of the checkpoint, then only rows after it.
    expect(Math.min(...scene.read)).toBe(1_999);
  });

  test('attack: a row changed after it is found; so is another row in its place', async () => {
    const scene = createScene();
    const checkpoint = await checkpointAt(scene, 2_000);
    scene.store.rows = tampered(2_100);
    expect((await scene.check(checkpoint)).at(-1)).toMatchObject({ ok: false, firstBroken: { seq: 2_100 } });
    scene.store.rows = rows.map((row) => (row.seq === 2_000 ? { ...row, hash: 'f'.repeat(64) } : row));
    const last = (await scene.check(checkpoint)).at(-1);
    expect(last).toMatchObject({ ok: false, firstBroken: { seq: 2_000 } });
    expect(last).not.toHaveProperty('checkpoint');
  });

  test('attack: nobody else can make one: written by hand, altered, of another workspace, of another installation', async () => {
    const elsewhere = await checkpointAt(createScene(), 2_000);
    // A record that is broken before the first step yields none.
    expect((await createScene(tampered(7)).check()).every(({ checkpoint }) => checkpoint === undefined)).toBe(true);
    const good = createScene();
    const own = await checkpointAt(good, 2_000);
    // The control: the checkpoint of this installation is taken, even where a row before it was changed since.
    good.store.rows = tampered(7);
    expect((await good.check(own)).at(-1)).toMatchObject({ ok: true, earlier: { seq: 2_000 } });
    const byHand = Buffer.from(JSON.stringify({ seq: 2_000, hash: rows[1_999]!.hash, at: 'now' })).toString(
      'base64url',
    );
    const altered = `${own.slice(0, -2)}${own.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const forged of [byHand, altered, elsewhere, `2000:${rows[1_999]!.hash}`])
      await expect(good.check(forged)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(good.check(own, reader('other'))).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('R-audit: without a key of the vault there is none, and the check is whole', async () => {
    const events = await createScene(rows, keyringMissing()).check();
    expect(events.at(-1)).toMatchObject({ type: 'done', ok: true, checked: 2_500 });
    for (const event of events) expect(event).not.toHaveProperty('checkpoint');
  });
});

test('R-audit: a filtered export has the rows of the list, over many pages; without a filter it is the whole record', async () => {
  const mixed = rows.map((row) => (row.seq % 10 === 0 ? { ...row, tool: 'mail.read' } : row));
  const { acts } = createScene(mixed);
  const collect = async (filter?: { tool: string }) => {
    const found: number[] = [];
    for await (const { seq } of acts.exportAudit(reader(), filter)) found.push(seq);
    return found;
  };
  expect(await collect()).toEqual(rows.map(({ seq }) => seq));
  const wanted = mixed.filter(({ tool }) => tool === 'mail.read').map(({ seq }) => seq);
  expect(wanted).toHaveLength(250);
  expect(await collect({ tool: 'mail.read' })).toEqual(wanted.toReversed());
});
