import { expect, test } from 'vitest';
import type { ActorEvent } from '../../domain/actor-host.js';
import { statesOf, walk } from '../testing/walk.js';
import { prMachine } from './pr.js';

const check = (state: string) => ({ type: 'CHECK_UPDATED', name: 'ci', state });

test('R-machines: every event in every state; what is merged stays merged, and only what can be merged is', () => {
  const bare =
    'READY_FOR_REVIEW CONVERTED_TO_DRAFT COMMITS_PUSHED MERGE_CALLED_OFF MERGED MERGE_FAILED CLOSED REOPENED';
  const events: readonly ActorEvent[] = [
    check('success'),
    check('failure'),
    { type: 'REVIEW_SUBMITTED', reviewer: 'ann', verdict: 'approved' },
    { type: 'CONFLICTS_CHECKED', mergeable: true },
    { type: 'MERGE' },
    { type: 'MERGE', whenReady: true },
    { type: 'CONFIGURED', autoMerge: true },
    { type: 'WORK_FAILED', work: 'merge' },
    ...bare.split(' ').map((type) => ({ type })),
  ];
  const steps = walk({ machine: prMachine, input: { id: 'pr', issue: 'i' }, events });
  expect(statesOf(steps)).toEqual(['closed', 'merged', 'merging', 'open']);
  for (const { from, event, to, effects } of steps) {
    const { can, told } = to.context.mergeability as { can: boolean; told: boolean };
    const begins = effects.some((effect) => effect.do === 'work');
    expect(begins, event.type).toBe(from.value !== 'merging' && to.value === 'merging');
    if (begins) expect(can && (told || to.context.autoMerge)).toBe(true);
    const wasLeft = from.value === 'merging' && to.value !== 'merging';
    if (wasLeft && !['MERGED', 'MERGE_FAILED', 'WORK_FAILED'].includes(event.type))
      expect(effects).toContainEqual({ do: 'stop_work', name: 'merge' });
  }
});
