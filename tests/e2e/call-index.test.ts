/** The index of calls over a long record, on both stores: the same answers as the record itself, by every process. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CallColumns, createCallIndex } from '../../src/audit/index.js';
import type { AuditDraft, JournalEntry } from '../../src/domain/audit.js';
import type { Storage } from '../../src/domain/storage.js';
import { createHelve } from '../../src/helve.js';
import { createTestHelve, type TestHelve, testTool } from '../../src/testing/index.js';
import { stores, useStore } from '../counterparts/stores.js';

const statuses = ['ok', 'ok', 'failed', 'refused', 'interrupted'] as const;
type Status = (typeof statuses)[number];
interface Made {
  readonly id: string;
  readonly status: Status;
  readonly tool: string;
  readonly actor: string;
}

/** The rows of one call, as the pipeline writes them. */
function rowsOf(
  { id, status, tool, actor }: Made,
  n: number,
): readonly [AuditDraft, AuditDraft] | readonly [AuditDraft] {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
  const common = { at, actor: { kind: 'agent', id: actor, name: `the ${actor}` }, executionId: id, tool } as const;
  const start: AuditDraft = { ...common, type: 'execution.started', body: { rule: `grant:${actor}`, risk: 'read' } };
  if (status === 'refused')
    return [{ ...common, type: 'execution.refused', body: { rule: 'grant.missing', error: { code: 'not_granted' } } }];
  if (status === 'interrupted') return [start, { ...common, type: 'execution.interrupted', body: {} }];
  const body = { status, durationMs: n % 100, characters: 10 };
  return [start, { ...common, type: 'execution.finished', body }];
}

/** The calls of a block with their values: which code a value has depends on the order in which blocks are read. */
function describeBlock(block: CallColumns) {
  const { seq, endedAt, durationMs, characters, length } = block;
  const read = (field: 'status' | 'actor' | 'tool' | 'rule') =>
    Array.from(block[field].codes, (code) => block[field].values[code]);
  const columns = [read('status'), read('actor'), read('tool'), read('rule')];
  return { seq, endedAt, durationMs, characters, length, columns };
}

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  let helve: TestHelve;
  let folder: string;
  let where: Awaited<ReturnType<typeof store>>;
  const options = { nativeToolkits: [], tools: [testTool({ name: 'echo' })] };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helve-calls-'));
    where = { database: join(folder, 'helve.db'), ...(await store()) };
    helve = await createTestHelve({ ...options, ...where });
  });
  afterEach(async () => {
    await helve.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Calls whose starts and ends overlap, so that some begin in one block of the record and end in another. */
  async function makeCalls(count: number): Promise<Made[]> {
    const made = Array.from({ length: count }, (_, n): Made => {
      const status = statuses[(n * 7) % statuses.length] ?? 'ok';
      return { id: `call-${n}`, status, tool: `Kit${n % 3}.tool${n % 20}`, actor: `agent-${n % 6}` };
    });
    const rows = made.map(rowsOf);
    const late = 40;
    const events = rows.flatMap(([first], n) => [first, ...(rows[n - late]?.slice(1) ?? [])]);
    events.push(...rows.slice(-late).flatMap((pair) => pair.slice(1)));
    const entries = Array.from({ length: Math.ceil(events.length / 50) }, (_, n): JournalEntry => {
      return { workspaceId: helve.workspaceId, events: events.slice(n * 50, (n + 1) * 50) };
    });
    expect(new Set(await helve.storage.commit(entries))).toEqual(new Set(['committed']));
    return made;
  }

  test('R-audit: counts, lists and figures equal those of the record, also after a restart', async () => {
    const made = await makeCalls(2_000);
    const count = (test: (one: Made) => boolean) => made.filter(test).length;
    const check = async ({ plane }: Pick<TestHelve, 'plane'>) => {
      const facets = await plane.callFacets(helve.admin, { actor: 'agent-3' });
      expect(facets.total).toBe(count(({ actor }) => actor === 'agent-3'));
      for (const { value, count: found } of facets.status)
        expect([value, found]).toEqual([value, count(({ actor, status }) => actor === 'agent-3' && status === value)]);
      for (const { value, count: found, name } of facets.actor.filter(({ name }) => name !== 'tester')) {
        expect(found).toBe(count(({ actor }) => actor === value));
        expect(name).toBe(`the ${value}`);
      }
      // The rule and the risk are in the row of the start.
      expect(facets.rule).toContainEqual({
        value: 'grant:agent-3',
        count: count(({ actor, status }) => actor === 'agent-3' && status !== 'refused'),
      });
      const listed: string[] = [];
      for (let before: number | undefined; ; ) {
        const filter = { toolkit: 'Kit1', status: 'failed' as const, limit: 100 };
        const page = await plane.listCalls(helve.admin, { ...filter, ...(before === undefined ? {} : { before }) });
        listed.push(...page.calls.map(({ executionId }) => executionId));
        before = page.next;
        if (before === undefined) break;
      }
      const wanted = made.filter(({ tool, status }) => tool.startsWith('Kit1.') && status === 'failed');
      expect(listed.toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
      const since = '2026-01-01T00:00:00.000Z';
      const metrics = await plane.callMetrics(helve.admin, { by: 'agent', since, until: '2026-01-02T00:00:00.000Z' });
      expect(metrics.total).toMatchObject({ calls: 2_000, refused: count(({ status }) => status === 'refused') });
      expect(metrics.total.p50).toBeGreaterThan(40);
      expect(metrics.total.characters).toBe(10 * count(({ status }) => status === 'ok' || status === 'failed'));
    };
    await check(helve);
    // What is recorded after a look is in the next one.
    await helve.call('echo', {});
    expect((await helve.plane.callFacets(helve.admin, { tool: 'echo' })).total).toBe(1);

    // Another process reads the index from the store.
    expect(await helve.storage.workspace(helve.workspaceId).callBlocks.newest()).toBeGreaterThan(1);
    const other = await createHelve({ ...options, ...where });
    await check(other);
    await other.close();
  });

  test('R-audit: blocks that are gone from the store are made again from the record', async () => {
    await makeCalls(2_000);
    const read = async (storage: Pick<Storage, 'workspace'>) => {
      const blocks: CallColumns[] = [];
      for await (const block of createCallIndex(storage).blocks(helve.workspaceId)) blocks.push(block);
      return blocks;
    };
    const first = await read(helve.storage);
    expect(first.reduce((sum, { length }) => sum + length, 0)).toBe(2_000);
    const without = (id: string) => {
      const workspace = helve.storage.workspace(id);
      return { ...workspace, callBlocks: { ...workspace.callBlocks, list: async () => [] } };
    };
    expect((await read({ workspace: without })).map(describeBlock)).toEqual(first.map(describeBlock));
  });
});
