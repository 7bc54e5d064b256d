import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { atOnce } from '../../util/slices.js';
import { loadWordVectors, readWordVectors, type WordVectors } from './word-vectors.js';

const { packVectors } = await import(new URL('../../../scripts/discovery/pack.js', import.meta.url).href);

const words: Record<string, number[]> = {
  note: [3, 4, 0],
  not: [0, 0, 0.1],
  notes: [3, 4.1, 0],
  message: [0, 0, 2],
  a: [-1, 0, 0],
  create: [0, 1, 0],
};
const uses: Record<string, number> = { note: 9, notes: 3, not: -1, message: 5, create: 7 };
const pack = (): Buffer =>
  packVectors(
    Object.entries(words).map(([word, vector]) => ({ word, vector: Float64Array.from(vector) })),
    { dimensions: 3, uses: (word: string) => uses[word] ?? 0 },
  );
const seal = (bytes: Buffer): Buffer => {
  let sum = 0x811c9dc5;
  for (let at = 32; at < bytes.length; at += 4) sum = Math.imul(sum ^ bytes.readUInt32LE(at), 0x01000193);
  bytes.writeUInt32LE(sum >>> 0, 24);
  return bytes;
};
const readAtOnce = (bytes: Uint8Array) => atOnce(readWordVectors(bytes));
const vectorOf = (vectors: WordVectors, row: number) => {
  const target = new Float32Array(vectors.dimensions);
  vectors.addTo(row, target, vectors.weight(row));
  return [...target];
};
const refusalOf = (act: () => unknown): HelveError => {
  try {
    act();
  } catch (error) {
    if (error instanceof HelveError) return error;
    throw error;
  }
  throw new Error('It was not refused');
};

describe('R-tiers: word vectors', () => {
  const vectors = readAtOnce(pack());

  it('R-tiers: return each word as it was packed, with its length as its weight', () => {
    expect(vectors.dimensions).toBe(3);
    expect(vectors.size).toBe(6);
    for (const [word, vector] of Object.entries(words)) {
      const row = vectors.find(word);
      expect(vectors.weight(row)).toBeCloseTo(Math.hypot(...vector), 5);
      for (const [at, value] of vectorOf(vectors, row).entries()) expect(value).toBeCloseTo(vector[at]!, 1);
    }
  });

  it('R-tiers: find a word by its own form before its stem, and the most used form by the stem', () => {
    expect(new Set(Object.keys(words).map(vectors.find)).size).toBe(6);
    expect(vectors.find('creating')).toBe(vectors.find('create'));
    expect(vectors.find('creat')).toBe(vectors.find('create'));
    expect(vectors.find('messages')).toBe(vectors.find('message'));
    expect(vectors.findStem('not')).toBe(vectors.find('note'));
    expect(vectors.find('not')).not.toBe(vectors.find('note'));
  });

  it('R-tiers: find no unknown word, in any script', () => {
    for (const word of ['', 'b', 'notex', 'nachricht', 'é', 'ń', '消息', 'n'.repeat(1_000), '__proto__'])
      expect([vectors.find(word), vectors.findStem(word)]).toEqual([-1, -1]);
  });

  it('R-tiers: add by a factor, and add nothing for a row that does not exist', () => {
    const target = Float32Array.of(1, 1, 1);
    vectors.addTo(vectors.find('message'), target, -0.5);
    expect([...target]).toEqual([1, 1, 0.5]);
    for (const row of [-1, 6, 1e9]) vectors.addTo(row, target, 1);
    expect([...target]).toEqual([1, 1, 0.5]);
    expect(vectors.weight(-1)).toBe(0);
  });

  it('R-tiers: give the similarity of two words', () => {
    const near = (one: string, other: string) => vectors.similarity(vectors.find(one), vectors.find(other));
    expect(near('note', 'note')).toBeCloseTo(1, 5);
    expect(near('note', 'create')).toBeCloseTo(0.8, 1);
    expect(near('note', 'a')).toBeCloseTo(-0.6, 1);
    expect(near('note', 'message')).toBe(0);
    expect(near('note', 'unknown')).toBe(0);
  });

  it('R-tiers: read bytes that do not start at a multiple of four', () => {
    const bytes = pack();
    const moved = new Uint8Array(bytes.length + 1);
    moved.set(bytes, 1);
    expect(readAtOnce(moved.subarray(1)).find('note')).toBe(vectors.find('note'));
  });
});

