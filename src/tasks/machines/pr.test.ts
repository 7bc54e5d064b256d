import { describe, expect, it } from 'vitest';
import type { ActorEffect, ActorEvent, ActorSnapshot } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { prMachine } from './pr.js';

interface Mergeability {
  readonly can: boolean;
  readonly why: readonly string[];
  readonly told: boolean;
  readonly error: string | null;
}

function after(input: JsonObject, ...events: readonly ActorEvent[]) {
  let snapshot: ActorSnapshot = prMachine.initial({ id: 'pr', issue: 'i', ...input });
  let effects: readonly ActorEffect[] = [];
  for (const event of events) [snapshot, effects] = prMachine.transition(JSON.parse(JSON.stringify(snapshot)), event);
  return {
    effects,
    value: snapshot.value,
    context: snapshot.context,
    ...(snapshot.context.mergeability as unknown as Mergeability),
  };
}

const check = (state: string, name = 'ci') => ({ type: 'CHECK_UPDATED', name, state });
const review = (verdict: string, reviewer = 'ann') => ({ type: 'REVIEW_SUBMITTED', reviewer, verdict });
const free = { type: 'CONFLICTS_CHECKED', mergeable: true };
const ready = [check('success'), review('approved'), free];
const merge = { type: 'MERGE' };
const startsMerge = { do: 'work', name: 'merge', input: { pr: 'pr', head: null, order: null } };

