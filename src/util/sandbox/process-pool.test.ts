/** Processes for hostile work: ended by time, memory and callers, kept apart by key, and used again. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HelveError } from '../../domain/errors.js';
import type { WorkerFile } from '../../domain/workers.js';
import { createProcessPool, type ProcessPool, type ProcessPoolOptions } from './process-pool.js';

/** Does what the message says. */
const code = `
let kept = 0;
const id = Math.random();
return (message) => {
  switch (message.act) {
    case 'keep': kept += 1; return { kept, id, given: data };
    case 'spin': for (;;);
    case 'fill': { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); }
    case 'one allocation': return new Array(message.size).fill(0.5).length;
    case 'throw': throw new Error('on purpose');
    case 'read': return require('node:fs').readFileSync(message.path, 'utf8');
    case 'write': require('node:fs').writeFileSync(message.path, 'written'); return 'written';
    case 'list': return require('node:fs').readdirSync(message.path);
    case 'start': return String(require('node:child_process').execFileSync(message.path, ['started']));
    case 'native': return Object.keys(require(message.path)).length;
    case 'connect': return new Promise((resolve, reject) => {
      require('node:net').connect(message.port, '127.0.0.1').once('connect', () => resolve('connected')).once('error', reject);
    });
    case 'environment': return [JSON.stringify(process.env), typeof fetch, typeof WebSocket];
    case 'processes': return require('node:fs').readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length;
    case 'nest': { const nest = (depth) => nest(depth + 1) + 1; return nest(0); }
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
  readonly id: number;
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
    expect(second).toMatchObject({ kept: 2, uses: 2, id: first.id });
    const other = await keep(pool, 'b');
    expect(other).toMatchObject({ kept: 1, uses: 1 });
    expect(other.id).not.toBe(first.id);
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
    const { id } = await keep(pool);
    await sleep(200);
    expect((await keep(pool)).id).not.toBe(id);
  });
});

/** As on a machine without bubblewrap. */
async function withoutBubblewrap<T>(work: () => Promise<T>): Promise<T> {
  const { PATH } = process.env;
  process.env.PATH = '';
  try {
    return await work();
  } finally {
    process.env.PATH = PATH;
  }
}

describe.each(['bubblewrap', 'no bubblewrap'])('what a process reaches, with %s', (kind) => {
  const confined = kind === 'bubblewrap';
  const within = <T>(work: () => Promise<T>): Promise<T> => (confined ? work() : withoutBubblewrap(work));
  const failed = { code: 'internal', message: 'The work failed on this input' };
  let folder = '';
  let server: Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helve-worker-'));
    await writeFile(join(folder, 'secret'), 'planted');
    await writeFile(join(folder, 'shown'), 'shown');
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env.HELVE_TEST_SECRET = 'planted';
  });
  afterAll(async () => {
    delete process.env.HELVE_TEST_SECRET;
    server.close();
    await rm(folder, { recursive: true });
  });
  const reach = (message: object, files: readonly WorkerFile[] = []) =>
    within(() =>
      create().use({ key: 'a', heapMb: 64, files }, (process) => process.ask<unknown>(message, { timeoutMs: 5_000 })),
    );

  test('R-librarian: the file that it is given, read-only, and no other file', async () => {
    const files = [{ source: join(folder, 'shown') }];
    expect(await reach({ act: 'read', path: join(folder, 'shown') }, files)).toBe('shown');
    await expect(reach({ act: 'read', path: join(folder, 'secret') }, files)).rejects.toMatchObject(failed);
    await expect(reach({ act: 'read', path: '/etc/passwd' }, files)).rejects.toMatchObject(failed);
    await expect(reach({ act: 'write', path: join(folder, 'shown') }, files)).rejects.toMatchObject(failed);
    // Where it may write at all, it writes into memory that only it sees.
    await reach({ act: 'write', path: join(folder, 'new') }, files).catch(() => undefined);
    expect(await readdir(folder)).toEqual(['secret', 'shown']);
    expect(await readFile(join(folder, 'shown'), 'utf8')).toBe('shown');
    // The same worker code reads and writes where it may: it is the confinement that refuses.
    expect(await reach({ act: 'read', path: join(folder, 'secret') }, [{ source: join(folder, 'secret') }])).toBe(
      'planted',
    );
  });

  test('R-librarian: no program, nothing of the environment, and no host path in what a failure says', async () => {
    await expect(reach({ act: 'start', path: '/bin/echo' })).rejects.toMatchObject(failed);
    const [environment, ...globals] = (await reach({ act: 'environment' })) as string[];
    expect(environment).not.toContain('planted');
    expect(globals).toEqual(['undefined', 'undefined']);
    const error = await reach({ act: 'throw' }).catch((thrown: HelveError) => thrown);
    expect(JSON.stringify((error as HelveError).toJSON())).not.toMatch(/on purpose|process-pool|node:|\//);
  });

  test('R-librarian: input that is nested too deeply is refused as that', async () => {
    await expect(reach({ act: 'nest' })).rejects.toMatchObject({ code: 'too_large', message: /nested too deeply/ });
  });

  if (confined)
    test('R-librarian: no network, and no other process', async () => {
      const { port } = server.address() as AddressInfo;
      await expect(reach({ act: 'connect', port })).rejects.toMatchObject(failed);
      expect(await reach({ act: 'processes' })).toBe(2);
      // The server is there for whom nothing confines.
      await once(connect(port, '127.0.0.1'), 'connect');
    });
  else
    test('R-librarian: no native code, and work that needs bubblewrap is refused', async () => {
      const path = createRequire(import.meta.url).resolve('libsql');
      await expect(reach({ act: 'native', path })).rejects.toMatchObject(failed);
      const pool = create({ needsBubblewrap: true });
      await expect(within(() => keep(pool))).rejects.toMatchObject({
        code: 'invalid_config',
        hint: /apt-get install bubblewrap/,
      });
      // With bubblewrap the same pool works, and the same native code loads.
      expect(await keep(pool)).toMatchObject({ kept: 1 });
      expect(await ask(create(), { act: 'native', path })).toBeGreaterThan(0);
    });
});

describe('many users', () => {
  test('R-librarian: one at a time has a process, all are served, and no more run than may', async () => {
    const pool = create();
    const ids = new Set<number>();
    const using = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        pool.use({ key: `key ${at % 3}`, heapMb: 64 }, async (process) => {
          const { id } = await process.ask<Kept>({ act: 'keep' }, limits);
          ids.add(id);
          using.set(id, (using.get(id) ?? 0) + 1);
          expect(using.get(id)).toBe(1);
          expect([...using.values()].filter((count) => count > 0).length).toBeLessThanOrEqual(2);
          await sleep(1);
          using.set(id, 0);
        }),
      ),
    );
    expect(ids.size).toBeGreaterThanOrEqual(3);
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
