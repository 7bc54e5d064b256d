// Explanations against the pipeline: generated configurations and calls, replays of policies, sequences of acts that
// revoke something, all small worlds, and controls that remove one layer each. Then their speed on a long record. node
// bench/explain/run.js [configurations] [recorded calls] It ends with an error for a difference, for a layer that
// decided fewer than 100 calls, and for a control that finds nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [configurations = 10_000, recorded = 100_000] = process.argv.slice(2).map(Number);
const cases = await import(new URL('plane/acts/testing/explain-cases.js', root));
const { compareCall, createWorld, explainIn } = await import(new URL('plane/acts/testing/explain-world.js', root));
const { createTestHelve, testTool } = await import(new URL('testing/index.js', root));
const { layers } = await import(new URL('domain/explain.js', root));
/** Configurations for one world: its record and its approvals grow. */
const perWorld = 500;
/** The minimum number of calls, of those of 10,000 configurations, that each layer must decide. */
const atLeast = Math.floor((100 * configurations) / 10_000);
/** Milliseconds. */
const maxExplain = 30;

const problems = [];
await compareGenerated();
await compareOpen();
await compareReplays();
await narrow();
await compareSmall();
await takeOut();
await measureSpeed();
if (problems.length > 0) {
  console.error(`\n${problems.join('\n')}`);
  process.exitCode = 1;
}

async function compareGenerated() {
  const reached = cases.createReached();
  await inWorlds(configurations, (world) =>
    fc.asyncProperty(cases.generatedCase, (one) => cases.compareCase(world, one, { reached })),
  );
  console.log(`${configurations} configurations, ${reached.calls} calls: each explained as the pipeline decided`);
  for (const layer of layers) {
    const count = reached.layers.get(layer) ?? 0;
    console.log(`  ${layer.padEnd(12)} decided ${count}`);
    if (count < atLeast) problems.push(`The layer ${layer} decided only ${count} calls`);
  }
  for (const [rule, count] of [...reached.rules].toSorted(([, one], [, other]) => other - one))
    console.log(`    ${rule}: ${count}`);
}

/** The explanations for all calls of a tool, and for the list of tools. */
async function compareOpen() {
  let unknown = 0;
  const number = Math.ceil(configurations / 4);
  const check = (world) => async (one) => {
    unknown += await cases.compareOpen(world, one);
  };
  await inWorlds(number, (world) => fc.asyncProperty(cases.openCase, check(world)));
  console.log(`${number} configurations, explained without arguments: ${unknown} verdicts depend on them`);
}

async function compareReplays() {
  const counts = { same: 0, newlyWaiting: 0, newlyRefused: 0, newlyFree: 0, unknown: 0 };
  const number = Math.ceil(configurations / 4);
  await inWorlds(number, (world) =>
    fc.asyncProperty(cases.replayCase, (one) => cases.compareReplay(world, one, counts)),
  );
  console.log(`${number} replays of policies: ${JSON.stringify(counts)}`);
}

async function narrow() {
  let refused = 0;
  const number = Math.ceil(configurations / 4);
  const check = (world) => async (one) => {
    refused += await cases.refuteNarrowing(world, one);
  };
  await inWorlds(number, (world) => fc.asyncProperty(cases.narrowingCase, check(world)));
  console.log(`${number} sequences of acts that take something away: ${refused} refused calls stayed refused`);
}

async function compareSmall() {
  const world = await createWorld();
  for (const setup of cases.smallWorlds) {
    await world.setUp(setup);
    for (const call of cases.smallCalls) await compareCall(world, call);
  }
  await world.helve.close();
  console.log(`${cases.smallWorlds.length} small worlds, ${cases.smallWorlds.length * cases.smallCalls.length} calls`);
}

/** Without one layer, the comparison must find a difference. */
async function takeOut() {
  const world = await createWorld();
  for (const layer of layers) {
    const explain = async (call) => {
      const said = await explainIn(world)(call);
      return { ...said, steps: said.steps.filter((step) => step.layer !== layer) };
    };
    const property = fc.asyncProperty(cases.generatedCase, (one) => cases.compareCase(world, one, { explain }));
    const { failed, numRuns } = await fc.check(property, { numRuns: 2_000, endOnFailure: true });
    console.log(`  without ${layer}: ${failed ? `found after ${numRuns} configurations` : 'not found'}`);
    if (!failed) problems.push(`Without the layer ${layer}, no difference was found`);
  }
  await world.helve.close();
}

async function inWorlds(number, property) {
  for (let left = number; left > 0; left -= perWorld) {
    const world = await createWorld();
    await fc.assert(property(world), { numRuns: Math.min(left, perWorld) });
    await world.helve.close();
  }
}

async function measureSpeed() {
  const dataDir = mkdtempSync(join(tmpdir(), 'helve-explain-'));
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  const tools = ['look', 'put'].map((name) => testTool({ name, inputSchema, execute: async () => ({}) }));
  const helve = await createTestHelve({ dataDir, nativeToolkits: [], tools });
  const { plane, admin } = helve;
  try {
    for (let made = 0; made < recorded; made += 500)
      await Promise.all(Array.from({ length: 500 }, (_, n) => helve.call(n % 2 === 0 ? 'look' : 'put', { n })));
    const seq = (await plane.audit(admin, { limit: 1 }))[0]?.seq;
    const times = [];
    for (let n = 0; n < 500; n++) {
      const start = performance.now();
      await plane.explain(admin, { agent: 'tester', tool: 'put', input: { n } });
      times.push(performance.now() - start);
    }
    times.sort((one, other) => one - other);
    const [half, most] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)]);
    console.log(`explain with ${seq} rows on record: ${half.toFixed(2)} ms, p99 ${most.toFixed(2)} ms`);
    if (most > maxExplain) problems.push(`explain took ${most.toFixed(1)} ms`);
    const policies = [
      {
        id: 'few',
        effect: 'deny',
        when: { tools: ['custom.put'], arguments: { properties: { n: { minimum: 400 } } } },
      },
    ];
    const start = performance.now();
    const { newlyRefused, same, unknown } = await plane.previewPolicies(admin, { policies, limit: recorded });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const counts = [same, newlyRefused, unknown].map(({ count }) => count).join(', ');
    console.log(`policies replayed over ${recorded} calls: ${seconds} s (${counts}: same, newly refused, unknown)`);
  } finally {
    await helve.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
