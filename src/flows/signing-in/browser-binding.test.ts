/** A sign-in that one server begins ends at another one whose clock is behind. */
import { expect, test } from 'vitest';
import { createBinding, readBinding } from './browser-binding.js';

const begun = new Date('2026-11-28T12:00:00.000Z');
const after = (ms: number): Date => new Date(begun.getTime() + ms);
const { cookie, state } = createBinding('corp', begun, '/panel');
const minuteMs = 60_000;

test.each([
  ['a moment ago', 200],
  ['at once, by a clock that is two seconds behind', -2_000],
  ['by a clock that is four minutes behind', -4 * minuteMs],
  ['nine minutes ago', 9 * minuteMs],
])('R-people: a sign-in that was started %s is finished', (_, ms) => {
  expect(readBinding('corp', { cookie, state }, after(ms))).toMatchObject({ returnTo: '/panel', startedAt: begun });
});

test.each([
  ['eleven minutes ago', 11 * minuteMs],
  ['in six minutes', -6 * minuteMs],
])('R-people: a sign-in that was started %s is refused', (_, ms) => {
  expect(readBinding('corp', { cookie, state }, after(ms))).toBeUndefined();
});
