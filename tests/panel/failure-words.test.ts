/** What the panel says about calls and programs that failed. */
import { expect, test } from 'vitest';
import { en } from '../../panel/src/messages/en.js';
import { es } from '../../panel/src/messages/es.js';
import { sayFailure } from '../../panel/src/messages/failure-words.js';

test('R-panel: a failure is named in words, and one of rights is not said to be of the person who reads it', () => {
  for (const text of [en, es]) {
    expect(sayFailure(text, 'timeout')).toBe(text.problems.timeout);
    for (const code of ['forbidden', 'unauthenticated'] as const) {
      expect(sayFailure(text, code)).toEqual(expect.any(String));
      expect(sayFailure(text, code)).not.toBe(text.problems[code]);
    }
  }
});

test('R-panel: a code that a program made up has no words, whatever it is', () => {
  for (const code of ['__proto__', 'constructor', 'toString', '', 'E_MINE', undefined])
    expect(sayFailure(en, code)).toBeUndefined();
});
