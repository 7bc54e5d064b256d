import { expect, test } from 'vitest';
import { tellDelivered, tellIssueWait } from './issue-wait.js';

const told = (waitsFor: unknown, result?: unknown) => tellIssueWait({ id: 'iss_1', waitsFor, result }).join('\n');
const run = { runId: 'run_1', url: 'http://a.example/runs/run_1' };

test('R-cli: an issue that waits for an answer says what is asked, and how it is answered', () => {
  const asked = { ...run, for: 'answer', number: 9, tool: 'person.ask', question: 'Ship it?', choices: ['yes', 'no'] };
  expect(told(asked)).toMatch(
    /^ {2}It asks: Ship it\? \(yes, no\)\n.*helve runs answer run_1 9 "…", or at http:\/\/a\.example\/runs\/run_1$/,
  );
});

test('R-cli: an issue that waits for an approval says which', () => {
  const wait = { ...run, for: 'approval', number: 2, tool: 'remove_pet', approvalId: 'apr_1' };
  expect(told(wait)).toMatch(/Call 2 \(remove_pet\) waits.*\n.*helve approve apr_1, or helve reject apr_1/);
});

test('R-cli: an issue whose work a person is asked about shows the work, and how to accept it', () => {
  const wait = { for: 'check', asks: [{ check: 2, question: 'Is the work good?', who: null }] };
  expect(told(wait, { text: 'I added it.' }).split('\n')).toEqual([
    '  It asks about the work (check 2): Is the work good?',
    '  The work: I added it.',
    '     helve task accept iss_1, or helve task reject iss_1 --reason "…"',
  ]);
  expect(told(undefined)).toBe('');
});

test('R-cli: an issue that is done says what it delivered', () => {
  const delivered = { output: { text: 'Line 1\nLine 2' }, pullRequest: 'github:acme/shop#7' };
  expect(tellDelivered({ id: 'iss_1', delivered })).toEqual([
    '  Delivered: Line 1',
    '  Line 2',
    '  Pull request: github:acme/shop#7',
  ]);
  expect(tellDelivered({ id: 'iss_1' })).toEqual([]);
});
