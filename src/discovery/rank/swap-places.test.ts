import { expect, it } from 'vitest';
import { swapPlaces } from './swap-places.js';

const all = [
  { name: 'a', group: 1, score: 9 },
  { name: 'b', group: 2, score: 8 },
  { name: 'c', group: 1, score: 7 },
  { name: 'd', group: undefined, score: 6 },
  { name: 'e', group: 2, score: 5 },
  { name: 'f', group: undefined, score: 4 },
];
const swap = (values: Readonly<Record<string, number>>) =>
  swapPlaces(
    all,
    ({ group }) => group,
    ({ name, score }) => values[name] ?? score,
  ).map(({ name, score }) => `${name}${score}`);

it('the candidates of one group take each other’s places and scores, and no other place changes', () => {
  expect(swap({ c: 10, e: 9, f: 20 })).toEqual(['c9', 'e8', 'a7', 'd6', 'b5', 'f4']);
});

it('what is equal stays in its order', () => {
  expect(swap({ a: 1, c: 1 })).toEqual(['a9', 'b8', 'c7', 'd6', 'e5', 'f4']);
  expect(
    swapPlaces(
      [],
      () => 0,
      () => 0,
    ),
  ).toEqual([]);
});
