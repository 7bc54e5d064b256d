import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { Pipeline } from './pipeline.js';
import { countRuns, createStopping } from './running.js';

describe('createStopping', () => {
  it('calls those that listen, also those that begin to listen later, and nobody who has left', () => {
    const called: string[] = [];
    const { onStop, stop, isAnnounced } = createStopping();
    const leave = onStop(() => called.push('left'));
    onStop(() => called.push('first'));
    onStop(() => called.push('second'));
    leave();
    expect(isAnnounced()).toBe(false);
    stop();
    expect(called.sort()).toEqual(['first', 'second']);
    onStop(() => called.push('late'));
    expect(called).toContain('late');
    expect(isAnnounced()).toBe(true);
  });
  it('keeps nothing of a call that has ended until V8 looks at all of its memory, as a Set would', async () => {
    const { onStop } = createStopping();
    const set = new Set<() => void>();
    const intoSet = (listener: () => void) => {
      set.add(listener);
      return () => set.delete(listener);
    };
    const listening = (listen: typeof onStop) => (content: object) => listen(() => expect(content).toBeDefined());
    expect(await growth(listening(onStop))).toBeLessThan(3);
    // Should this fail with a later V8, a Set will do.
    expect(await growth(listening(intoSet))).toBeGreaterThan(5);
  });
});

describe('countRuns', () => {
  it('counts the calls in progress, and waits for them', async () => {
    const ends: ((result: ToolResult) => void)[] = [];
    const run = () => new Promise<ToolResult>((resolve) => ends.push(resolve));
    const { pipeline, running, idle } = countRuns({ run } as unknown as Pipeline);
    const calls = [1, 2].map(() => pipeline.run({} as CallRequest));
    let isIdle = false;
    const waited = idle().then(() => {
      isIdle = true;
    });
    const answer: ToolResult = { ok: true, output: 1, executionId: '', tool: '', rule: '', durationMs: 0 };
    ends[0]?.(answer);
    await calls[0];
    expect([running(), isIdle]).toEqual([1, false]);
    ends[1]?.(answer);
    expect(await calls[1]).toBe(answer);
    await waited;
    expect(running()).toBe(0);
  });
});

/** Returns by how many MB the space of old objects grows while objects come and go, 32 at a time. */
async function growth(come: (content: object) => () => void): Promise<number> {
  const old = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
  const wave = async () => {
    const ends = Array.from({ length: 32 }, () => come(Array.from({ length: 500 }, (_, n) => ({ n }))));
    for (const end of ends) end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  // Until what keeps them is old.
  for (let count = 0; count < 400; count++) await wave();
  let least = old();
  let most = 0;
  for (let count = 0; count < 100; count++) {
    await wave();
    least = Math.min(least, old());
    most = Math.max(most, old() - least);
  }
  return most / 1_000_000;
}
