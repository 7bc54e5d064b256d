/** Lists wait only briefly for a slow toolkit, and listeners hear when it is ready. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Provider } from '../domain/provider.js';
import { testTool } from '../testing/index.js';
import { createRegistry } from './index.js';

interface Gate {
  readonly provider: Provider;
  readonly reads: () => number;
  open(): void;
  fail(error: Error): void;
  /** Reports a change of its tools. */
  announce(): void;
}

/** A toolkit with one tool that is read when the test allows it. */
function gated(slug: string, kind: 'mcp' | 'native' = 'mcp'): Gate {
  let settle: { open(): void; fail(error: Error): void } | undefined;
  let reads = 0;
  let announce = (): void => undefined;
  const toolkit = { slug, title: slug, description: '', category: 'x', provider: kind, internal: false } as const;
  const { name } = testTool({ name: 'one' });
  const tool = { id: { toolkit: slug, name } } as never;
  return {
    reads: () => reads,
    open: () => settle?.open(),
    fail: (error) => settle?.fail(error),
    announce: () => announce(),
    provider: {
      kind,
      toolkits: async () => [{ ...toolkit, needsConnection: false }],
      tools: (asked) => {
        if (asked !== slug) return Promise.resolve([]);
        reads += 1;
        return new Promise((resolve, reject) => {
          settle = { open: () => resolve([tool]), fail: reject };
        });
      },
      execute: async () => ({ output: null }),
      onChange(listener) {
        announce = listener;
        return () => undefined;
      },
      close: async () => undefined,
    },
  };
}

describe('R-registry: slow toolkits', () => {
  test('R-registry: a list does not wait for a slow toolkit; the generation increases when it is ready, and listeners are called', async () => {
    const slow = gated('slow');
    const patienceMs = 300;
    const registry = createRegistry([slow.provider], { patienceMs });
    const told = vi.fn();
    registry.onChange(told);
    expect(await registry.toolsSoon('slow')).toEqual([]);
    expect(await registry.isLate('slow')).toBe(true);
    const { generation } = registry;
    // The second list does not wait again, and the toolkit is read once.
    const started = performance.now();
    await registry.toolsSoon('slow');
    expect(performance.now() - started).toBeLessThan(patienceMs - 20);
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

  test('R-registry: a list waits for our own code, however long a busy machine takes to load it', async () => {
    const slow = gated('slow', 'native');
    const registry = createRegistry([slow.provider], { patienceMs: 1 });
    const list = registry.toolsSoon('slow');
    expect(await Promise.race([list, new Promise((resolve) => setTimeout(resolve, 60, 'waits'))])).toBe('waits');
    slow.open();
    expect(await list).toHaveLength(1);
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

describe('R-registry: a toolkit that fails and then announces a change', () => {
  afterEach(() => void vi.useRealTimers());

  /** A registry whose only toolkit has just failed, and whose listener lists it again at each change, as MCP clients do. */
  async function failed() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const broken = gated('broken');
    const registry = createRegistry([broken.provider]);
    const list = () => registry.toolsSoon('broken').catch((error: Error) => error.message);
    registry.onChange(list);
    const first = list();
    await vi.advanceTimersByTimeAsync(0);
    broken.fail(new Error('it is broken'));
    expect(await first).toBe('it is broken');
    expect(broken.reads()).toBe(1);
    return { broken, registry, list };
  }

  test('R-registry: it is read once more when the pause after the failure ends', async () => {
    const { broken, registry, list } = await failed();
    await vi.advanceTimersByTimeAsync(1_000);
    broken.announce();
    await vi.advanceTimersByTimeAsync(3_900);
    expect(await list()).toBe('it is broken');
    expect(broken.reads()).toBe(1);
    await vi.advanceTimersByTimeAsync(400);
    expect(broken.reads()).toBe(2);
    broken.open();
    expect(await list()).toHaveLength(1);
    await registry.close();
  });

  test('R-registry: also if it announced the change while the read that failed was in progress', async () => {
    const { broken, list } = await failed();
    await vi.advanceTimersByTimeAsync(5_000);
    const second = list();
    await vi.advanceTimersByTimeAsync(0);
    broken.announce();
    broken.fail(new Error('it is broken again'));
    expect(await second).toBe('it is broken again');
    expect(broken.reads()).toBe(2);
    await vi.advanceTimersByTimeAsync(10_300);
    expect(broken.reads()).toBe(3);
  });

  test('R-registry: without an announcement, nothing is read when the pause ends', async () => {
    const { broken, registry } = await failed();
    const { generation } = registry;
    await vi.advanceTimersByTimeAsync(400_000);
    expect(broken.reads()).toBe(1);
    expect(registry.generation).toBe(generation);
    await registry.close();
  });

  test('R-registry: a flood of announcements costs one read per pause', async () => {
    const { broken, registry } = await failed();
    for (let tenth = 0; tenth < 600; tenth += 1) {
      broken.announce();
      await vi.advanceTimersByTimeAsync(100);
      broken.fail(new Error('it is broken'));
    }
    // The pauses of this minute: 5 s, 10 s, 20 s and most of 40 s.
    expect(broken.reads()).toBe(4);
    await registry.close();
  });

  test('R-registry: a closed registry has no timer left', async () => {
    const { broken, registry } = await failed();
    broken.announce();
    await vi.advanceTimersByTimeAsync(300);
    expect(vi.getTimerCount()).toBe(1);
    await registry.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
