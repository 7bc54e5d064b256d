/**
 * What is explained is what happens, for generated configurations and for all small ones. A run of the tests takes always the
 * same few, a long one (`rounds`) many others.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layers } from '../../domain/explain.js';
import { rounds } from '../../testing/rounds.js';
import {
  compareCase,
  compareOpen,
  compareReplay,
  createReached,
  generatedCase,
  narrowingCase,
  narrowings,
  openCase,
  type ReplayCounts,
  refuteNarrowing,
  replayCase,
  smallCalls,
  smallWorlds,
} from './testing/explain-cases.js';
import { compareCall, createWorld, explainIn, type World } from './testing/explain-world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.helve.close());

const numRuns = rounds(60, 2_000);
const sampled = { numRuns, ...rounds({ seed: 20 }, {}) };
const patient = { timeout: numRuns * 1_000 + 60_000 };

test(
  'R-explain: for generated configurations and calls, the explanation is what the pipeline then does',
  patient,
  async () => {
    const reached = createReached();
    await fc.assert(
      fc.asyncProperty(generatedCase, (one) => compareCase(world, one, { reached })),
      sampled,
    );
    // The control of the generator: each layer has decided a call.
    const unreached = layers.filter((layer) => (reached.layers.get(layer) ?? 0) < 1);
    expect(unreached).toEqual([]);
  },
);

describe('controls', () => {
  test.each(layers)('R-explain: an explanation without its layer %s is found to be wrong', patient, async (layer) => {
    const explain = explainIn(world);
    const blind: typeof explain = async (call) => {
      const said = await explain(call);
      return { ...said, steps: said.steps.filter((step) => step.layer !== layer) };
    };
    const outcome = await fc.check(
      fc.asyncProperty(generatedCase, (one) => compareCase(world, one, { explain: blind })),
      { numRuns: 500, seed: 20, endOnFailure: true },
    );
    expect(String(outcome.errorInstance)).toContain('the steps do not lead to the verdict');
  });
});

test(
  'R-explain: what is said of all calls of a tool holds for each, and the list of tools agrees',
  patient,
  async () => {
    let unknown = 0;
    await fc.assert(
      fc.asyncProperty(openCase, async (one) => {
        unknown += await compareOpen(world, one);
      }),
      sampled,
    );
    // It would also hold if nothing were said, or nothing were open.
    expect(unknown / numRuns).toBeGreaterThan(0.02);
    expect(unknown / numRuns).toBeLessThan(1);
  },
);

test('R-explain: a replay of policies says what they then do to the same calls', patient, async () => {
  const counts: ReplayCounts = { same: 0, newlyWaiting: 0, newlyRefused: 0, newlyFree: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(replayCase, (one) => compareReplay(world, one, counts)),
    sampled,
  );
  const { unknown, ...known } = counts;
  expect(Object.values(known)).not.toContain(0);
  // Only of calls that may have named no account.
  expect(unknown).toBeLessThan(known.same / 4);
});

test('R-explain: no sequence of acts that take something away lets a refused call pass', patient, async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(narrowingCase, async (one) => {
      refused += await refuteNarrowing(world, one);
    }),
    sampled,
  );
  expect(refused).toBeGreaterThan(numRuns / 2);
  expect(Object.keys(narrowings)).toHaveLength(11);
});

test('R-explain: all policies of length two or less in a small world are explained as they act', patient, async () => {
  const seen = new Set<string>();
  for (const setup of smallWorlds) {
    await world.setUp(setup);
    for (const call of smallCalls) seen.add((await compareCall(world, call)).verdict);
  }
  expect([smallWorlds.length * smallCalls.length, [...seen].toSorted()]).toEqual([
    157 * 16,
    ['allow', 'deny', 'require_approval'],
  ]);
});
