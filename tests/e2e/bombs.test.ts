/**
 * Hostile calls beside ordinary ones: each ends with a result in its time, and no other call waits for it. The limits are
 * loose because the machine is shared; `bench/stall.js` measures the same bombs.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bomb, makeBombs, optionsFor, type Site, startSite } from '../../bench/stall/bombs.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';

const kinds = ['json', 'jsonpath', 'glob', 'blocked_patterns', 'maths', 'xml', 'xquery', 'html', 'message'];
/** A tool's own limit, and the time it may wait for a processor. */
const budgetMs = 15_000;
const maxPerKind: Readonly<Record<string, number>> = { html: 1, xquery: 3, message: 3 };

let helve: TestHelve;
let site: Site;
let bombs: readonly Bomb[];
beforeAll(async () => {
  site = await startSite();
  helve = await createTestHelve(optionsFor(site));
  bombs = await makeBombs({ call: helve.call, port: site.port });
});
afterAll(async () => {
  await helve?.close();
  await site?.close();
});

describe('bombs', () => {
  test.each(
    kinds,
  )('R-kv R-handles R-files R-shell R-calculate R-librarian R-browser R-email: %s bombs end in time while others are answered', async (kind) => {
    const ofKind = bombs.filter((bomb) => bomb.kind === kind).slice(0, maxPerKind[kind] ?? 6);
    expect(ofKind.length).toBeGreaterThan(0);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const trickle = ordinaryCalls();
    delay.enable();
    for (const { name, tool, input } of ofKind) {
      const started = performance.now();
      const result = await helve.call(tool, input());
      expect(performance.now() - started, name).toBeLessThan(budgetMs);
      if (!result.ok) expect(result.error.code, name).not.toBe('internal');
    }
    delay.disable();
    const answered = await trickle.stop();
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.every(Boolean)).toBe(true);
    expect(delay.max / 1e6).toBeLessThan(2_000);
  });
});

function ordinaryCalls(): { stop(): Promise<boolean[]> } {
  let going = true;
  const calls = (async () => {
    const answered: boolean[] = [];
    while (going) {
      const result = await helve.call('calculate', { expression: '6 * 7' });
      answered.push(result.ok);
      await pause(20);
    }
    return answered;
  })();
  return {
    stop() {
      going = false;
      return calls;
    },
  };
}
