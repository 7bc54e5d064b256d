/** The end of errors about names: the name that was meant, or the names that there are. */
import { expect, test } from 'vitest';
import { listNames, orDidYouMean, suggestName } from './nearest.js';

const many = Array.from({ length: 23 }, (_, place) => `tool${place}`);

test.each<[string, string, readonly string[], string]>([
  ['a mistyped name', 'GitHb', ['slack', 'github'], 'Did you mean github?'],
  ['a name with two letters exchanged', 'frist', ['tester', 'first'], 'Did you mean first?'],
  ['a name that is like none', 'calendar', ['slack', 'github'], 'It has slack, github.'],
  ['no names', 'calendar', [], 'It has none.'],
  ['many names', 'calendar', many, `It has ${many.slice(0, 20).join(', ')} and 3 more.`],
])('R-cli: %s is answered with what helps', (_what, word, names, hint) => {
  expect(suggestName(word, names)).toBe(hint);
});

test('R-cli: another sentence can take the place of the names, and a message can end with the one that was meant', () => {
  expect(suggestName('calendar', ['slack'], 'List them.')).toBe('List them.');
  expect([orDidYouMean('slack'), orDidYouMean(undefined)]).toEqual(['; did you mean slack?', '']);
  expect(listNames(['one', 'two'])).toBe('one, two');
});