describe('R-levels: a pull request', () => {
  it('R-machines: says whether it can be merged, or each reason why not', () => {
    expect(after({}, ...ready)).toMatchObject({ can: true, why: [] });
    const blocked = after(
      { draft: true, requiredApprovals: 2, requiredChecks: ['lint'] },
      check('failure'),
      check('pending', 'e2e'),
      review('changes_requested'),
      { type: 'CONFLICTS_CHECKED', mergeable: false },
    );
    expect(blocked.why).toEqual([
      'It is a draft',
      'It has conflicts',
      'Changes are requested by ann',
      'Approvals missing: 2',
      'Checks failed: ci',
      'Checks not ended: e2e, lint',
    ]);
    expect(after({}, ...ready, review('dismissed')).can).toBe(false);
    expect(after({}, ...ready, review('commented')).can).toBe(true);
  });

  it('R-machines: merges only where told', () => {
    expect(after({}, ...ready)).toMatchObject({ value: 'open', effects: [] });
    expect(after({}, ...ready, merge)).toMatchObject({ value: 'merging', effects: [startsMerge] });
    expect(after({}, ...ready, merge, { type: 'MERGED' })).toMatchObject({ value: 'merged', why: ['It is merged'] });
    expect(after({ autoMerge: true }, ...ready)).toMatchObject({ value: 'merging', effects: [startsMerge] });
  });

  it('R-machines: told too early it does not merge later, unless it was told to wait', () => {
    expect(after({}, merge, ...ready)).toMatchObject({ value: 'open', told: false });
    const whenReady = { ...merge, whenReady: true };
    expect(after({}, whenReady, ...ready).value).toBe('merging');
    expect(after({}, whenReady, { type: 'MERGE_CALLED_OFF' }, ...ready).value).toBe('open');
    // Other commits than those that were to be merged.
    expect(after({}, whenReady, { type: 'COMMITS_PUSHED', head: 'b' }, ...ready).value).toBe('open');
  });

  it('R-machines: is merged for whoever told so, and by itself for whoever said that', () => {
    const [ann, bob] = [{ by: { id: 'ann' } }, { by: { id: 'bob' } }];
    const orderOf = ({ effects }: ReturnType<typeof after>) =>
      effects.flatMap((effect) => (effect.do === 'work' ? [effect.input.order] : []));
    const byBob = { type: 'CONFIGURED', autoMerge: true, autoMergeOrder: bob };
    expect(orderOf(after({}, ...ready, { ...merge, order: ann }))).toEqual([ann]);
    expect(orderOf(after({}, { ...merge, whenReady: true, order: ann }, ...ready))).toEqual([ann]);
    expect(orderOf(after({}, byBob, ...ready))).toEqual([bob]);
    expect(orderOf(after({}, byBob, { ...merge, whenReady: true, order: ann }, ...ready))).toEqual([ann]);
    // The order was for other commits.
    const pushed = { type: 'COMMITS_PUSHED', head: 'b' };
    const whenReady = { ...merge, whenReady: true, order: ann };
    expect(orderOf(after({}, whenReady, pushed, byBob, ...ready))).toEqual([bob]);
    const failed = after({}, ...ready, { ...merge, order: ann }, { type: 'MERGE_FAILED' });
    expect(failed.context.order).toBe(null);
  });

  it('R-machines: a merge that fails is not tried again by itself', () => {
    const failed = after({ autoMerge: true }, ...ready, { type: 'MERGE_FAILED', error: 'protected' });
    expect(failed).toMatchObject({ value: 'open', told: false, error: 'protected' });
    expect(after({}, ...ready, merge, { type: 'WORK_FAILED', work: 'merge', message: 'gone' })).toMatchObject({
      value: 'open',
      error: 'gone',
    });
    expect(after({}, ...ready, merge, { type: 'MERGE_FAILED' }, merge).value).toBe('merging');
  });

  it('R-machines: new commits stop a merge and are checked and reviewed again', () => {
    const pushed = after({ head: 'a' }, ...ready, merge, { type: 'COMMITS_PUSHED', head: 'b' });
    expect(pushed).toMatchObject({ value: 'open', can: false, context: { head: 'b', checks: { ci: 'pending' } } });
    expect(pushed.effects).toContainEqual({ do: 'stop_work', name: 'merge' });
    const late = { ...check('success'), head: 'a' };
    expect(after({ head: 'a' }, check('failure'), { type: 'COMMITS_PUSHED', head: 'b' }, late).context.checks).toEqual({
      ci: 'pending',
    });
  });

  it('attack: an approval of earlier commits, given after a push, does not let the new commits be merged', () => {
    const approved = { ...review('approved'), head: 'a' };
    const pushed = [{ type: 'COMMITS_PUSHED', head: 'b' }, check('success'), free, approved];
    expect(after({ head: 'a', autoMerge: true }, ...pushed)).toMatchObject({
      value: 'open',
      why: ['Approvals missing: 1'],
    });
    expect(after({ head: 'a', autoMerge: true }, ...pushed, { ...approved, head: 'b' }).value).toBe('merging');
    // But the reviewer no longer wants changes.
    const { context } = after({ head: 'b' }, review('changes_requested'), approved);
    expect(context.review).toEqual({ approvals: [], changesRequested: [] });
  });

  it('R-machines: a push that is told twice, by a delivery and by reading it, was one push', () => {
    const pushed = { type: 'COMMITS_PUSHED', head: 'b' };
    const told = after({ head: 'a' }, pushed, ...ready, merge);
    expect(told.value).toBe('merging');
    expect(after({ head: 'a' }, pushed, ...ready, merge, pushed)).toMatchObject({
      value: 'merging',
      effects: [],
      context: { checks: { ci: 'success' }, review: { approvals: ['ann'] } },
    });
  });

  it('R-machines: is read again when it is time, in the middle of a merge as well', () => {
    const look = { do: 'work', name: 'look', input: { pr: 'pr' } };
    expect(after({}, { type: 'LOOK' })).toMatchObject({ value: 'open', effects: [look] });
    expect(after({}, ...ready, merge, { type: 'LOOK' })).toMatchObject({ value: 'merging', effects: [look] });
    const failed = { type: 'WORK_FAILED', work: 'look', message: 'gone' };
    expect(after({}, ...ready, merge, { type: 'LOOK' }, failed).value).toBe('merging');
    expect(after({}, ...ready, merge, { type: 'MERGED' }, { type: 'LOOK' }).effects).toEqual([]);
  });

  it('R-machines: checks of which none has reported have not ended', () => {
    const told = after({ issue: null }, { type: 'CONFIGURED', issue: 'i' }).effects;
    expect(told).toMatchObject([{ event: { type: 'CHECKS_CHANGED', state: 'pending' } }]);
    expect(after({}, check('success')).effects).toMatchObject([{ event: { state: 'success' } }]);
  });

  it('R-machines: tells its issue about the checks, once for each change', () => {
    const told = (...events: readonly ActorEvent[]) => after({ requiredChecks: ['ci', 'lint'] }, ...events).effects;
    const message = (state: string, failed: readonly string[] = []) => [
      { do: 'send', to: { kind: 'issue', id: 'i' }, event: { type: 'CHECKS_CHANGED', pr: 'pr', state, failed } },
    ];
    expect(told(check('success'))).toEqual([]);
    expect(told(check('success'), check('success', 'lint'))).toEqual(message('success'));
    expect(told(check('failure'))).toEqual(message('failure', ['ci']));
    expect(told(check('failure'), check('failure'))).toEqual([]);
    expect(told(check('failure'), check('failure', 'lint'))).toEqual(message('failure', ['ci', 'lint']));
  });
});
