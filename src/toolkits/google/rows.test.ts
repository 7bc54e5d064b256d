import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { fetchRows } from './rows.js';

describe('fetchRows', () => {
  const numbers = Array.from({ length: 23 }, (_, index) => index);
  const failed = (item: number, why: string) => `${item} ${why}`;

  test('R-google-gmail: five at a time, in order', async () => {
    let running = 0;
    let most = 0;
    const rows = await fetchRows(
      numbers,
      async (item) => {
        most = Math.max(most, ++running);
        await sleep(item % 3);
        running -= 1;
        return `row ${item}`;
      },
      failed,
    );
    expect(rows).toEqual(numbers.map((item) => `row ${item}`));
    expect(most).toBe(5);
    expect(await fetchRows([], async () => 'never', failed)).toEqual([]);
  });

  const failing = (code: 'not_found' | 'cancelled', of: (item: number) => boolean) => async (item: number) => {
    if (of(item)) throw new HelveError(code, `no ${item}`);
    return `row ${item}`;
  };

  test('R-google-gmail: one that fails becomes a row that says why', async () => {
    const rows = await fetchRows(
      [1, 2, 3],
      failing('not_found', (item) => item === 2),
      failed,
    );
    expect(rows).toEqual(['row 1', '2 not_found: no 2', 'row 3']);
  });

  test('R-google-gmail: when all fail, or the call is cancelled, or there is a bug, the list fails', async () => {
    const all = fetchRows(
      [1, 2],
      failing('not_found', () => true),
      failed,
    );
    await expect(all).rejects.toMatchObject({ code: 'not_found' });
    const cancelled = fetchRows(
      [1, 2],
      failing('cancelled', (item) => item === 2),
      failed,
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    const bug = fetchRows([1, 2], async (item) => (item === 1 ? 'row' : Promise.reject(new TypeError('bug'))), failed);
    await expect(bug).rejects.toThrow(TypeError);
  });
});

test('R-google-gmail: fields that are undefined are left out, others kept', () => {
  expect(Object.keys(defined({ one: 0, two: undefined, three: '' }))).toEqual(['one', 'three']);
});
