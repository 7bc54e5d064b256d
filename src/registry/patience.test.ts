/** Lists wait only briefly for a slow toolkit, and listeners hear when it is ready. */
import { describe, expect, test, vi } from 'vitest';
import type { Provider } from '../domain/provider.js';
import { testTool } from '../testing/index.js';
import { createRegistry } from './index.js';

interface Gate {
  readonly provider: Provider;
  readonly reads: () => number;
  open(): void;
  fail(error: Error): void;
}

/** A toolkit with one tool that is read when the test allows it. */
function gated(slug: string): Gate {
  let settle: { open(): void; fail(error: Error): void } | undefined;
  let reads = 0;
  const toolkit = { slug, title: slug, description: '', category: 'x', provider: 'mcp', internal: false } as const;
  const { name } = testTool({ name: 'one' });
  const tool = { id: { toolkit: slug, name } } as never;
  return {
    reads: () => reads,
    open: () => settle?.open(),
    fail: (error) => settle?.fail(error),
    provider: {
      kind: 'mcp',
      toolkits: async () => [{ ...toolkit, needsConnection: false }],
      tools: (asked) => {
        if (asked !== slug) return Promise.resolve([]);
        reads += 1;
        return new Promise((resolve, reject) => {
          settle = { open: () => resolve([tool]), fail: reject };
        });
      },
      execute: async () => ({ output: null }),
      close: async () => undefined,
    },
  };
}

describe('R-registry: slow toolkits', () => {
  test('R-registry: a list does not wait for a slow toolkit; the generation increases when it is ready, and listeners are called', async () => {
    const slow = gated('slow');
    const registry = createRegistry([slow.provider], { patienceMs: 20 });
    const told = vi.fn();
    registry.onChange(told);
    expect(await registry.toolsSoon('slow')).toEqual([]);
    expect(await registry.isLate('slow')).toBe(true);
    const { generation } = registry;
    // The second list does not wait again, and the toolkit is read once.
    const started = performance.now();
    await registry.toolsSoon('slow');
    expect(performance.now() - started).toBeLessThan(15);
    expect(slow.reads()).toBe(1);
    const whole = registry.tools('slow');
    slow.open();
    expect(await whole).toHaveLength(1);
    expect(await registry.isLate('slow')).toBe(false);
    expect(registry.generation).toBe(generation + 1);
    expect(await registry.toolsSoon('slow')).toHaveLength(1);
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1));
    await registry.close();
  });

  test('R-registry: a toolkit that is read in time is no change', async () => {
    const quick = gated('quick');
    const registry = createRegistry([quick.provider], { patienceMs: 60_000 });
    const list = registry.toolsSoon('quick');
    await vi.waitFor(() => expect(quick.reads()).toBe(1));
    const { generation } = registry;
    quick.open();
    expect(await list).toHaveLength(1);
    expect(registry.generation).toBe(generation);
    await registry.close();
  });

  test('R-registry: a toolkit that fails late is reported as failed, and lists do not read it again immediately, but a direct request does', async () => {
    const broken = gated('broken');
    const registry = createRegistry([broken.provider], { patienceMs: 20 });
    expect(await registry.toolsSoon('broken')).toEqual([]);
    const { generation } = registry;
    broken.fail(new Error('it is broken'));
    await vi.waitFor(() => expect(registry.generation).toBe(generation + 1));
    for (let again = 0; again < 3; again++) await expect(registry.toolsSoon('broken')).rejects.toThrow('it is broken');
    expect(broken.reads()).toBe(1);
    const asked = registry.tools('broken');
    await vi.waitFor(() => expect(broken.reads()).toBe(2));
    broken.open();
    expect(await asked).toHaveLength(1);
    await registry.close();
  });
});
