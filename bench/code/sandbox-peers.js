// The sandbox beside isolated-vm, which runs in the process of its host, and beside `run` of Vercel, as ratios of medians from
// one interleaved run. Neither is a dependency: npm install --prefix <folder> isolated-vm@5.0.4 run@2.1.5
//   node bench/code/sandbox-peers.js <folder> [rounds]
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox } from 'helve/sandbox';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder in which isolated-vm and run are installed');
const rounds = Number(process.argv[3] ?? 30);
const from = createRequire(pathToFileURL(join(resolve(folder), 'any.js')));
const ivm = from('isolated-vm');
const { createRunner } = await import(pathToFileURL(from.resolve('run')).href);

const answer = { ok: true };
const count = 300;
const width = 50;
const programs = {
  'fresh start': 'return 1',
  'sequential call': `for (let i = 0; i < ${count}; i++) await tools.nothing({ i }); return 1`,
  'parallel call': `for (let i = 0; i < ${count}; i += ${width}) await Promise.all(Array.from({ length: ${width} }, (_, n) => tools.nothing({ n }))); return 1`,
};
const calls = { 'fresh start': 1, 'sequential call': count, 'parallel call': count };
/** By measure: the maximum share of a peer's time that the sandbox may take. */
const bars = {
  'fresh start': { 'isolated-vm': 1, run: 0.25 },
  'sequential call': { 'isolated-vm': 1.5, run: 0.2 },
  'parallel call': { 'isolated-vm': 2.5, run: 0.05 },
};

const sandbox = createSandbox();
const runner = createRunner({ limits: { maxBridgeRequests: 10_000, timeoutMs: 60_000 } });
const sides = { helve: runHelve, 'isolated-vm': runIsolate, run: runRunner };

const times = {};
for (const measure of Object.keys(programs)) {
  times[measure] = { helve: [], 'isolated-vm': [], run: [] };
  for (let round = -2; round < rounds; round++)
    for (const [side, run] of Object.entries(sides)) {
      // A spare is ready, as it is between two programs.
      await new Promise((done) => setTimeout(done, 5));
      const started = performance.now();
      const value = await run(programs[measure]);
      const taken = (performance.now() - started) / calls[measure];
      if (value !== 1) throw new Error(`${side} answered ${JSON.stringify(value)} to ${measure}`);
      if (round >= 0) times[measure][side].push(taken);
    }
}
await sandbox.close();

for (const [measure, sidesOf] of Object.entries(times)) {
  const told = Object.entries(sidesOf).map(([side, all]) => `${side} ${(median(all) * 1_000).toFixed(0)} µs`);
  console.log(`${measure}: ${told.join(', ')}`);
  for (const peer of ['isolated-vm', 'run']) {
    const ratio = median(sidesOf.helve) / median(sidesOf[peer]);
    const bar = bars[measure][peer];
    console.log(`  ${ratio.toFixed(3)} of ${peer} (bar ${bar}: ${ratio <= bar ? 'met' : 'not met'})`);
  }
}
process.exit();

async function runHelve(code) {
  const result = await sandbox.run({
    code,
    tenant: 'bench',
    namespaces: { tools: { nothing: 'nothing' } },
    call: async () => JSON.stringify(answer),
    limits: { calls: 10_000, cpuMs: 30_000 },
  });
  return result.error ?? result.value;
}

/** Text crosses, as in the sandbox: the isolate gets a function that it can await, and nothing else of the host. */
async function runIsolate(code) {
  const isolate = new ivm.Isolate({ memoryLimit: 64 });
  try {
    const context = await isolate.createContext();
    await context.global.set('callHost', new ivm.Reference(async (_given) => JSON.stringify(answer)));
    const program = `const host = callHost; delete globalThis.callHost;
const options = { result: { promise: true, copy: true } };
const tools = { nothing: async (given) => JSON.parse(await host.apply(undefined, [JSON.stringify(given)], options)) };
(async () => { ${code} })().then(JSON.stringify)`;
    return JSON.parse(await context.eval(program, { promise: true, copy: true, timeout: 30_000 }));
  } finally {
    isolate.dispose();
  }
}

async function runRunner(source) {
  const result = await runner.run({ source, hostFunctions: { tools: { nothing: async () => answer } } });
  return result.status === 'completed' ? result.value : result;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
