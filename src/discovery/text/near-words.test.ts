import { expect, it } from 'vitest';
import { atOnce } from '../../util/slices.js';
import { countErrors, createNearWords } from './near-words.js';

it.each([
  ['calender', 'calendar', 1],
  ['isue', 'issue', 1],
  ['emial', 'email', 1],
  ['invoicee', 'invoice', 1],
  ['repositroy', 'repository', 1],
  ['atatchmnet', 'attachment', 2],
  ['same', 'same', 0],
  ['ab', 'ba', 1],
] as const)('R-tiers: from %s to %s it is %i errors', (one, other, errors) => {
  expect(countErrors(one, other, 5)).toBe(errors);
  expect(countErrors(other, one, 5)).toBe(errors);
});

it('R-tiers: the near words are those that a comparison with all of them finds, also of words that came later', () => {
  const words: string[] = [];
  const near = createNearWords({
    get size() {
      return words.length;
    },
    word: (at) => words[at] ?? '',
  });
  const letters = 'aeinrst';
  const make = (seed: number) =>
    Array.from({ length: 3 + (seed % 5) }, (_, at) => letters[(seed * 7 + at * (seed % 11)) % letters.length]).join('');
  for (let round = 0; round < 3; round++) {
    for (let seed = 0; seed < 200; seed++) words.push(make(seed + 1_000 * round));
    words.push('tiesra', 'tisar', 'tieesar', 'tiiesarr', 'tesra');
    if (round === 1) atOnce(near.extend());
    for (const most of [1, 2] as const) {
      const wanted = words.flatMap((word, at) => {
        const errors = countErrors('tiesar', word, most);
        return errors > 0 && errors <= most ? [at] : [];
      });
      expect(near.find('tiesar', most).map(({ at }) => at)).toEqual(expect.arrayContaining(wanted));
      expect(near.find('tiesar', most)).toHaveLength(wanted.length);
      expect(wanted.length).toBeGreaterThanOrEqual((most === 1 ? 3 : 5) * (round + 1));
    }
  }
});
