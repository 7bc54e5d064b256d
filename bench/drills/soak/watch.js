// Loaded before the program of the measured server (`--import`): writes to the file of HELVE_SOAK_REPORT, one line of JSON every five
// seconds, how late its event loop was, its memory, and each long turn with what the main thread did meanwhile: computed, waited for
// a processor, or neither (it waited for the disk, or for helpers of the garbage collector). With --expose-gc it also collects garbage
// once a minute, and writes what is left.
import { appendFileSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.HELVE_SOAK_REPORT;
const tickMs = 5;
const longMs = 50;
const reportMs = 5_000;
const collectMs = 60_000;

if (isMainThread && file !== undefined && process.argv[2] === 'serve') watch();

function watch() {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let turns = [];
  let last = look();
  // Added to `performance.now()`, this gives the clock of processor profiles.
  const clock = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  setInterval(() => {
    const now = look();
    const ms = now.at - last.at - tickMs;
    if (ms > longMs)
      turns.push({
        endedAt: now.at,
        clock,
        ms,
        computed: now.computed - last.computed,
        waited: now.waited - last.waited,
      });
    last = now;
  }, tickMs).unref();
  setInterval(() => {
    const { rss, heapUsed, external } = process.memoryUsage();
    const late = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 };
    appendFileSync(file, `${JSON.stringify({ at: performance.now(), rss, heapUsed, external, late, turns })}\n`);
    turns = [];
    delay.reset();
  }, reportMs).unref();
  if (globalThis.gc)
    setInterval(() => {
      globalThis.gc();
      const { rss, heapUsed, external } = process.memoryUsage();
      appendFileSync(file, `${JSON.stringify({ at: performance.now(), rss, live: heapUsed + external })}\n`);
    }, collectMs).unref();
}

/** Milliseconds; the two of the processor are of the main thread, as Linux counts them. */
function look() {
  const [computed, waited] = readFileSync('/proc/self/schedstat', 'utf8')
    .split(' ')
    .map((ns) => Number(ns) / 1e6);
  return { at: performance.now(), computed, waited };
}
