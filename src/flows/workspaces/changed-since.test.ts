/**
 * A change since the last read is not overwritten: neither by a person (If-Match) nor by two writers at once
 * (revision).
 */
import { describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { changedSince, requireVersion } from './index.js';

const stale = () => new HelveError('conflict', 'stale', { details: { staleRevision: true } });

function createScene(...failures: unknown[]) {
  const seen: string[] = [];
  const configurations = {
    getFresh: async () => ({ revision: 1 }),
    forget: () => void seen.push('forget'),
  };
  const run = () =>
    changedSince({ configurations: configurations as never }, 'w', async () => {
      seen.push('tried');
      if (failures.length > 0) throw failures.shift();
      return 'done';
    });
  return { run, seen };
}

describe('another change came in between', () => {
  test('R-rest: it is retried on the present state', async () => {
    const { run, seen } = createScene(stale(), stale());
    expect(await run()).toBe('done');
    expect(seen).toEqual(['tried', 'forget', 'tried', 'forget', 'tried']);
  });

  test('R-rest: after ten rounds it is a conflict', async () => {
    const { run, seen } = createScene(...Array.from({ length: 20 }, stale));
    await expect(run()).rejects.toMatchObject({ code: 'conflict' });
    expect(seen.filter((one) => one === 'tried')).toHaveLength(10);
  });

  test.each([
    ['a refusal', new HelveError('precondition_failed', 'no', {})],
    ['another conflict', new HelveError('conflict', 'no', { details: { staleRevision: 'no' } })],
    ['what is no error of Helve', Object.assign(new Error('no'), { details: { staleRevision: true } })],
  ])('R-rest: %s is not retried', async (_what, error) => {
    const { run, seen } = createScene(error);
    await expect(run()).rejects.toBe(error);
    expect(seen).toEqual(['tried']);
  });
});

describe('the version that the writer has read', () => {
  const differences = () => ['a', 'b', 'c', 'd', 'e', 'f'];

  test.each([[undefined], [['*']], [['v1']], [['v0', 'v1']]])('R-rest: %j is written', (ifMatch) => {
    expect(() => requireVersion(ifMatch, 'v1', differences)).not.toThrow();
  });

  test.each([
    [[]],
    [['v0']],
    [['v']],
    [['v11', '']],
  ])('attack: %j is not written, and the error shows the present state', (ifMatch) => {
    expect(() => requireVersion(ifMatch, 'v1', differences)).toThrow(
      expect.objectContaining({
        code: 'precondition_failed',
        message: 'It was changed since you read it: a; b; c; d; e',
        details: { version: 'v1', differences: differences() },
      }),
    );
    expect(() => requireVersion(ifMatch, 'v1', () => [])).toThrow('it is already as you sent it');
  });
});
