/** The parts of embeddings by themselves: files in the data folder, batches in the background, vectors of requests. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { normalised, type UnitVector } from '../../../discovery/index.js';
import { HelveError } from '../../../domain/errors.js';
import { sha256 } from '../../../util/hash.js';
import { createFilling } from './filling.js';
import { createKeptVectors } from './kept-vectors.js';
import { createQueryVectors } from './query-vectors.js';
import { createEmbed, type Embed } from './settings.js';
import { createVectorStore } from './vector-store.js';

let dataDir: string;
let folder: string;
const errors: unknown[] = [];
const reportError = (error: unknown) => void errors.push(error);
beforeEach(async () => {
  errors.length = 0;
  dataDir = await mkdtemp(join(tmpdir(), 'helve-vectors-'));
  folder = join(dataDir, 'discovery', 'vectors');
});
afterEach(() => rm(dataDir, { recursive: true }));

const keyOf = (text: string) => sha256(text).slice(0, 32);
const vectorOf = (text: string): UnitVector =>
  normalised(Array.from({ length: 6 }, (_, at) => Math.sin(at * 7 + text.length * (at + 1)))) as UnitVector;
/** Remembers what it was asked. */
function model(fault: (texts: readonly string[]) => void = () => undefined) {
  const batches: (readonly string[])[] = [];
  const embed: Embed = async (texts) => {
    batches.push(texts);
    fault(texts);
    return texts.map(vectorOf);
  };
  return { embed, batches };
}
const openStore = async (name = 'm') => {
  const store = createVectorStore({ kept: createKeptVectors(folder, name), reportError });
  await store.load();
  return store;
};
const want = (filling: ReturnType<typeof createFilling>, texts: readonly string[]) => {
  for (const text of texts) filling.want(keyOf(text), () => text);
};
const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `text ${from + at}`);

describe('R-tiers: vectors in the background', () => {
  test('R-tiers: each text is asked for once, in batches, and only what is missing after a restart', async () => {
    const first = model();
    const store = await openStore();
    const filling = createFilling({ embed: first.embed, store, reportError });
    want(filling, numbered(150));
    want(filling, numbered(150));
    await expect.poll(() => filling.waiting).toBe(0);
    await filling.close();
    expect(first.batches.map(({ length }) => length)).toEqual([64, 64, 22]);

    const second = model();
    const again = await openStore();
    expect(again.table?.size).toBe(150);
    const more = createFilling({ embed: second.embed, store: again, reportError });
    for (const text of numbered(5, 148)) if ((again.table?.row(keyOf(text)) ?? -1) < 0) want(more, [text]);
    await expect.poll(() => more.waiting).toBe(0);
    await more.close();
    expect(second.batches).toEqual([numbered(3, 150)]);
    const row = again.table?.row(keyOf('text 149')) ?? -1;
    expect(again.table?.cosine(vectorOf('text 149'), row)).toBeCloseTo(1, 2);
    expect(errors).toEqual([]);
  });

  test('R-tiers: what was there when the process was killed is not asked for again', async () => {
    let answered = 0;
    const { embed } = model();
    const store = await openStore();
    const hanging: Embed = async (texts, signal) => {
      answered += texts.length;
      return answered <= 1_100 ? embed(texts, signal) : new Promise(() => undefined);
    };
    want(createFilling({ embed: hanging, store, reportError }), numbered(2_000));
    // A file whose name ends otherwise is still being written.
    const written = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.bin'));
    await expect.poll(written).toHaveLength(1);
    // Nothing is closed: the next process finds what was written.
    expect((await openStore()).table?.size).toBeGreaterThanOrEqual(1_000);
  });

  test('R-tiers: a text that the model refuses is left out, and the others get theirs', async () => {
    const { embed } = model((texts) => {
      if (texts.includes('text 70')) throw new HelveError('upstream_failed', 'too long', { details: { status: 400 } });
    });
    const store = await openStore();
    const filling = createFilling({ embed, store, reportError });
    want(filling, numbered(100));
    await expect.poll(() => filling.waiting).toBe(0);
    await filling.close();
    expect([store.table?.size, filling.refused, filling.failure]).toEqual([99, 1, undefined]);
    want(filling, ['text 70']);
    expect(filling.waiting).toBe(0);
  });

  test('R-tiers: an endpoint that fails is waited for, and no text is given up', async () => {
    let isDown = true;
    const { embed, batches } = model(() => {
      if (isDown) throw new HelveError('upstream_failed', 'down', { details: { status: 503 } });
    });
    const filling = createFilling({ embed, store: await openStore(), reportError });
    want(filling, numbered(3));
    await expect.poll(() => filling.failure).toBe('down');
    isDown = false;
    await expect.poll(() => filling.waiting).toBe(0);
    await filling.close();
    expect([filling.refused, filling.failure, errors.length]).toEqual([0, undefined, 1]);
    // Smaller after a failure.
    expect(batches.map(({ length }) => length)).toEqual([3, 1, 2]);
  });
});

