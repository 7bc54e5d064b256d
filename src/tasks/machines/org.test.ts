import { describe, expect, it } from 'vitest';
import type { ActorEvent, ActorSnapshot } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { statesOf, walk } from '../testing/walk.js';
import { orgMachine } from './org.js';

function after(input: JsonObject, ...events: readonly ActorEvent[]) {
  let snapshot: ActorSnapshot = orgMachine.initial(input);
  let told: readonly string[] = [];
  for (const event of events) {
    const [next, effects] = orgMachine.transition(JSON.parse(JSON.stringify(snapshot)), event);
    snapshot = next;
    told = effects.map((effect) => (effect.do === 'send' ? `${effect.to.id} ${effect.event.type}` : effect.do));
  }
  return { told, value: snapshot.value, context: snapshot.context };
}

const changed = (issue: string, state: string, more: JsonObject = {}) => ({
  type: 'ISSUE_CHANGED',
  issue,
  state,
  ...more,
});

describe('R-levels: an organisation', () => {
  it('R-machines: tells the issues that wait for an app when it is connected or lost, and no others', () => {
    const waiting = [changed('i1', 'blocked', { apps: ['GitHub'] }), changed('i2', 'blocked', { apps: ['slack'] })];
    const made = after({}, ...waiting, { type: 'CONNECTION_MADE', app: 'github', connection: 'c1' });
    expect(made).toMatchObject({ told: ['i1 TOOLS_CHANGED'], context: { connectedApps: ['github'], changes: 1 } });
    expect(after({}, ...waiting, { type: 'CONNECTION_LOST', app: 'SLACK' }).told).toEqual(['i2 TOOLS_CHANGED']);
    expect(after({}, ...waiting, changed('i1', 'preparing'), { type: 'CONNECTION_MADE', app: 'github' }).told).toEqual(
      [],
    );
  });

  it('R-machines: an app is connected until its last account is gone', () => {
    const accounts = ['c1', 'c2'].map((connection) => ({ type: 'CONNECTION_MADE', app: 'GitHub', connection }));
    const lost = (connection: string) => ({ type: 'CONNECTION_LOST', app: 'github', connection });
    expect(after({}, ...accounts, lost('c1')).context.connectedApps).toEqual(['github']);
    expect(after({}, ...accounts, lost('c1'), lost('c2')).context.connectedApps).toEqual([]);
    expect(
      after({ connectedApps: ['Slack'] }, { type: 'CONNECTION_LOST', app: 'slack' }).context.connectedApps,
    ).toEqual([]);
  });

  it('R-machines: an issue that looked before a connection was made, and says so afterwards, is woken once', () => {
    const made = { type: 'CONNECTION_MADE', app: 'github' };
    expect(after({}, made, changed('i', 'blocked', { apps: ['github'], seen: 0 })).told).toEqual(['i TOOLS_CHANGED']);
    // What it had read was up to date, so it would find the same again.
    expect(after({}, made, changed('i', 'blocked', { apps: ['github'], seen: 1 })).told).toEqual([]);
    expect(after({}, made, changed('i', 'blocked', { apps: ['github'] })).told).toEqual([]);
  });

  it('R-levels: refuses work over a limit, and wakes the issues in their order when there is room', () => {
    const input = { limits: { maxRunning: 1 } };
    const begun = [changed('i1', 'preparing'), changed('i2', 'preparing')];
    expect(after(input, ...begun)).toMatchObject({
      told: ['i2 WORK_REFUSED'],
      value: 'full',
      context: { running: ['i1'] },
    });
    const refused = [
      changed('i2', 'blocked', { limit: 'org' }),
      changed('i3', 'preparing'),
      changed('i3', 'blocked', { limit: 'org' }),
    ];
    const ended = after(input, ...begun, ...refused, changed('i1', 'done'));
    expect(ended).toMatchObject({ told: ['i2 TOOLS_CHANGED'], value: 'open' });
    expect(after(input, ...begun, ...refused, changed('i1', 'done'), changed('i2', 'preparing')).context).toMatchObject(
      {
        running: ['i2'],
        waiting: [{ issue: 'i3' }],
      },
    );
    const more = { type: 'CONFIGURED', limits: { maxRunning: 3 } };
    expect(after(input, ...begun, ...refused, more).told).toEqual(['i2 TOOLS_CHANGED', 'i3 TOOLS_CHANGED']);
  });

  it('R-levels: an issue that the project refused is not woken by room here', () => {
    expect(after({ limits: { maxRunning: 5 } }, changed('i', 'blocked', { limit: 'project' })).told).toEqual([]);
    expect(after({ limits: { maxRunning: 5 } }, changed('i', 'blocked', { limit: 'org' })).told).toEqual([
      'i TOOLS_CHANGED',
    ]);
  });

  it('R-levels: refuses work when the budget of the period is used up, until the next', () => {
    const input = { limits: { maxCents: 100 } };
    const used = { type: 'USAGE_ADDED', issue: 'i1', tokens: 5_000, cents: 100 };
    const refused = after(input, used, changed('i2', 'preparing'));
    expect(refused).toMatchObject({
      told: ['i2 WORK_REFUSED'],
      value: 'full',
      context: { billing: { tokens: 5_000, cents: 100 } },
    });
    const next = after(input, used, changed('i2', 'preparing'), { type: 'BILLING_PERIOD_STARTED' });
    expect(next).toMatchObject({ told: ['i2 TOOLS_CHANGED'], value: 'open', context: { billing: { cents: 0 } } });
    expect(after({}, used, changed('i2', 'preparing'))).toMatchObject({ told: [], value: 'open' });
  });

  it('R-machines: a period with a name begins once, and the first one keeps what was used', () => {
    const billingOf = (...events: readonly ActorEvent[]) => {
      const { billing, period } = after({}, ...events).context as { billing: { tokens: number }; period: string };
      return [billing.tokens, period];
    };
    const [used, month] = [
      { type: 'USAGE_ADDED', tokens: 5 },
      (period: string) => ({ type: 'BILLING_PERIOD_STARTED', period }),
    ];
    expect(billingOf(used, month('2026-11'))).toEqual([5, '2026-11']);
    expect(billingOf(used, month('2026-11'), month('2026-12'), used)).toEqual([5, '2026-12']);
    expect(billingOf(month('2026-12'), used, month('2026-12'), month('2026-11'), used)).toEqual([10, '2026-12']);
    expect(billingOf(month('2026-12'), used, { type: 'BILLING_PERIOD_STARTED' })).toEqual([0, '2026-12']);
  });

  it('R-machines: every event in every state keeps the limit', () => {
    const issues = ['i1', 'i2'];
    const events: readonly ActorEvent[] = [
      ...issues.flatMap((issue) => [
        changed(issue, 'preparing'),
        changed(issue, 'blocked', { apps: ['github'], seen: 0 }),
        changed(issue, 'blocked', { limit: 'org' }),
        changed(issue, 'failed'),
      ]),
      { type: 'CONNECTION_MADE', app: 'github', connection: 'c' },
      { type: 'USAGE_ADDED', tokens: 60 },
      { type: 'BILLING_PERIOD_STARTED' },
      { type: 'CONFIGURED', defaultTools: { disabled: ['twitter'] } },
    ];
    const steps = walk({
      machine: orgMachine,
      input: { id: 'o', limits: { maxRunning: 1, maxTokens: 100 } },
      events,
      isFar: ({ context }) => Number(context.changes) > 0 || (context.billing as { tokens: number }).tokens > 60,
    });
    expect(statesOf(steps)).toEqual(['full', 'open']);
    for (const { to } of steps) {
      const { running, waiting } = to.context as { running: string[]; waiting: { issue: string }[] };
      expect(running.length).toBeLessThanOrEqual(1);
      expect(new Set([...running, ...waiting.map(({ issue }) => issue)]).size).toBe(running.length + waiting.length);
    }
  });
});
