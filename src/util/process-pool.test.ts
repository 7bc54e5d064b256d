/** Processes for hostile work: ended by time, memory and callers, kept apart by key, and used again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from './process-pool.js';

/** Does what the message says. */
const code = `
let kept = 0;
return (message) => {
  switch (message.act) {
    case 'keep': kept += 1; return { kept, pid: process.pid, given: data };
    case 'spin': for (;;);
    case 'fill': { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); }
    case 'one allocation': return new Array(message.size).fill(0.5).length;
    case 'throw': throw new Error('on purpose');
    case 'reach': return [typeof fetch, typeof WebSocket, Object.keys(process.env).length];
    case 'leave': process.exit(0);
  }
};`;

const pools: ProcessPool<{ uses: number }>[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

function create(options: Partial<ProcessPoolOptions<{ uses: number }>> = {}): ProcessPool<{ uses: number }> {
  const defaults = {
    code: () => code,
    data: 'data',
    memory: () => ({ uses: 0 }),
    most: 2,
    mostOfKey: 2,
    idleMs: 60_000,
  };
  const pool = createProcessPool({ ...defaults, ...options });
  pools.push(pool);
  return pool;
}

interface Kept {
  readonly kept: number;
  readonly pid: number;
  readonly given: string;
}
const limits = { timeoutMs: 5_000 };
const keep = (pool: ProcessPool<{ uses: number }>, key = 'a') =>
  pool.use({ key, heapMb: 64 }, async (process) => {
    process.memory.uses += 1;
    return { ...(await process.ask<Kept>({ act: 'keep' }, limits)), uses: process.memory.uses };
  });
const ask = (pool: ProcessPool<{ uses: number }>, message: object, timeoutMs = 5_000, signal?: AbortSignal) =>
  pool.use({ key: 'a', heapMb: 64 }, (process) => process.ask(message, { timeoutMs, ...(signal && { signal }) }));

describe('a process', () => {
  test('R-librarian: is used again and keeps what it kept; another key has another', async () => {
    const pool = create();
    const [first, second] = [await keep(pool), await keep(pool)];
    expect(first).toMatchObject({ kept: 1, given: 'data', uses: 1 });
    expect(second).toMatchObject({ kept: 2, uses: 2, pid: first.pid });
    const other = await keep(pool, 'b');
    expect(other).toMatchObject({ kept: 1, uses: 1 });
    expect(other.pid).not.toBe(first.pid);
  });

  test.each([
    ['never comes back', { act: 'spin' }, 'timeout'],
    ['fills its memory', { act: 'fill' }, 'too_large'],
    // In a thread this one ends the whole program.
    ['wants more at once than there is', { act: 'one allocation', size: 60_000_000 }, 'too_large'],
    ['leaves', { act: 'leave' }, 'too_large'],
    ['throws', { act: 'throw' }, 'internal'],
  ])('R-librarian: that %s is ended, and the next one begins anew', async (_what, message, expected) => {
    const pool = create();
    await keep(pool);
    await expect(ask(pool, message, expected === 'timeout' ? 300 : 20_000)).rejects.toMatchObject({ code: expected });
    expect(await keep(pool)).toMatchObject({ kept: 1, uses: 1 });
  });

  test('R-librarian: has no network and nothing of the environment', async () => {
    expect(await ask(create(), { act: 'reach' })).toEqual(['undefined', 'undefined', 0]);
  });

  test('R-librarian: is ended when its caller goes away, before, during and while it waits for its turn', async () => {
    const pool = create({ most: 1 });
    const gone = new AbortController();
    const spinning = ask(pool, { act: 'spin' }, 60_000, gone.signal);
    const waiting = pool.use({ key: 'b', heapMb: 64, signal: gone.signal }, async () => 'never');
    setTimeout(() => gone.abort(), 100);
    await expect(spinning).rejects.toMatchObject({ code: 'cancelled' });
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await expect(ask(pool, { act: 'keep' }, 1_000, gone.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(await keep(pool)).toMatchObject({ kept: 1 });
  });

  test('R-librarian: without work is ended after a while', async () => {
    const pool = create({ idleMs: 20 });
    const { pid } = await keep(pool);
    await sleep(200);
    expect((await keep(pool)).pid).not.toBe(pid);
  });
});

describe('many users', () => {
  test('R-librarian: one at a time has a process, all are served, and no more run than may', async () => {
    const pool = create();
    const pids = new Set<number>();
    const using = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        pool.use({ key: `key ${at % 3}`, heapMb: 64 }, async (process) => {
          const { pid } = await process.ask<Kept>({ act: 'keep' }, limits);
          pids.add(pid);
          using.set(pid, (using.get(pid) ?? 0) + 1);
          expect(using.get(pid)).toBe(1);
          expect([...using.values()].filter((count) => count > 0).length).toBeLessThanOrEqual(2);
          await sleep(1);
          using.set(pid, 0);
        }),
      ),
    );
    expect(pids.size).toBeGreaterThanOrEqual(3);
  });

  test('R-librarian: of one key no more than it may, while another key still gets its place', async () => {
    const pool = create({ most: 2, mostOfKey: 1 });
    const spin = ask(pool, { act: 'spin' }, 800);
    const same = keep(pool);
    expect(await keep(pool, 'b')).toMatchObject({ kept: 1 });
    await expect(spin).rejects.toMatchObject({ code: 'timeout' });
    expect(await same).toMatchObject({ kept: 1 });
  });
});
