import { expect, it } from 'vitest';
import { findPhrases } from './phrases.js';

const wordsOf = (text: string) => findPhrases(text.split(' ')).map(({ words }) => words.join(' '));

it('R-tiers: everyday phrases mean what APIs say, the longest first', () => {
  expect(wordsOf('the customer wants their money back')).toEqual(['refund payment']);
  expect(wordsOf('give their money back')).toEqual(['refund']);
  expect(wordsOf('get rid of the draft')).toEqual(['delete remove']);
  expect(wordsOf('delete the draft')).toEqual([]);
});

it('R-tiers: the particle of a verb may follow its object, but not another act', () => {
  expect(wordsOf('tick the milk off')).toEqual(wordsOf('tick off the milk'));
  expect(wordsOf('tick the milk and take two off')).toEqual([wordsOf('take two off')[0]]);
  expect(wordsOf('put the meeting off until friday')).toEqual(['reschedule update date']);
});
