import { beforeAll, describe, expect, it } from 'vitest';
import type { ActorSnapshot } from '../../domain/actor-host.js';
import { expectEqual } from '../../testing/expect-equal.js';
import { describeMachine } from '../describe-machine.js';
import { inWords, type Step, statesOf, walk } from '../testing/walk.js';
import { issueMachine, issueStatechart } from './issue.js';

describe('R-machines: every event in every state of an issue', () => {
  const attempts = [1, 2].flatMap((attempt) => [
    { type: 'FAILED', attempt },
    { type: 'TIMEOUT', attempt },
    { type: 'BACK_OFF_OVER', attempt },
  ]);
  const works = ['prepare', 'execute', 'verify'].map((work) => ({ type: 'WORK_FAILED', work }));
  const bare = [
    'ASSIGN_AGENT UNASSIGN TOOLS_READY TOOLS_MISSING TOOLS_CHANGED WORK_REFUSED COMPLETED FAILED TIMEOUT BACK_OFF_OVER',
    'WAITING_FOR_APPROVAL WAITING_FOR_ANSWER RESUMED VERIFIED REJECTED RETRY CANCEL CONFIGURED',
  ].flatMap((types) => types.split(' ').map((type) => ({ type })));
  const checks = [
    { type: 'CHECKS_CHANGED', pr: 'p', state: 'failure' },
    { type: 'TIMEOUT', work: 'verify' },
    { type: 'WAITING_FOR_PERSON', asks: [{ check: 0 }] },
    { type: 'CHECK_DECIDED', check: 0, accepted: true },
    { type: 'CHECK_DECIDED', check: 1, accepted: true },
  ];
  const input = { id: 'i', org: 'o', project: 'p', limits: { maxAttempts: 2 } };
  let steps: readonly Step[] = [];
  beforeAll(() => {
    steps = walk({ machine: issueMachine, input, events });
  });
  const events = [...bare, ...attempts, ...works, ...checks, { type: 'TOOLS_MISSING', missing: ['github'], seen: 1 }];
  const when = (type: string) => steps.filter(({ event }) => event.type === type);
  const outer = ({ value }: ActorSnapshot) => (typeof value === 'string' ? value : Object.keys(value)[0]);

  it('R-machines: reaches every state', () => {
    expect(statesOf(steps)).toEqual([
      'blocked',
      'cancelled',
      'done',
      'executing.backing_off',
      'executing.waiting_for_answer',
      'executing.waiting_for_approval',
      'executing.working',
      'failed',
      'idle',
      'preparing',
      'verifying',
    ]);
  });

  it('R-machines: never has more attempts than allowed', () => {
    expect(Math.max(...steps.map(({ to }) => Number(to.context.attempts)))).toBe(2);
    expect(Math.min(...steps.map(({ to }) => Number(to.context.attempts)))).toBe(0);
  });

  it('R-machines: is cancelled from everywhere except done, and loses its agent likewise', () => {
    for (const { from, to } of when('CANCEL')) expect(outer(to)).toBe(from.value === 'done' ? 'done' : 'cancelled');
    for (const { from, to } of when('UNASSIGN')) {
      expect(outer(to)).toBe(from.value === 'done' ? 'done' : 'idle');
      if (from.value !== 'done') expect(to.context.agent).toBeNull();
    }
  });

  it('R-machines: changes its state only by the arrows of its picture', () => {
    const arrows = [...new Set(steps.map(({ from, to, event }) => `${outer(from)} ${event.type} ${outer(to)}`))]
      .filter((arrow) => arrow.split(' ')[0] !== arrow.split(' ')[2])
      .filter((arrow) => !/ (?:CANCEL|UNASSIGN) /.test(arrow))
      .sort();
    expect(arrows).toEqual([
      'blocked ASSIGN_AGENT preparing',
      'blocked TOOLS_CHANGED preparing',
      'cancelled ASSIGN_AGENT preparing',
      'cancelled RETRY preparing',
      'executing COMPLETED verifying',
      'executing FAILED failed',
      'executing TIMEOUT failed',
      'executing TOOLS_MISSING blocked',
      'executing WORK_FAILED failed',
      'executing WORK_REFUSED blocked',
      'failed ASSIGN_AGENT preparing',
      'failed RETRY preparing',
      'idle ASSIGN_AGENT preparing',
      'preparing TOOLS_MISSING blocked',
      'preparing TOOLS_READY executing',
      'preparing WORK_FAILED failed',
      'preparing WORK_REFUSED blocked',
      'verifying REJECTED executing',
      'verifying REJECTED failed',
      'verifying TIMEOUT executing',
      'verifying TIMEOUT failed',
      'verifying VERIFIED done',
      'verifying WORK_FAILED failed',
    ]);
  });

  it('R-machines: the description has every change of state that happens, and its states are those that are reached', () => {
    const { states, transitions } = describeMachine('issue', issueStatechart);
    const first = (id: string): string => {
      const inner = states.find(({ within, isFirst }) => within === id && isFirst);
      return inner ? first(inner.id) : id;
    };
    const around = (id: string) => [id, ...(id.includes('.') ? [id.slice(0, id.indexOf('.'))] : [])];
    const described = new Set(transitions.map(({ from, to, event }) => `${from} ${event} ${first(to)}`));
    const happened = steps.filter(({ from, to }) => inWords(from) !== inWords(to));
    const unknown = happened.filter(
      ({ from, to, event }) =>
        !around(inWords(from)).some((each) => described.has(`${each} ${event.type} ${inWords(to)}`)),
    );
    expect(unknown.map(({ from, to, event }) => `${inWords(from)} ${event.type} ${inWords(to)}`)).toEqual([]);
    const leaves = states.filter(({ id }) => !states.some(({ within }) => within === id));
    expect(leaves.map(({ id }) => id).sort()).toEqual(statesOf(steps));
    expect(states.filter(({ isFinal }) => isFinal).map(({ id }) => id)).toEqual(['done']);
    expect(states.filter(({ isFirst }) => isFirst).map(({ id }) => id)).toEqual(['idle', 'executing.working']);
  });

  it('R-machines: works and has timers in the states for them, and in no other', () => {
    const active = new Map<string, Set<string>>([[JSON.stringify(issueMachine.initial(input)), new Set()]]);
    const expected: Record<string, readonly string[]> = {
      preparing: ['work prepare'],
      'executing.working': ['timer attempt', 'work execute'],
      'executing.backing_off': ['timer back_off'],
      verifying: ['timer verification', 'work verify'],
    };
    // In the order of the walk, each state is left after it was reached.
    for (const step of steps) {
      const before = active.get(JSON.stringify(step.from)) ?? new Set();
      const now = runs(before, step);
      // While a person is asked, nothing runs.
      const isAsked = step.event.type === 'WAITING_FOR_PERSON' && step.to.value === 'verifying';
      const wanted = isAsked ? [] : (expected[inWords(step.to)] ?? []);
      if (step.effects.length > 0) expectEqual([...now].sort(), wanted, `${inWords(step.from)} ${step.event.type}`);
      if (!active.has(JSON.stringify(step.to))) active.set(JSON.stringify(step.to), now);
    }
  });

  /** What runs after a step. Work ends by itself with the event that it returns. */
  function runs(before: ReadonlySet<string>, { event, effects }: Step): Set<string> {
    const now = new Set(before);
    const ends: Record<string, string> = {
      TOOLS_READY: 'prepare',
      TOOLS_MISSING: 'prepare',
      COMPLETED: 'execute',
      FAILED: 'execute',
      WAITING_FOR_APPROVAL: 'execute',
      WAITING_FOR_ANSWER: 'execute',
      VERIFIED: 'verify',
      REJECTED: 'verify',
      WAITING_FOR_PERSON: 'verify',
    };
    const ended = ends[event.type] ?? (event.type === 'WORK_FAILED' ? event.work : undefined);
    if (ended) now.delete(`work ${ended}`);
    if (event.type === 'TIMEOUT') now.delete(event.work === 'verify' ? 'timer verification' : 'timer attempt');
    if (event.type === 'BACK_OFF_OVER') now.delete('timer back_off');
    for (const effect of effects) {
      if (effect.do === 'work' && effect.name !== 'report') now.add(`work ${effect.name}`);
      if (effect.do === 'stop_work') now.delete(`work ${effect.name}`);
      if (effect.do === 'set_timer') now.add(`timer ${effect.name}`);
      if (effect.do === 'clear_timer') now.delete(`timer ${effect.name}`);
    }
    return now;
  }
});
