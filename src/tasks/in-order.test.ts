import { describe, expect, it } from 'vitest';
import type { ActorEvent } from '../domain/actor-host.js';
import { machines } from './machines/index.js';

/** The pull request after the events, as JSON between them, as a host keeps it. */
function after(...events: readonly ActorEvent[]) {
  let snapshot = machines.pr.initial({ id: 'github:acme/shop#2', head: 'a' });
  for (const event of events) snapshot = machines.pr.transition(JSON.parse(JSON.stringify(snapshot)), event)[0];
  return snapshot;
}
const check = (state: string, order: string, more = {}) => ({
  type: 'CHECK_UPDATED',
  name: 'ci',
  state,
  order,
  ...more,
});

describe('R-machines: events of webhooks in any order', () => {
  it('an older state of a check never overwrites a newer one, and the same one is applied once', () => {
    const checks = (...events: readonly ActorEvent[]) => after(...events).context.checks;
    const [red, green] = [check('failure', '2026-01-01T00:00:02Z x'), check('success', '2026-01-01T00:00:03Z y')];
    expect(checks(red, green)).toEqual({ ci: 'success' });
    expect(checks(green, red)).toEqual({ ci: 'success' });
    // Of one time, the one that comes last counts; one that has come already does not.
    expect(checks(green, check('failure', '2026-01-01T00:00:03Z z'))).toEqual({ ci: 'failure' });
    expect(checks(green, check('failure', '2026-01-01T00:00:03Z y'))).toEqual({ ci: 'success' });
    // Others are not held back by it, and without an order all are applied.
    expect(checks(green, { ...red, name: 'lint' })).toEqual({ ci: 'success', lint: 'failure' });
    expect(checks(green, { type: 'CHECK_UPDATED', name: 'ci', state: 'failure' })).toEqual({ ci: 'failure' });
  });

  it('a pull request that was reopened is not closed by a late delivery', () => {
    const closed = { type: 'CLOSED', order: '2026-01-01T00:00:02Z a' };
    const reopened = { type: 'REOPENED', order: '2026-01-01T00:00:03Z b' };
    expect(after(closed).value).toBe('closed');
    expect(after(closed, reopened).value).toBe('open');
    expect(after(closed, reopened, closed).value).toBe('open');
  });

  it('keeps the checks of commits that it is not told of yet', () => {
    const early = check('success', '2026-01-01T00:00:03Z a', { head: 'b' });
    expect(after(check('failure', '2026-01-01T00:00:01Z z', { head: 'a' }), early).context.checks).toEqual({
      ci: 'failure',
    });
    const pushed = { type: 'COMMITS_PUSHED', head: 'b', order: '2026-01-01T00:00:02Z p' };
    expect(after(early, pushed).context).toMatchObject({ head: 'b', checks: { ci: 'success' } });
    const stale = { type: 'COMMITS_PUSHED', head: 'a', order: '2026-01-01T00:00:01Z o' };
    expect(after(early, pushed, stale).context).toMatchObject({ head: 'b' });
  });
});
