/** Processes for hostile work: ended at limits of time and memory and by callers, separate for each key, and reused. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HelveError } from '../../domain/errors.js';
import type { WorkerDefinition, WorkerFile, WorkerPlaces } from '../../domain/workers.js';
import { defineWorker } from './define-worker.js';
import { createWorkers, type PlaneWorkers } from './workers.js';

type Hostile = typeof import('./testing/hostile-worker.js');
interface Memory {
  uses: number;
}

const opened: PlaneWorkers[] = [];
afterEach(() => {
  for (const workers of opened.splice(0)) workers.close();
});

interface Pool {
  readonly workers: PlaneWorkers;
  readonly worker: WorkerDefinition<Hostile, Memory>;
}

function create(places: Partial<WorkerPlaces> = {}, options: { needsBubblewrap?: boolean } = {}): Pool {
  const workers = createWorkers();
  opened.push(workers);
  const worker = defineWorker<Hostile, Memory>(import.meta.url, {
    module: './testing/hostile-worker.js',
    places: { most: 2, mostOfKey: 2, idleMs: 60_000, ...places },
    memory: () => ({ uses: 0 }),
    ...options,
  });
  return { workers, worker };
}

const limits = { timeoutMs: 5_000 };
const nothing = undefined as never;
const keep = ({ workers, worker }: Pool, key = 'a') =>
  workers.use(worker, { key, heapMb: 64 }, async (process) => {
    process.memory.uses += 1;
    return { ...(await process.ask('keep', nothing, limits)), uses: process.memory.uses };
  });
/** A message to one function of the hostile worker. */
type Act = readonly [call: keyof Hostile, message?: object];
interface AskLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly files?: readonly WorkerFile[];
}
const ask = ({ workers, worker }: Pool, [call, message]: Act, { timeoutMs = 5_000, ...more }: AskLimits = {}) =>
  workers.ask(worker, { call, message: message as never, key: 'a', heapMb: 64, timeoutMs, ...more });

describe('a process', () => {
  test('R-librarian: is used again and keeps its state; another key has another process', async () => {
    const pool = create();
    const [first, second] = [await keep(pool), await keep(pool)];
    expect(first).toMatchObject({ kept: 1, uses: 1 });
    expect(second).toMatchObject({ kept: 2, uses: 2, id: first.id });
    const other = await keep(pool, 'b');
    expect(other).toMatchObject({ kept: 1, uses: 1 });
    expect(other.id).not.toBe(first.id);
  });

  test.each([
    ['never comes back', ['spin'], 'timeout'],
    ['fills its memory', ['fill'], 'too_large'],
    ['fills memory outside of its heap', ['fillBuffers'], 'too_large'],
    // In a thread, this one would end the whole program.
    ['wants more at once than there is', ['allocate', { size: 60_000_000 }], 'too_large'],
    ['leaves', ['leave'], 'too_large'],
    ['throws', ['fail'], 'internal'],
  ] as const)('R-librarian: that %s is ended, and the next one begins anew', async (_what, act, expected) => {
    const pool = create();
    await keep(pool);
    const timeoutMs = expected === 'timeout' ? 300 : 20_000;
    await expect(ask(pool, act, { timeoutMs })).rejects.toMatchObject({ code: expected });
    expect(await keep(pool)).toMatchObject({ kept: 1, uses: 1 });
  });

  test('R-librarian: is ended when its caller cancels, before, during and while it waits for its turn', async () => {
    const pool = create({ most: 1 });
    const gone = new AbortController();
    const spinning = ask(pool, ['spin'], { timeoutMs: 60_000, signal: gone.signal });
    const place = { key: 'b', heapMb: 64, signal: gone.signal };
    const waiting = pool.workers.use(pool.worker, place, async () => 'never');
    setTimeout(() => gone.abort(), 100);
    await expect(spinning).rejects.toMatchObject({ code: 'cancelled' });
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await expect(ask(pool, ['keep'], { signal: gone.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await keep(pool)).toMatchObject({ kept: 1 });
  });

  test('R-librarian: ends after a while without work', async () => {
    const pool = create({ idleMs: 20 });
    const { id } = await keep(pool);
    await sleep(200);
    expect((await keep(pool)).id).not.toBe(id);
  });
});

describe('workers that planes share', () => {
  function createSharing() {
    const { workers: shared, worker } = create();
    const plane = (): PlaneWorkers => {
      const workers = createWorkers({ shared });
      opened.push(workers);
      return workers;
    };
    const askKept = (workers: PlaneWorkers, key?: string) =>
      workers.ask(worker, { call: 'keep', message: nothing, heapMb: 64, ...limits, ...(key ? { key } : {}) });
    return { worker, planes: [plane(), plane()] as const, askKept };
  }

  test('R-sandbox: a process without a key serves both; one with a key serves the plane that it is of', async () => {
    const { planes, askKept } = createSharing();
    const without = [await askKept(planes[0]), await askKept(planes[1])];
    expect(without.map(({ kept }) => kept)).toEqual([1, 2]);
    const keyed = [await askKept(planes[0], 'a'), await askKept(planes[1], 'a')];
    expect(keyed.map(({ kept }) => kept)).toEqual([1, 1]);
    expect(new Set([...without, ...keyed].map(({ id }) => id)).size).toBe(3);
  });

  test('R-sandbox: a plane that closes ends its own questions, and no others', async () => {
    const { worker, planes, askKept } = createSharing();
    const [closing, open] = planes;
    const spinning = closing.ask(worker, { call: 'spin', message: nothing, heapMb: 64, timeoutMs: 60_000 });
    const before = await askKept(open);
    closing.close();
    await expect(spinning).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(askKept(closing)).rejects.toMatchObject({ code: 'shutting_down' });
    expect(await askKept(open)).toEqual({ id: before.id, kept: 2 });
  });
});

/** Simulates a machine without bubblewrap. */
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
  const reach = (act: Act, files: readonly WorkerFile[] = []) => within(() => ask(create(), act, { files }));

  test('R-librarian: can read the file that it is given, and no other file', async () => {
    const files = [{ source: join(folder, 'shown') }];
    expect(await reach(['read', { path: join(folder, 'shown') }], files)).toBe('shown');
    await expect(reach(['read', { path: join(folder, 'secret') }], files)).rejects.toMatchObject(failed);
    await expect(reach(['read', { path: '/etc/passwd' }], files)).rejects.toMatchObject(failed);
    await expect(reach(['write', { path: join(folder, 'shown') }], files)).rejects.toMatchObject(failed);
    // If it may write at all, it writes to memory that only it can see.
    await reach(['write', { path: join(folder, 'new') }], files).catch(() => undefined);
    expect(await readdir(folder)).toEqual(['secret', 'shown']);
    expect(await readFile(join(folder, 'shown'), 'utf8')).toBe('shown');
    // The same worker code can read and write where it is allowed to, so the confinement is what refuses.
    expect(await reach(['read', { path: join(folder, 'secret') }], [{ source: join(folder, 'secret') }])).toBe(
      'planted',
    );
  });

  test('R-librarian: has no program and no environment, and the text of a failure has no path of the host', async () => {
    await expect(reach(['start', { path: '/bin/echo' }])).rejects.toMatchObject(failed);
    const [environment, ...globals] = (await reach(['environment'])) as string[];
    expect(environment).not.toContain('planted');
    expect(globals).toEqual(['undefined', 'undefined']);
    const error = await reach(['fail']).catch((thrown: HelveError) => thrown);
    expect(JSON.stringify((error as HelveError).toJSON())).not.toMatch(/on purpose|hostile-worker|node:|\//);
  });

  test('R-librarian: has memory outside its heap only up to its limit', async () => {
    await expect(reach(['fillBuffers'])).rejects.toMatchObject({ code: 'too_large' });
  });

  test('R-librarian: refuses input that is nested too deeply, and says so', async () => {
    await expect(reach(['nest'])).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/nested too deeply/),
    });
  });

  if (confined)
    test('R-librarian: has no network and sees no other process', async () => {
      const { port } = server.address() as AddressInfo;
      await expect(reach(['connectTo', { port }])).rejects.toMatchObject(failed);
      expect(await reach(['countProcesses'])).toBe(2);
      // A process that is not confined can reach the server.
      await once(connect(port, '127.0.0.1'), 'connect');
    });
  else
    test('R-librarian: runs no native code, and work that needs bubblewrap is refused', async () => {
      const path = createRequire(import.meta.url).resolve('libsql');
      await expect(reach(['loadNative', { path }])).rejects.toMatchObject(failed);
      const pool = create({}, { needsBubblewrap: true });
      await expect(within(() => keep(pool))).rejects.toMatchObject({
        code: 'invalid_config',
        hint: expect.stringMatching(/apt-get install bubblewrap/),
      });
      // With bubblewrap the same pool works, and the same native code loads.
      expect(await keep(pool)).toMatchObject({ kept: 1 });
      expect(await ask(create(), ['loadNative', { path }])).toBeGreaterThan(0);
    });
});

