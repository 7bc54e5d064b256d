import { describe, expect, test, vi } from 'vitest';
import { computedOnce } from './computed-once.js';

describe('a constant that is computed once', () => {
  test('is computed when it is first asked for, and only then', () => {
    const compute = vi.fn(() => ({ value: 1 }));
    const constant = computedOnce(compute);
    expect(compute).not.toHaveBeenCalled();
    expect(constant()).toBe(constant());
    expect(compute).toHaveBeenCalledTimes(1);
  });

  test('is computed again after it failed', () => {
    const compute = vi
      .fn(() => 1)
      .mockImplementationOnce(() => {
        throw new Error('not yet');
      });
    const constant = computedOnce(compute);
    expect(constant).toThrow('not yet');
    expect(constant()).toBe(1);
  });

  test('is computed again after its promise failed, and is shared until then', async () => {
    const compute = vi
      .fn(async () => 1)
      .mockImplementationOnce(async () => {
        throw new Error('not yet');
      });
    const constant = computedOnce(compute);
    const [first, second] = [constant(), constant()];
    expect(first).toBe(second);
    await expect(first).rejects.toThrow('not yet');
    expect(await constant()).toBe(1);
    expect(compute).toHaveBeenCalledTimes(2);
  });
});
