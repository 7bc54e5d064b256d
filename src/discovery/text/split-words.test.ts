/** Splits text into words: the fast path for ASCII gives the same result as the general one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitName, splitProse } from './split-words.js';

it('R-tiers: ASCII prose is split like all other prose', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abzQXY019-_. \n(),/'), maxLength: 40 });
  fc.assert(
    fc.property(text, (given) => {
      // A non-ASCII letter forces the general path for the whole text.
      expect([...splitProse(given), '消']).toEqual(splitProse(`${given} 消`));
    }),
    { numRuns: 2_000 },
  );
});

it('R-tiers: compounds are split into their parts and the whole, names into their parts', () => {
  expect(splitProse('Follow-up for LinkedIn, v2.1: send_email')).toEqual([
    'follow',
    'up',
    'followup',
    'for',
    'linked',
    'in',
    'linkedin',
    'v',
    '2',
    '1',
    'send',
    'email',
  ]);
  expect(splitName('getHTTPServersByIDs')).toEqual(['get', 'http', 'servers', 'by', 'ids']);
});
