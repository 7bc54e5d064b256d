/** Collects postings and packs them by term. */
import { expect, it } from 'vitest';
import { atOnce } from '../../util/slices.js';
import { createPostingList, type PackedPostings, weightUnit } from './posting-list.js';

const rows = ({ terms, starts, tools, weights }: PackedPostings) =>
  [...terms].map((term, slot) => ({
    term,
    tools: [...tools.subarray(starts[slot], starts[slot + 1])],
    weights: [...weights.subarray(starts[slot], starts[slot + 1])],
  }));

it('R-tiers: terms come out in order with their tools, and a term has the sum of its weights', () => {
  const list = createPostingList();
  list.add(0, [7, 3, 7], [1, 2, 0.5]);
  list.add(2, [3], [0.001]);
  list.add(5, [900_000, 3], [1_000, 1]);
  expect(rows(atOnce(list.pack()))).toEqual([
    { term: 3, tools: [0, 2, 5], weights: [2 * weightUnit, 1, weightUnit] },
    { term: 7, tools: [0], weights: [1.5 * weightUnit] },
    { term: 900_000, tools: [5], weights: [255] },
  ]);
});

it('R-tiers: two lists that are built at the same time do not mix, nor does a later one', () => {
  const [one, other] = [createPostingList(), createPostingList()];
  for (let tool = 0; tool < 10_000; tool++) {
    one.add(tool, [1, 2], [1, 1]);
    other.add(tool, [2], [2]);
  }
  const first = one.pack();
  first.next();
  const second = atOnce(other.pack());
  const packed = atOnce(first);
  expect([[...packed.starts], [...second.starts]]).toEqual([
    [0, 10_000, 20_000],
    [0, 10_000],
  ]);
  const third = createPostingList();
  third.add(1, [2], [1]);
  expect(rows(atOnce(third.pack()))).toEqual([{ term: 2, tools: [1], weights: [weightUnit] }]);
});
