/**
 * One process of the kill campaign: it opens the store, lets runs that another process left continue, runs one program,
 * and kills itself at one of its points. Its task is its argument; it reports the outcome to its parent by message.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createHelve, createSharedProcesses, defineTool } from 'helve';
import { seal } from '../../dist/audit/index.js';
import { openStorage } from '../../dist/storage/index.js';

const {
  location,
  counterpart,
  left,
  code,
  killAt,
  killTakeOverAt,
  killsSandbox,
  undisturbed = [],
} = JSON.parse(process.argv[2]);
let points = 0;
let dieAt = killTakeOverAt;

/** The process ends here if this is its point: before or after a write, in an effect, or in a delivery. */
function point() {
  points += 1;
  if (points === dieAt) process.kill((killsSandbox && findSandbox()) || process.pid, 'SIGKILL');
}

/** The process in which the program runs; undefined while it waits without one. A younger one is kept for the next program. */
function findSandbox() {
  const read = (id, name) => {
    try {
      return readFileSync(`/proc/${id}/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  // The fields after the name, which is in brackets: the state, the parent, and so on to the start, in ticks.
  const fields = (id) => read(id, 'stat').split(') ')[1]?.split(' ') ?? [];
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && fields(id)[1] === String(process.pid))
    .filter((id) => read(id, 'cmdline').includes('sandbox/engine/in-process'))
    .map((id) => ({ id: Number(id), startedAt: Number(fields(id)[19]) }))
    .sort((one, other) => one.startedAt - other.startedAt)[0]?.id;
}

async function ask(path, body) {
  const answer = await fetch(counterpart + path, { method: 'POST', body: JSON.stringify(body) });
  return answer.json();
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
const creates = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const text = { type: 'string' };

function makeTool(kind, at) {
  const isRead = kind === 'read';
  const by = kind === 'approved' ? 'key' : kind;
  const idempotency = { by, how: 'As the campaign says' };
  return defineTool({
    name: `${kind}_${at}`,
    title: `${kind} ${at}`,
    description: `A tool of the kind ${kind}`,
    inputSchema: object({ name: text }),
    outputSchema: object({ name: text, size: { type: 'integer' } }),
    annotations: isRead ? reads : creates,
    capabilities: ['act on something'],
    ...(isRead ? {} : { idempotency }),
    async execute({ name }, { effectKey }) {
      point();
      const output = await ask(isRead ? '/read' : '/act', { kind: by, name, key: effectKey });
      point();
      return output;
    },
    ...(kind === 'probe' && { probe: async (_, { effectKey }) => (await ask('/probe', { key: effectKey })).found }),
  });
}

const kinds = [
  'read',
  'read',
  'read',
  'key',
  'key',
  'key',
  'probe',
  'probe',
  'probe',
  'repeatable',
  'ask',
  'ask',
  'approved',
];
const tools = kinds.map((kind, at) => makeTool(kind, at));

const storage = await openStorage({ location, seal });
const watched = {
  ...storage,
  async commit(entries) {
    point();
    const outcomes = await storage.commit(entries);
    point();
    return outcomes;
  },
};
const noLimits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
const shared = createSharedProcesses();
const processes = { ...shared, openSandbox: () => shared.openSandbox({ isolation: 'process' }) };
const helve = await createHelve({
  storage: watched,
  tools,
  limits: noLimits,
  heartbeatMs: 200,
  nativeToolkits: [],
  ...(killsSandbox && { processes }),
});
const { workspaceId } = await helve.setUp();
const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;

if (undisturbed.length > 0)
  await helve.plane.replacePolicies(admin, [
    { id: 'ask', effect: 'require_approval', when: { tools: ['approved_12'] } },
  ]);

let doubts = 0;
if (left !== undefined) process.send({ resumed: await follow(left), doubts });
if (code !== undefined) {
  points = 0;
  dieAt = killAt;
  process.send({ ended: await follow(await start(code)) });
}
const ends = [];
for (const program of undisturbed) {
  points = 0;
  const end = await follow(await start(program));
  ends.push({ end, points });
}
if (ends.length > 0) process.send({ ends });
await helve.close();
await shared.close();

/** Follows a run to its end, and makes the decisions that it asks for. */
async function follow(id) {
  let end;
  for await (const event of helve.plane.followRun(admin, id)) {
    point();
    if (event.type === 'call') continue;
    await decide(event.run);
    if (event.type === 'settled') end = event.run;
  }
  return end;
}

/** As a person does: looks at the service, and says what is there. */
async function decide({ id, waits }) {
  for (const { for: reason, number, approvalId } of waits) {
    point();
    if (reason === 'approval') await helve.plane.decideApproval(admin, approvalId, 'approved', 'api').catch(() => {});
    if (reason === 'answer')
      await helve.plane.decideRun(admin, id, { decision: 'answer', number, text: 'yes' }).catch(() => {});
    point();
    if (reason !== 'doubt') continue;
    const { found } = await ask('/look', { runId: id, number });
    const decision = found ? { decision: 'happened', number, output: found } : { decision: 'not_happened', number };
    await helve.plane.decideRun(admin, id, decision).then(
      () => doubts++,
      () => {},
    );
  }
}

function start(code) {
  return new Promise((resolve, reject) => {
    const onStart = (runId) => {
      process.send({ runId });
      resolve(runId);
    };
    helve.plane.runCode(admin, { code }, { onStart }).catch(reject);
  });
}
