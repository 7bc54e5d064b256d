import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectEqual } from '../testing/expect-equal.js';
import { createLookup, noteOrigin } from './lookup.js';

test('items are found by their key, in the order of the list, and each list is searched separately', () => {
  let walked = 0;
  const byOwner = createLookup(({ owner }: { owner: string; name: string }) => {
    walked += 1;
    return owner;
  });
  const one = [
    { owner: 'ada', name: 'a' },
    { owner: 'bob', name: 'b' },
    { owner: 'ada', name: 'c' },
  ];
  expect(byOwner(one, 'ada').map(({ name }) => name)).toEqual(['a', 'c']);
  expect(byOwner(one, 'bob').map(({ name }) => name)).toEqual(['b']);
  expect(byOwner(one, 'constructor')).toEqual([]);
  expect(walked).toBe(3);
  expect(byOwner([], 'ada')).toEqual([]);
});

const item = fc.record({ owner: fc.constantFrom('ada', 'bob', 'cy'), name: fc.constantFrom('a', 'b', 'c', 'd') });
type Item = typeof item extends fc.Arbitrary<infer Made> ? Made : never;

test('attack: what is found in a list that was made from another is what a look at all of it finds, after every change', () => {
  let spared = 0;
  const change = fc.record({
    gone: fc.array(fc.nat(), { maxLength: 4 }),
    added: fc.array(item, { maxLength: 4 }),
    at: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 12 }), fc.array(change, { maxLength: 5 }), (first, changes) => {
      let keyed = 0;
      const count = (key: string): string => {
        keyed += 1;
        return key;
      };
      const lookups = [
        createLookup(({ owner }: Item) => count(owner)),
        createLookup(({ owner, name }: Item) => count(owner + name)),
      ];
      let list: readonly Item[] = first;
      for (const { gone, added: wanted, at } of [{ gone: [], added: [], at: 0 }, ...changes]) {
        const from = list;
        const removed = [...new Set(gone.flatMap((place) => from[place % Math.max(1, from.length)] ?? []))];
        const added = wanted.map((one) => ({ ...one }));
        list = from.filter((one) => !removed.includes(one));
        list = [...list.slice(0, at % (list.length + 1)), ...added, ...list.slice(at % (list.length + 1))];
        noteOrigin(list, { from, removed, added });
        keyed = 0;
        for (const owner of ['ada', 'bob', 'cy', 'nobody']) {
          const mine = list.filter((one) => one.owner === owner);
          expectEqual(lookups[0]?.(list, owner), mine);
          for (const name of ['a', 'b', 'c', 'd'])
            expectEqual(
              lookups[1]?.(list, owner + name),
              mine.filter((one) => one.name === name),
            );
        }
        spared += Math.max(0, 2 * list.length - keyed);
      }
    }),
    { numRuns: 500 },
  );
  expect(spared).toBeGreaterThan(500);
});

test('a list that was made from one that nobody looked at is grouped by itself', () => {
  const byOwner = createLookup(({ owner }: Item) => owner);
  const from: Item[] = [{ owner: 'ada', name: 'a' }];
  const added: Item[] = [{ owner: 'bob', name: 'b' }];
  const list = [...from, ...added];
  noteOrigin(list, { from, removed: [], added });
  expect([byOwner(list, 'ada'), byOwner(list, 'bob')]).toEqual([from, added]);
});
