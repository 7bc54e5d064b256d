/** The attacks that other tests run, row by row: a missing corpus is a failure, never a skip. */
import { expect, test } from 'vitest';
import { readAttacks } from './data/attacks.js';

test.each([
  ['arg-injection', 30],
  ['blns', 400],
  ['email-recipient-bypass', 20],
  ['issue-texts', 120],
  ['js-sandbox-own', 5],
  ['json-bombs', 2],
  ['json-test-suite', 200],
  ['math-malicious', 10],
  ['math-python-oracle', 50],
  ['mcp-transport', 5],
  ['oauth-attacks', 5],
  ['path-scenarios', 20],
  ['prototype-pollution', 20],
  ['redos', 3],
  ['ssrf', 30],
  ['tool-poisoning', 20],
  ['webhook-signing', 1],
  ['xml-xquery', 3],
])('%s.jsonl is in the repository, with at least %i rows', (name, least) => {
  expect(readAttacks(name).length).toBeGreaterThanOrEqual(least);
});
