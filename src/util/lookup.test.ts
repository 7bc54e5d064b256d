import { expect, test } from 'vitest';
import { createLookup } from './lookup.js';

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
