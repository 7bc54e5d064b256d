import { expect, test } from 'vitest';
import { shareByTurn } from './share-by-turn.js';

test('reads once for all who ask in one turn, after they have asked, and again in the next', async () => {
  let value = 1;
  const reads: string[] = [];
  const read = shareByTurn(
    (key: string) => key,
    async (key) => {
      reads.push(key);
      return `${key}${value}`;
    },
  );
  const asked = [read('a'), read('b'), read('a')];
  value = 2;
  expect(await Promise.all(asked)).toEqual(['a2', 'b2', 'a2']);
  expect(reads).toEqual(['a', 'b']);
  value = 3;
  expect(await read('a')).toBe('a3');
});

test('a failure reaches all who asked, and the next one reads again', async () => {
  let fails = true;
  const read = shareByTurn(
    () => '',
    async () => {
      if (fails) throw new Error('away');
      return 'here';
    },
  );
  const [one, other] = await Promise.allSettled([read(), read()]);
  expect([one?.status, other?.status]).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await read()).toBe('here');
});