describe('many users', () => {
  test('R-librarian: each process has one user at a time, all are served, and the maximum number of processes is kept', async () => {
    const { workers, worker } = create();
    const ids = new Set<number>();
    const using = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        workers.use(worker, { key: `key ${at % 3}`, heapMb: 64 }, async (process) => {
          const { id } = await process.ask('keep', nothing, limits);
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

  test('R-librarian: one key has at most its share of processes, so another key still gets one', async () => {
    const pool = create({ most: 2, mostOfKey: 1 });
    const spin = ask(pool, ['spin'], { timeoutMs: 800 });
    const same = keep(pool);
    expect(await keep(pool, 'b')).toMatchObject({ kept: 1 });
    await expect(spin).rejects.toMatchObject({ code: 'timeout' });
    expect(await same).toMatchObject({ kept: 1 });
  });
});

describe('a worker', () => {
  test('R-librarian: throws the error of its function unchanged, without its cause, and continues to work', async () => {
    const pool = create();
    const { id } = await keep(pool);
    const error = await ask(pool, ['refuse']).catch((thrown: HelveError) => thrown);
    expect(error).toMatchObject({ code: 'conflict', message: 'refused', hint: 'Ask for something else.' });
    expect((error as HelveError).cause).toBeUndefined();
    expect((await keep(pool)).id).toBe(id);
  });

  test('R-librarian: calls only what its module exports', async () => {
    await expect(ask(create(), ['toString' as never])).rejects.toMatchObject({ code: 'internal' });
    await expect(ask(create(), ['then' as never])).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('workers that are closed', () => {
  test('R-librarian: end the calls that use one or wait for one, and start no other', async () => {
    const pool = create({ most: 1 });
    await keep(pool);
    const working = [ask(pool, ['spin'], { timeoutMs: 60_000 }), keep(pool, 'b')];
    setTimeout(() => pool.workers.close(), 100);
    const ends = await Promise.allSettled(working);
    expect(ends).toMatchObject([{ reason: { code: 'shutting_down' } }, { reason: { code: 'shutting_down' } }]);
    await expect(keep(pool)).rejects.toMatchObject({ code: 'shutting_down' });
  });

  test('R-librarian: do not end those of another plane', async () => {
    const [one, other] = [create(), create()];
    const { id } = await keep(other);
    await keep(one);
    one.workers.close();
    expect((await keep(other)).id).toBe(id);
  });
});
