// The cost of comparing one request with the vectors of all tools: CPU time, the longest step (no step blocks the
// process for longer), and memory. node --expose-gc bench/discovery/nearness.js
import { cpuOf } from './cpu.js';
import { fromDist } from './dist.js';
import { numbersFrom } from './random.js';

const { compare, createVectorTable, normalised } = await fromDist('discovery/index.js');
const rounds = 15;
const below = numbersFrom(20_261_127);
const used = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};
const rows = {};
for (const [tools, dimensions] of [
  [12_934, 384],
  [12_934, 768],
  [12_934, 1_536],
  [138_152, 768],
]) {
  const before = used();
  const table = createVectorTable(dimensions);
  const vectorOf = () => normalised(Array.from({ length: dimensions }, () => below(2_000) - 999));
  const keyed = Array.from({ length: tools }, (_, at) => ({
    id: `app/tool_${at}`,
    toolkit: 'app',
    key: at.toString(16).padStart(32, '0'),
  }));
  const byId = new Map(keyed.map((one) => [one.id, one]));
  for (const { key } of keyed) table.add(key, vectorOf());
  const megabytes = used() - before;
  const [times, steps] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const vector = vectorOf();
    const work = compare(vector, { table, tools: keyed, find: (id) => byId.get(id), weight: 1 });
    let time = 0;
    for (;;) {
      const { value: step, ms } = cpuOf(() => work.next());
      time += ms;
      steps.push(ms);
      if (step.done) break;
    }
    times.push(time);
  }
  const middle = times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  rows[`${tools} × ${dimensions}`] = {
    cpu: middle.toFixed(1),
    step: Math.max(...steps).toFixed(1),
    megabytes: megabytes.toFixed(0),
  };
}
console.table(rows);