describe('R-tiers: files of vectors', () => {
  const fill = async (texts: readonly string[], name?: string) => {
    const store = await openStore(name);
    for (const text of texts) {
      store.accept(vectorOf(text));
      store.put(keyOf(text), vectorOf(text));
    }
    await store.flush(1);
  };

  test('R-tiers: a damaged file is left out and removed, its vectors are missing, the others are there', async () => {
    await fill(numbered(10));
    const [damaged = ''] = await readdir(folder);
    await fill(numbered(10, 10));
    const whole = await readFile(join(folder, damaged));
    for (const bytes of [whole.subarray(0, -1), Buffer.alloc(3), Buffer.from(whole).fill(7, 40, 44)]) {
      await writeFile(join(folder, damaged), bytes);
      const store = await openStore();
      expect([store.table?.size, store.table?.row(keyOf('text 3'))]).toEqual([10, -1]);
      expect(await readdir(folder)).not.toContain(damaged);
    }
    await writeFile(join(folder, damaged), whole);
    expect((await openStore()).table?.size).toBe(20);
    expect(errors).toEqual([]);
  });

  test('R-tiers: those of another model are not used and do not stay; other files are not touched', async () => {
    await fill(numbered(4), 'former');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    expect((await openStore('next')).table).toBeUndefined();
    expect(await readdir(folder)).toEqual(['notes.txt']);
  });

  test('R-tiers: many files become one', async () => {
    for (let at = 0; at < 10; at++) await fill(numbered(2, 2 * at));
    expect((await readdir(folder)).length).toBeGreaterThan(1);
    for (let at = 0; at < 9; at++) await openStore();
    const store = await openStore();
    expect([(await readdir(folder)).length <= 8, store.table?.size]).toEqual([true, 20]);
  });
});

describe('R-tiers: vectors of requests', () => {
  const open = (embed: Embed, timeoutMs = 10_000) =>
    createQueryVectors({ embed, timeoutMs, accept: () => undefined, reportError });

  test('R-visibility: what one workspace asked is not remembered for another, so that no one learns of it by the time', async () => {
    const { embed, batches } = model();
    const queries = open(embed);
    for (const workspace of ['one', 'one', 'two']) await queries.of(workspace, ['a text']);
    expect(batches).toEqual([['a text'], ['a text']]);
  });

  test('R-tiers: requests at the same time share one question, and only what is new is asked', async () => {
    const { embed, batches } = model();
    const queries = open(embed);
    const both = await Promise.all([queries.of('w', ['a', 'b']), queries.of('w', ['b', 'a'])]);
    expect(both).toEqual([
      [vectorOf('a'), vectorOf('b')],
      [vectorOf('b'), vectorOf('a')],
    ]);
    await queries.of('w', ['a', 'c']);
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  test('R-tiers: an answer that came too late is there the next time', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { embed, batches } = model();
    const queries = open(async (texts, signal) => {
      await held;
      return embed(texts, signal);
    }, 1);
    expect(await queries.of('w', ['a'])).toBe('late');
    release();
    await expect.poll(() => queries.of('w', ['a'])).toEqual([vectorOf('a')]);
    expect(batches).toEqual([['a']]);
  });

  test('R-tiers: the thousand last texts are remembered', async () => {
    const { embed, batches } = model();
    const queries = open(embed);
    await queries.of('w', ['first']);
    for (const text of numbered(999)) await queries.of('w', [text]);
    await queries.of('w', ['first']);
    await queries.of('w', ['one more']);
    const before = batches.length;
    await queries.of('w', ['first']);
    expect(batches).toHaveLength(before);
    await queries.of('w', ['text 0']);
    expect(batches).toHaveLength(before + 1);
  });

  test('R-tiers: vectors of several lengths in one answer are refused', async () => {
    const lengths = [3, 4];
    const embed = createEmbed(() => ({
      id: 'm',
      embed: async (texts) => texts.map((_, at) => Array.from({ length: lengths[at] ?? 3 }, () => 1)),
    }));
    const { signal } = new AbortController();
    await expect(embed(['a', 'b'], signal)).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(await embed(['a'], signal)).toHaveLength(1);
  });
});
