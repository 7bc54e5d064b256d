/** Text to words: what ASCII is split to sign by sign is what the general way makes of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitName, splitProse } from './split-words.js';

it('R-tiers: prose of ASCII is split as all prose is', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abzQXY019-_. \n(),/'), maxLength: 40 });
  fc.assert(
    fc.property(text, (given) => {
      // A letter that nothing makes ASCII takes the whole text the general way.
      expect([...splitProse(given), '消']).toEqual(splitProse(`${given} 消`));
    }),
    { numRuns: 2_000 },
  );
});

it('R-tiers: compounds give their parts and the whole, names their parts', () => {
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
