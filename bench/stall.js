// How long the event loop is blocked while hostile calls of each kind run, compared with an idle control of the same length
// right after it; and how long an ordinary call (`calculate`, one every 20 ms) waits. Target: p99 of the stall below 100 ms.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestHelve } from '../dist/testing/index.js';
import { makeBombs, optionsFor, startSite } from './stall/bombs.js';

const [only = '', seconds = '3', lanes = '2'] = process.argv.slice(2);
const leastMs = Number(seconds) * 1_000;
const resolution = 5;
const dataDir = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-stall-'));
const site = await startSite();
const helve = await createTestHelve({ dataDir, ...optionsFor(site) });
const bombs = await makeBombs({ call: helve.call, port: site.port });
const kinds = [...new Set(bombs.map(({ kind }) => kind))].filter(
  (kind) => only === '' || only.split(',').includes(kind),
);

const rows = [];
for (const kind of kinds) {
  const ofKind = bombs.filter((bomb) => bomb.kind === kind);
  // Libraries are loaded once in the life of a process, which is not measured here.
  await helve.call(ofKind[0].tool, ofKind[0].input());
  const outcomes = new Map();
  const slow = [];
  const measured = await measure(() => explode(ofKind, outcomes, slow));
  const control = await measure(() => pause(measured.lengthMs));
  const codes = [...outcomes].map(([code, count]) => `${code} ${count}`).join(', ');
  rows.push({
    kind,
    bombs: ofKind.length,
    ...shown(measured),
    'idle p99': shown(control)['stall p99'],
    'idle max': shown(control)['stall max'],
    codes,
  });
  for (const { name, ms } of slow.sort((a, b) => b.ms - a.ms).slice(0, 3))
    console.error(`${kind}: ${name}: ${ms.toFixed(0)} ms`);
}
console.table(rows);
await helve.close();
await site.close();
rmSync(dataDir, { recursive: true, force: true });

/** Repeats all calls of a kind, several at the same time, until there are enough samples for a p99. */
async function explode(ofKind, outcomes, slow) {
  const end = performance.now() + leastMs;
  let next = 0;
  const lane = async () => {
    while (performance.now() < end || next < ofKind.length) {
      const { name, tool, input } = ofKind[next++ % ofKind.length];
      const started = performance.now();
      const result = await helve.call(tool, input());
      slow.push({ name, ms: performance.now() - started });
      const code = result.ok ? 'ok' : result.error.code;
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: Number(lanes) }, lane));
}

async function measure(work) {
  const delay = monitorEventLoopDelay({ resolution });
  const started = performance.now();
  const ordinary = [];
  let going = true;
  const trickle = (async () => {
    for (let at = 0; going; at++) {
      const sent = performance.now();
      const result = await helve.call('calculate', { expression: `${at} + 1` });
      if (!result.ok) throw new Error(`An ordinary call failed: ${result.error.message}`);
      ordinary.push(performance.now() - sent);
      await pause(20);
    }
  })();
  delay.enable();
  await work();
  delay.disable();
  going = false;
  await trickle;
  return { delay, ordinary: ordinary.sort((a, b) => a - b), lengthMs: performance.now() - started };
}

/** The delay is measured from timer to timer, so a loop that never waits shows the timer's interval. */
function shown({ delay, ordinary }) {
  const stall = (nanoseconds) => Number(Math.max(0, nanoseconds / 1e6 - resolution).toFixed(1));
  return {
    'stall p50': stall(delay.percentile(50)),
    'stall p99': stall(delay.percentile(99)),
    'stall max': stall(delay.max),
    'ordinary p99': Number((ordinary[Math.floor(ordinary.length * 0.99)] ?? 0).toFixed(1)),
  };
}
