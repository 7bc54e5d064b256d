// What a program in the sandbox costs: its start, a call, ten calls at once, its memory, how soon a limit ends it, and what the host
// notices of programs that never end. Each figure stands beside a control of the same run: node:vm, a bare thread, an idle loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { createSandbox } from 'helve/sandbox';

const rounds = Number(process.argv[2] ?? 200);
const isolations = ['worker', 'process'];
const namespaces = { tools: { nothing: 'nothing', wait: 'wait' } };
const call = async (name, given) => {
  if (name === 'wait') await pause(JSON.parse(given).ms);
  return 'null';
};

for (const isolation of isolations) {
  const sandbox = createSandbox({ isolation });
  const run = (code, more = {}) => sandbox.run({ code, call, namespaces, tenant: 'bench', ...more });
  await run('return 1');
  const times = isolation === 'worker' ? rounds : Math.min(rounds, 15);

  const starts = { sandbox: [], 'node:vm': [] };
  for (let round = 0; round < times; round++) {
    await ready(isolation);
    starts.sandbox.push(await timed(() => run('return 1')));
    starts['node:vm'].push(await timed(() => runInContext('(async () => 1)()', createContext({}))));
  }
  show(isolation, 'start, ms', starts);

  const made = 1_000;
  const sequential = { sandbox: [], 'bare thread': [] };
  for (let round = 0; round < 5; round++) {
    const code = `for (let i = 0; i < ${made}; i++) await tools.nothing()`;
    sequential.sandbox.push((await timed(() => run(code, { limits: { calls: made, cpuMs: 20_000 } }))) / made);
    sequential['bare thread'].push((await timed(() => pingThread(made))) / made);
  }
  show(isolation, 'sequential call, ms', sequential);

  const parallel = { sandbox: [], 'Promise.all outside': [] };
  for (let round = 0; round < 10; round++) {
    const ten = 'await Promise.all(Array(10).fill().map(() => tools.wait({ ms: 50 })))';
    await ready(isolation);
    parallel.sandbox.push(await timed(() => run(ten)));
    parallel['Promise.all outside'].push(
      await timed(() =>
        Promise.all(
          Array(10)
            .fill()
            .map(() => call('wait', '{"ms":50}')),
        ),
      ),
    );
  }
  show(isolation, 'ten tools of 50 ms, ms', parallel);

  const ended = [];
  for (let round = 0; round < 5; round++) {
    await ready(isolation);
    ended.push((await timed(() => run('for (;;);', { limits: { cpuMs: 500 } }))) / 500);
  }
  console.log(
    `${isolation}: ended at ${median(ended).toFixed(2)} of a limit of 500 ms (most: ${Math.max(...ended).toFixed(2)})`,
  );

  const idle = await stall(() => pause(3_000));
  const hostile = await stall(async () => {
    const end = performance.now() + 3_000;
    const lane = async (code) => {
      while (performance.now() < end) await run(code, { tenant: undefined, limits: { cpuMs: 300, memoryMb: 32 } });
    };
    await Promise.all(['for (;;);', 'let a = "x"; for (;;) a += a', 'for (;;) console.log("x".repeat(1e3))'].map(lane));
  });
  console.log(
    `${isolation}: host stalled p99 ${hostile.toFixed(1)} ms under hostile programs, ${idle.toFixed(1)} ms when idle`,
  );

  if (isolation === 'worker') {
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    const many = Array.from({ length: 48 }, () => run('await sleep(4_000)'));
    await pause(2_500);
    console.log(
      `worker: ${((process.memoryUsage.rss() - before) / many.length / 1_048_576).toFixed(2)} MB for a waiting program`,
    );
    await Promise.all(many);
  }
  await sandbox.close();
}

/** The spare is ready, as it is between two programs. */
function ready(isolation) {
  return pause(isolation === 'worker' ? 5 : 2_000);
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function pingThread(count) {
  const code =
    "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))";
  const worker = new Worker(code, { eval: true });
  const answer = () => new Promise((resolve) => worker.once('message', resolve));
  for (let done = 0; done < count; done++) {
    const answered = answer();
    worker.postMessage('{"calls":[[0,"nothing","{}"]]}');
    await answered;
  }
  await worker.terminate();
}

async function stall(work) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.percentile(99) / 1e6 - 5;
}

function show(isolation, what, columns) {
  const told = Object.entries(columns).map(([name, all]) => `${name} ${median(all).toFixed(3)}`);
  const [first, second] = Object.values(columns).map(median);
  console.log(`${isolation}: ${what}: ${told.join(', ')}; ratio ${(first / second).toFixed(2)}`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
