// How long requests take, and how long they block all other work in the process.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Median time, and the longest time that the event loop was blocked. */
export async function measure(ask, rounds) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const since = performance.now();
    await ask();
    times.push(performance.now() - since);
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  return `${median.toFixed(1)} ms, blocked ${(delay.max / 1e6).toFixed(1)} ms`;
}

/** A time in an invented record, this many seconds after its beginning. */
export function timeOf(seconds) {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
}
