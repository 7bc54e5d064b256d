/** When the stages of a call ended: in the row of its end, and in the answer about one call. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callStages, readStages } from '../../domain/stages.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { createStageClock } from './stage-clock.js';

describe('in the record', () => {
  let helve: TestHelve;
  beforeAll(async () => {
    const slow = testTool({
      name: 'slow',
      async execute() {
        await delay(60);
        return {};
      },
    });
    const read = testTool({
      name: 'look',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    helve = await createTestHelve({
      nativeToolkits: [],
      tools: [slow, read, testTool({ name: 'other' })],
      granted: ['slow', 'look'],
    });
  });
  afterAll(() => helve.close());

  const stagesOf = async (call: Promise<{ executionId: string }>) => {
    const { executionId } = await call;
    const { stages, outcome } = await helve.plane.getCall(helve.admin, executionId, {});
    return { stages, ends: outcome?.stages as (number | null)[] };
  };

  test('R-audit R-panel: each stage has its time, and the tool the longest', async () => {
    const { stages, ends } = await stagesOf(helve.call('slow'));
    expect(stages?.map(({ stage }) => stage)).toEqual(callStages);
    expect(ends).toEqual(ends.toSorted((one, other) => Number(one) - Number(other)));
    const longest = stages?.toSorted((one, other) => other.ms - one.ms)[0];
    expect(longest).toMatchObject({ stage: 'execute' });
    expect(longest?.ms).toBeGreaterThan(50);
    expect(longest?.ms).toBeLessThan(Number(ends.at(-1)) / 1_000 + 0.001);
  });

  test('R-audit: a read that stays here has no row of its start before it runs, so no time for one', async () => {
    const { stages, ends } = await stagesOf(helve.call('look'));
    expect(ends[6]).toBeNull();
    expect(stages?.map(({ stage }) => stage)).toEqual(callStages.filter((stage) => stage !== 'record'));
  });

  test('R-audit: the last stage of a refused call is the one that refused', async () => {
    const refused = await stagesOf(helve.call('other'));
    expect(refused.stages?.at(-1)?.stage).toBe('authorise');
    const unknown = await stagesOf(helve.call('nothing'));
    expect(unknown.stages?.at(-1)?.stage).toBe('resolve');
  });

  test('R-audit: rows with and without times are one chain', async () => {
    const old = {
      type: 'execution.finished',
      at: '2026-01-01T00:00:00.000Z',
      actor: helve.agent,
      executionId: 'old',
    } as const;
    await helve.storage.commit([
      {
        workspaceId: helve.workspaceId,
        events: [{ ...old, tool: 'Custom.slow', body: { status: 'ok', durationMs: 3 } }],
      },
    ]);
    expect(await helve.plane.getCall(helve.admin, 'old', {})).not.toHaveProperty('stages');
    expect(await helve.plane.verifyAudit(helve.admin)).toMatchObject({ ok: true });
  });
});

test('R-audit: a call that is authorised again has the times of its last round', () => {
  const clock = createStageClock();
  for (const stage of ['admit', 'resolve', 'validate', 'authorise', 'approve', 'limit', 'resolve'] as const)
    clock.end(stage);
  expect(clock.ends()).toHaveLength(2);
  clock.end('validate');
  clock.end('authorise');
  clock.end('approve');
  clock.end('execute');
  expect(readStages(clock.ends()).map(({ stage }) => stage)).toEqual([
    'admit',
    'resolve',
    'validate',
    'authorise',
    'approve',
    'execute',
  ]);
});

test.each([[undefined], ['no list'], [[]], [[null, 'x', {}]]])('R-audit: %j in a row is no time', (ends) => {
  expect(readStages(ends)).toEqual([]);
});
