import { expect, test } from 'vitest';
import { endAll } from './end-all.js';

test('the last ends first, all end even if some cannot, and the first failure is told', async () => {
  const ended: number[] = [];
  const fail = (number: number) => async () => {
    ended.push(number);
    throw new Error(`no end of ${number}`);
  };
  const ends = [() => ended.push(1), fail(2), async () => ended.push(3), fail(4)];
  await expect(endAll(ends)).rejects.toThrow('no end of 4');
  expect(ended).toEqual([4, 3, 2, 1]);
});
