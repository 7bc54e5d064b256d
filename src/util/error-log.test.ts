/** The log lines for repeated errors. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HelveError } from '../domain/errors.js';
import { createErrorLog } from './error-log.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openLog() {
  const lines: string[] = [];
  return { lines, log: createErrorLog({ write: (text) => lines.push(...text.split('\n')) }) };
}

const away = () =>
  new HelveError('storage_failed', 'The store at postgres://db/helve refused the connection', {
    cause: new Error('connect ECONNREFUSED'),
  });

describe('R-audit: the log', () => {
  test('R-audit: an unavailable store is logged once, then as a count every ten seconds, then not at all', () => {
    const { lines, log } = openLog();
    for (let call = 0; call < 1_000; call += 1) log(away());
    expect(lines).toEqual(['storage_failed: The store at postgres://db/helve refused the connection']);
    vi.advanceTimersByTime(10_000);
    expect(lines).toEqual([lines[0], `${lines[0]} [999 times more in the last 10 seconds]`]);
    log(away());
    expect(lines).toHaveLength(2);
    vi.advanceTimersByTime(10_000);
    expect(lines[2]).toBe(`${lines[0]} [once more in the last 10 seconds]`);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
    // The error is new again.
    log(away());
    expect(lines.slice(3)).toEqual([lines[0]]);
  });

  test('R-audit: another error is written immediately, with its stack and its cause', () => {
    const { lines, log } = openLog();
    log(away());
    log(new TypeError('undefined is not a function', { cause: new Error('behind it') }));
    const text = lines.slice(1).join('\n');
    expect(text).toMatch(/TypeError: undefined is not a function\n\s+at /);
    expect(text).toContain('behind it');
    log('A message as it is');
    expect(lines.at(-1)).toBe('A message as it is');
  });

  test('R-audit: many kinds of errors are not remembered forever, and none is lost', () => {
    const { lines, log } = openLog();
    for (let kind = 0; kind < 1_000; kind += 1) log(`kind ${kind}`);
    expect(lines).toHaveLength(1_000);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(100);
  });
});
