import { describe, expect, test } from 'vitest';
import { createBloomBuilder, createBloomTest, forEachGram, hashText, joinFilters } from './bloom.js';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

describe.each([1, 2] as const)('a filter with %i bits for each hash', (bitsPerHash) => {
  test.each([0, 1, 300, 40_000])('R-audit: contains all of %i added hashes, and few others', (count) => {
    const builder = createBloomBuilder({ bitsPerHash, fill: 0.1 });
    for (const name of names('in', count)) builder.add(hashText(name));
    const holds = createBloomTest(builder.take(), bitsPerHash);
    expect(names('in', count).filter((name) => !holds(hashText(name)))).toEqual([]);
    const wrong = names('out', 10_000).filter((name) => holds(hashText(name))).length / 10_000;
    expect(wrong).toBeLessThan(bitsPerHash === 1 ? 0.22 : 0.05);
  });

  test('R-audit: joined filters have every hash of each of them, whatever their sizes', () => {
    const builder = createBloomBuilder({ bitsPerHash, fill: 0.1 });
    const filters = [300, 40, 2_000].map((count, at) => {
      for (const name of names(`in-${at}`, count)) builder.add(hashText(name));
      return builder.take();
    });
    expect(new Set(filters.map(({ length }) => length)).size).toBe(3);
    const holds = createBloomTest(joinFilters(filters), bitsPerHash);
    const all = [300, 40, 2_000].flatMap((count, at) => names(`in-${at}`, count));
    expect(all.filter((name) => !holds(hashText(name)))).toEqual([]);
    const [one, other] = [filters[1] as Uint8Array, createBloomTest(joinFilters(filters.slice(1, 2)), bitsPerHash)];
    const same = createBloomTest(one, bitsPerHash);
    const asked = names('out', 1_000).map(hashText);
    expect(asked.map(other)).toEqual(asked.map(same));
    expect(asked.some((hash) => !other(hash))).toBe(true);
  });

  test('R-audit: a filter is as large as its contents need, and `take` empties the builder', () => {
    const builder = createBloomBuilder({ bitsPerHash, fill: 0.1 });
    for (const name of names('in', 20_000)) builder.add(hashText(name));
    const large = builder.take();
    builder.add(hashText('alone'));
    const small = builder.take();
    expect(small.length).toBe(64);
    expect(large.length).toBeGreaterThan(20_000 / 8);
    expect(createBloomTest(small, bitsPerHash)(hashText('in-1'))).toBe(false);
  });
});

test('R-audit: a text contains every gram of its parts, in any alphabet', () => {
  const gramsOf = (text: string) => {
    const grams = new Set<number>();
    forEachGram(text, (gram) => grams.add(gram));
    return grams;
  };
  const text = '{"subject":"Grüße, 請求書 第七号 and 👩‍👩‍👧"}';
  const all = gramsOf(text);
  for (const part of ['subj', 'Grüße', '請求書 第', '👩‍👩‍👧'])
    expect([...gramsOf(part)].filter((gram) => !all.has(gram))).toEqual([]);
  expect(gramsOf('abc').size).toBe(0);
  expect([...gramsOf('absent')].some((gram) => all.has(gram))).toBe(false);
});