describe('R-tiers: a damaged file of vectors', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helve-vectors-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('R-tiers: is refused when it is truncated anywhere', () => {
    const bytes = pack();
    for (let length = 0; length < bytes.length; length++) {
      const { code, message, hint } = refusalOf(() => readAtOnce(bytes.subarray(0, length)));
      expect([code, message]).toEqual(['internal', 'The word vectors of discovery cannot be used: it is truncated']);
      expect(hint).toContain('Install it again');
    }
  });

  it('R-tiers: is refused when any byte was altered', () => {
    for (let at = 0; at < 28; at++) {
      const bytes = pack();
      bytes[at] = (bytes[at] ?? 0) ^ 0x40;
      if (at >= 8 && at < 20) continue;
      expect(refusalOf(() => readAtOnce(bytes)).code).toBe('internal');
    }
    for (let at = 32; at < pack().length; at++) {
      const bytes = pack();
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(refusalOf(() => readAtOnce(bytes)).message).toContain('its checksum does not match');
    }
  });

  it('R-tiers: is refused when its sizes are wrong, although its checksum is right', () => {
    const altered = (offset: number, value: number) => {
      const bytes = pack();
      bytes.writeUInt32LE(value, offset);
      return seal(bytes);
    };
    const messageOf = (offset: number, value: number) => refusalOf(() => readAtOnce(altered(offset, value))).message;
    expect(messageOf(8, 0)).toContain('out of range');
    expect(messageOf(8, 2_000)).toContain('out of range');
    expect(messageOf(8, 1_000)).toContain('longer than the file');
    expect(messageOf(12, 4_000_000_000)).toContain('out of range');
    expect(messageOf(16, 60_000)).toContain('longer than the file');
    const wordEnds = 32 + 6 * 4 + 6 * 4 + 20;
    expect(messageOf(wordEnds + 4, 4_000_000_000)).toContain('out of order');
  });

  it('R-tiers: is refused by name when it is missing or another kind of file', async () => {
    const missing = join(folder, 'none.bin');
    await expect(loadWordVectors(missing)).rejects.toThrow(`The word vectors cannot be read: ${missing}`);
    const other = join(folder, 'other.bin');
    await writeFile(other, 'x'.repeat(400));
    await expect(loadWordVectors(other)).rejects.toThrow('it is not a file of word vectors');
    await expect(loadWordVectors(other)).rejects.toBeInstanceOf(HelveError);
  });
});

describe('R-tiers: the shipped vectors', () => {
  it('R-tiers: know the language of APIs, in 6 MB', async () => {
    const vectors = await loadWordVectors();
    const { size } = await import('node:fs/promises').then(({ stat }) =>
      stat(new URL('../../../weights/discovery-words.bin', import.meta.url)),
    );
    expect(size).toBeLessThan(6_000_000);
    const near = (one: string, other: string) => vectors.similarity(vectors.find(one), vectors.find(other));
    for (const [one, same, different] of [
      ['remove', 'delete', 'create'],
      ['fetch', 'get', 'delete'],
      ['webhook', 'callback', 'invoice'],
      ['picture', 'image', 'payment'],
      ['modify', 'update', 'list'],
    ] as const)
      expect(near(one, same), `${one}: ${same}, not ${different}`).toBeGreaterThan(near(one, different));
  });

  it('R-tiers: are closer for a request and its intended tool than for other tools', async () => {
    const vectors = await loadWordVectors();
    const sumOf = (text: string) => {
      const sum = new Float32Array(vectors.dimensions);
      for (const word of text.split(' ')) {
        const row = vectors.find(word);
        vectors.addTo(row, sum, vectors.weight(row));
      }
      return sum;
    };
    const cosine = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));
    const request = sumOf('post a note to the room');
    const scores = ['send message to channel', 'delete invoice', 'list payment methods', 'create channel'].map((name) =>
      cosine(request, sumOf(name)),
    );
    expect(Math.max(...scores)).toBe(scores[0]);
  });
});
