/** A limit that is changed keeps its count, and many keys cost no more each than a few. */
import { expect, test, vi } from 'vitest';
import { createCounter } from './counters.js';
import { createRateLimits } from './index.js';

const scene = () => {
  const limits = createRateLimits({ perTool: null });
  return async (calls: number, more: { readonly policyId?: string; readonly seconds?: number } = {}) => {
    const policies = [{ policyId: 'p', seconds: 3_600, ...more, calls }];
    const call = { workspaceId: 'w', principalId: 'a', tool: 't', policies };
    const foreseen = await limits.foresee.admitCall(call).then(
      () => 'admitted',
      () => 'refused',
    );
    const made = await limits.admitCall(call).then(
      () => 'admitted',
      () => 'refused',
    );
    expect(foreseen).toBe(made);
    return made;
  };
};

test('R-limits: a limit that is lowered lets no further call through', async () => {
  const ask = scene();
  expect([await ask(2), await ask(2), await ask(2)]).toEqual(['admitted', 'admitted', 'refused']);
  expect([await ask(1), await ask(1)]).toEqual(['refused', 'refused']);
  // The control: another policy, and another period, count for themselves.
  expect([await ask(1, { policyId: 'q' }), await ask(1, { seconds: 60 })]).toEqual(['admitted', 'admitted']);
});

test('R-limits: a limit that is raised lets calls through immediately, however many were refused before', async () => {
  const ask = scene();
  for (const expected of ['admitted', 'refused', 'refused', 'refused']) expect(await ask(1)).toBe(expected);
  expect([await ask(2), await ask(2)]).toEqual(['admitted', 'refused']);
});

test('attack: a flood of addresses is not looked through for each of them', async () => {
  const counter = createCounter(
    { name: 'address', limit: 60, seconds: 60 },
    { take: async () => ({ granted: 1, left: 59, endsInMs: 60_000 }) },
  );
  // Each that is new reads the clock twice, and each look through all of them once.
  const clock = vi.spyOn(performance, 'now');
  for (let at = 0; at < 5_000; at++) await counter.consume(`address ${at}`);
  expect(clock.mock.calls.length).toBeLessThan(10_100);
  clock.mockRestore();
});
