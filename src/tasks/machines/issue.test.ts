import { describe, expect, it } from 'vitest';
import type { ActorEffect, ActorEvent, ActorSnapshot } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { inWords } from '../testing/walk.js';
import { issueMachine } from './issue.js';

/** Sends the events one after the other, through JSON. */
function after(...events: readonly (string | ActorEvent)[]) {
  let snapshot: ActorSnapshot = issueMachine.initial({ id: 'i', org: 'o' });
  let effects: readonly ActorEffect[] = [];
  for (const event of events) {
    const sent = typeof event === 'string' ? { type: event } : event;
    [snapshot, effects] = issueMachine.transition(JSON.parse(JSON.stringify(snapshot)), sent);
  }
  return { snapshot, effects, state: inWords(snapshot), context: snapshot.context };
}

const toWork = ['ASSIGN_AGENT', 'TOOLS_READY'] as const;

describe('R-machines: an issue', () => {
  it('R-machines: goes from idle to done by the events of its picture', () => {
    expect(issueMachine.initial({})).toMatchObject({ value: 'idle', status: 'active', context: { attempts: 0 } });
    expect(after({ type: 'ASSIGN_AGENT', agent: 'coder' })).toMatchObject({
      state: 'preparing',
      context: { agent: 'coder' },
    });
    expect(after(...toWork)).toMatchObject({ state: 'executing.working', context: { attempts: 1 } });
    expect(after(...toWork, 'COMPLETED').state).toBe('verifying');
    const done = after(...toWork, { type: 'COMPLETED', result: { pr: 7 } }, { type: 'VERIFIED', evidence: ['green'] });
    expect(done.snapshot).toMatchObject({ value: 'done', status: 'done' });
    expect(done.context).toMatchObject({ delivered: { pr: 7 }, checks: { passed: true, evidence: ['green'] } });
    expect(done.effects).toContainEqual(expect.objectContaining({ do: 'work', name: 'report' }));
  });

  it('R-machines: is blocked while tools are missing, says by what, and looks again when they change', () => {
    const missing = { type: 'TOOLS_MISSING', missing: ['slack', { app: 'github', connectUrl: 'http://x/connect' }] };
    const { state, context, effects } = after('ASSIGN_AGENT', missing);
    expect(state).toBe('blocked');
    expect(context.blockedBy).toMatchObject([{ app: 'slack' }, { app: 'github', connectUrl: 'http://x/connect' }]);
    expect(effects.map((effect) => effect.do)).toEqual(['send', 'work']);
    expect(effects[0]).toMatchObject({ to: { kind: 'org', id: 'o' }, event: { apps: ['slack', 'github'] } });
    expect(after('ASSIGN_AGENT', missing, 'TOOLS_CHANGED')).toMatchObject({
      state: 'preparing',
      context: { blockedBy: [] },
    });
  });

  it('R-machines: looks again when tools change while it looks', () => {
    const { state, effects } = after('ASSIGN_AGENT', 'TOOLS_CHANGED');
    expect(state).toBe('preparing');
    expect(effects).toContainEqual(expect.objectContaining({ do: 'work', name: 'prepare' }));
  });

  it('R-machines: attempts again after a pause that grows, and fails after the last attempt', () => {
    const first = after(...toWork, { type: 'FAILED', attempt: 1, error: 'no' });
    expect(first).toMatchObject({
      state: 'executing.backing_off',
      context: { attempts: 2, lastError: { message: 'no' } },
    });
    expect(first.effects).toContainEqual(
      expect.objectContaining({ do: 'set_timer', name: 'back_off', delayMs: 10_000 }),
    );
    const events = [...toWork, 'FAILED', { type: 'BACK_OFF_OVER', attempt: 2 }];
    const second = after(...events);
    expect(second.state).toBe('executing.working');
    expect(second.effects).toContainEqual(
      expect.objectContaining({
        do: 'work',
        input: expect.objectContaining({ attempt: 2, reasons: ['The attempt failed'] }),
      }),
    );
    const third = after(...events, { type: 'TIMEOUT', attempt: 2 });
    expect(third).toMatchObject({
      state: 'executing.backing_off',
      context: { attempts: 3, lastError: { code: 'timeout' } },
    });
    expect(third.effects).toContainEqual(expect.objectContaining({ delayMs: 40_000 }));
    expect(third.effects).toContainEqual({ do: 'stop_work', name: 'execute' });
    expect(after(...events, 'TIMEOUT', 'FAILED')).toMatchObject({ state: 'failed', context: { attempts: 3 } });
    expect(after(...events, 'TIMEOUT', 'FAILED', 'RETRY')).toMatchObject({
      state: 'preparing',
      context: { attempts: 0 },
    });
  });

  it('R-machines: a rejection is an attempt, and the next one reads the reasons', () => {
    const rejected = { type: 'REJECTED', reasons: ['the tests fail'] };
    const again = after(...toWork, 'COMPLETED', rejected);
    expect(again).toMatchObject({ state: 'executing.working', context: { attempts: 2 } });
    expect(again.effects).toContainEqual(
      expect.objectContaining({
        name: 'execute',
        input: expect.objectContaining({ reasons: ['the tests fail'], attempt: 2 }),
      }),
    );
    const events = [...toWork, 'COMPLETED', rejected, 'COMPLETED', rejected, 'COMPLETED', rejected];
    expect(after(...events)).toMatchObject({
      state: 'failed',
      context: { attempts: 3, lastError: { code: 'rejected', message: 'the tests fail' } },
    });
  });

  it('R-machines: verification that takes too long is a rejection; a time-out of the attempt is not', () => {
    const late = { type: 'TIMEOUT', work: 'verify', attempt: 1 };
    const verifying = after(...toWork, 'COMPLETED');
    expect(verifying.effects).toContainEqual(
      expect.objectContaining({ name: 'verification', delayMs: 3_600_000, event: late }),
    );
    expect(after(...toWork, 'COMPLETED', late)).toMatchObject({
      state: 'executing.working',
      context: {
        attempts: 2,
        checks: { passed: false, reasons: [expect.stringMatching(/^Verification took longer/)] },
      },
    });
    // The work may have ended just before its time was over.
    expect(after(...toWork, 'COMPLETED', { type: 'TIMEOUT', attempt: 1 }).snapshot).toEqual(verifying.snapshot);
  });

  it('R-machines: an event about an earlier attempt changes nothing', () => {
    const events = [...toWork, { type: 'FAILED', attempt: 1 }, { type: 'BACK_OFF_OVER', attempt: 2 }];
    for (const type of ['COMPLETED', 'FAILED', 'TIMEOUT', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_ANSWER']) {
      expect(after(...events, { type, attempt: 1 }).snapshot, type).toEqual(after(...events).snapshot);
      expect(after(...events, { type, attempt: 1 }).effects, type).toEqual([]);
      expect(after(...events, { type, attempt: 2 }).snapshot, type).not.toEqual(after(...events).snapshot);
    }
  });

  it('R-machines: while a person is asked the time-out does not run, and then goes on where it stopped', () => {
    for (const type of ['WAITING_FOR_APPROVAL', 'WAITING_FOR_ANSWER']) {
      const asked = [...toWork, { type, spentMs: 60_000, waitsFor: { question: 'Which?' } }];
      expect(after(...asked).effects).toEqual([{ do: 'clear_timer', name: 'attempt' }]);
      expect(after(...asked, 'TIMEOUT').state).toBe(`executing.${type.toLowerCase()}`);
      const resumed = after(...asked, { type: 'RESUMED', answer: 'this one' });
      expect(resumed).toMatchObject({ state: 'executing.working', context: { attempts: 1 } });
      expect(resumed.effects).toEqual([
        expect.objectContaining({ do: 'work', input: expect.objectContaining({ attempt: 1, answer: 'this one' }) }),
        expect.objectContaining({ do: 'set_timer', delayMs: 30 * 60_000 - 60_000 }),
      ]);
    }
  });

  it('R-machines: work that the host gave up ends its own state and no other', () => {
    expect(after('ASSIGN_AGENT', { type: 'WORK_FAILED', work: 'prepare', message: 'x' }).state).toBe('failed');
    expect(after('ASSIGN_AGENT', { type: 'WORK_FAILED', work: 'report' }).state).toBe('preparing');
    expect(after(...toWork, { type: 'WORK_FAILED', work: 'execute' }).context.attempts).toBe(2);
    expect(after(...toWork, { type: 'WORK_FAILED', work: 'report' }).context.attempts).toBe(1);
    expect(after(...toWork, 'COMPLETED', { type: 'WORK_FAILED', work: 'verify' }).state).toBe('failed');
  });

  it('R-machines: use is added up, and the organisation hears what verification used: it knows the use of attempts already', () => {
    const usage = { steps: 3, tokens: 900, cents: 1.5 };
    const used = { type: 'USAGE_ADDED', usage };
    const told = { do: 'send', to: { kind: 'org', id: 'o' }, event: { type: 'USAGE_ADDED', issue: 'i', ...usage } };
    const worked = [...toWork, used, 'FAILED', 'BACK_OFF_OVER', 'COMPLETED', used];
    expect(after(...worked).context.usage).toEqual({ steps: 6, tokens: 1_800, cents: 3 });
    expect(after(...worked).effects).not.toContainEqual(told);
    const verified = after(...worked, { type: 'VERIFIED', usage });
    expect(verified.context.usage).toEqual({ steps: 9, tokens: 2_700, cents: 4.5 });
    expect(verified.effects).toContainEqual(told);
  });

  it('R-machines: changed limits leave the others as they are', () => {
    const { context } = after({ type: 'CONFIGURED', limits: { maxAttempts: 5 }, project: 'p' });
    expect(context).toMatchObject({ org: 'o', project: 'p', limits: { maxAttempts: 5, maxSteps: 100 } });
  });

  it('R-machines: an issue that goes to another project leaves the board of the one before, and says what it does', () => {
    const move = { type: 'CONFIGURED', project: 'new' };
    const to = (project: string, event: JsonObject) => ({ do: 'send', to: { kind: 'project', id: project }, event });
    const change = { type: 'ISSUE_CHANGED', issue: 'i', apps: [], limit: null, seen: null };
    expect(after({ type: 'CONFIGURED', project: 'p' }, move).effects).toEqual([
      to('p', { type: 'ISSUE_LEFT', issue: 'i' }),
      to('new', { ...change, state: 'idle' }),
    ]);
    expect(after(...toWork, move).effects).toEqual([to('new', { ...change, state: 'executing' })]);
    expect(after(move, move).effects).toEqual([]);
    expect(after(move, { type: 'CONFIGURED', limits: { maxAttempts: 5 } }).effects).toEqual([]);
  });

  it('R-machines: a malformed event is refused', () => {
    expect(() => after({ type: 'TOOLS_MISSING', missing: 7 })).toThrow(/TOOLS_MISSING is malformed/);
    expect(() => issueMachine.initial({ limits: { maxAttempts: 0 } })).toThrow(/input is malformed/);
  });
});
