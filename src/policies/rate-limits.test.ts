/** A limit that is changed keeps its count. */
import { expect, test } from 'vitest';
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

test('R-limits: a limit that is raised lets calls through at once, however many were refused before', async () => {
  const ask = scene();
  for (const expected of ['admitted', 'refused', 'refused', 'refused']) expect(await ask(1)).toBe(expected);
  expect([await ask(2), await ask(2)]).toEqual(['admitted', 'refused']);
});
