/**
 * How long a run with 1,000 calls (the default maximum) takes to replay its recorded calls, and how much memory a
 * waiting run takes.
 *
 * node --expose-gc bench/code/replay.js [rounds]
 *
 * Bars: replay ≤ 1 s; a waiting run holds no more memory than one that has ended.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHelve, defineTool } from 'helve';

const rounds = Number(process.argv[2] ?? 5);
const recorded = 999;
const many = 500;

const object = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] };
const makeTool = (name, annotations) =>
  defineTool({
    name,
    title: name,
    description: 'Returns its argument',
    inputSchema: object,
    outputSchema: object,
    annotations,
    capabilities: ['return something'],
    execute: async ({ at }) => ({ at }),
  });
const tools = [
  makeTool('read', { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }),
  makeTool('save', { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }),
];
const folder = mkdtempSync(join(tmpdir(), 'helve-replay-'));
const limits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
const helve = await createHelve({ dataDir: folder, tools, limits, nativeToolkits: [] });
const { workspaceId } = await helve.setUp();
const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
const { plane } = helve;
await plane.replacePolicies(admin, [{ id: 'ask', effect: 'require_approval', when: { tools: ['save'] } }]);

const makeProgram = (calls) => `let sum = 0;
for (let at = 0; at < ${calls}; at++) sum += (await custom.read({ at })).at;
await custom.save({ at: sum });
return sum;`;

/** Milliseconds from the approval to the end of the run: the replay, the approved call, and both ends. */
async function measure(calls) {
  const run = await plane.runCode(admin, { code: makeProgram(calls) });
  const [wait] = run.waits;
  const began = performance.now();
  await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
  for await (const event of plane.followRun(admin, run.id))
    if (event.type === 'settled' && event.run.status !== 'succeeded') throw new Error(JSON.stringify(event.run.error));
  return performance.now() - began;
}

const times = { replay: [], control: [] };
for (let round = 0; round < rounds; round++) {
  times.replay.push(await measure(recorded));
  times.control.push(await measure(0));
}
const replayMs = median(times.replay) - median(times.control);

/** KB that each of many runs leaves in memory. */
async function measureHeap(code, status) {
  const runMany = async () => {
    for (let at = 0; at < many; at++) {
      const run = await plane.runCode(admin, { code });
      if (run.status !== status) throw new Error(`The run is ${run.status}, not ${status}`);
    }
  };
  // Caches fill with the first ones.
  await runMany();
  const before = readHeap();
  await runMany();
  return (readHeap() - before) / many / 1_024;
}

const waiting = await measureHeap(makeProgram(0), 'waiting');
const ended = await measureHeap(`return (await custom.read({ at: 1 })).at;`, 'succeeded');
await helve.close();
rmSync(folder, { recursive: true });

console.log(
  `replay of ${recorded} calls: ${replayMs.toFixed(0)} ms (bar 1000: ${replayMs <= 1_000 ? 'met' : 'not met'})`,
);
console.log(
  `heap after ${many} runs that wait: ${waiting.toFixed(1)} KB each; that have ended: ${ended.toFixed(1)} KB each`,
);

function readHeap() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
