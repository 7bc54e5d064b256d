/**
 * The process that is killed: a plane on a store, and lanes of calls in a closed loop.
 *
 * It writes JSON lines to standard output, each immediately: `open` when `createHelve` has resolved, `ready` when `setUp` has
 * resolved, with the processor time until then, and one line for each call that was answered. This is the acknowledgement
 * that the record is compared with. `stop` on standard input ends it cleanly.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createHelve } from 'helve';

/**
 * @typedef {object} ChildOptions
 * @property {string} database
 * @property {string} effects file to which each effect is appended
 * @property {string} round distinguishes this process's calls from all others
 * @property {number} lanes
 * @property {string[]} [kinds] default: all, mixed
 * @property {string} [page] address of a page on this machine that calls of the kind `read` read
 * @property {number} [delayMs] maximum time that an effect takes after its line is on disk
 */

/** @type {ChildOptions} */
const options = JSON.parse(process.argv[2] ?? '{}');
const { database, effects, round, lanes, delayMs = 8 } = options;
const kinds = options.kinds ?? ['effect', 'effect', 'effect', 'calculate', 'calculate', 'refused', 'approval', 'value'];
const sleep = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));
let stopping = false;
let count = 0;

/** Whole lines, even when the pipe is full. */
function say(message) {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** The effect: one line, on disk before anything else happens. */
function leaveEffect(executionId, tool, n) {
  const file = openSync(effects, 'a');
  writeSync(file, `${JSON.stringify({ executionId, tool, n })}\n`);
  fsyncSync(file);
  closeSync(file);
}

function effectTool(name, more = {}) {
  return {
    name,
    title: name,
    description: `Appends a line to a file (${name})`,
    inputSchema: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    capabilities: ['append line'],
    async execute({ n }, { executionId }) {
      leaveEffect(executionId, name, n);
      await sleep(Math.random() * delayMs);
      return { n };
    },
    ...more,
  };
}

const acts = {
  effect: (n) => call('effect', 'append', { n }),
  calculate: (n) => call('calculate', 'calculate', { expression: `${n.split('-').at(-1)} ** 2` }),
  read: () => call('read', 'fetch_page', { url: options.page, run_scripts: false }),
  refused: (n) => call('refused', 'append_forbidden', { n }),
  value: (n) => call('value', 'key_value_set', { key: `key-${count % 50}`, value: { n } }),
  approval: callWithApproval,
};

const tools = [
  effectTool('append'),
  effectTool('append_carefully', { highRisk: true }),
  effectTool('append_forbidden'),
];
const egress = options.page === undefined ? {} : { egress: { allowedAddresses: [new URL(options.page).host] } };
const limits = { perIp: null, perPrincipal: null, perTool: null };
const helve = await createHelve({ database, tools, limits, ...egress });
say({ event: 'open' });
const { workspaceId } = await helve.setUp();
const caller = await prepareAgent();
const { user, system } = process.cpuUsage();
say({ event: 'ready', cpuMs: (user + system) / 1000 });

process.stdin.on('data', () => {
  stopping = true;
});
await rejectOldQuestions();
await Promise.all([finishOldApprovals(), ...Array.from({ length: lanes }, lane)]);
const { ok, rows, firstBroken } = await helve.plane.verifyAudit(await admin());
await helve.close();
say({ event: 'closed', verified: { ok, rows, ...firstBroken } });
process.exit(0);

async function admin() {
  admin.principal ??= helve.adminLink(workspaceId).then((link) => helve.plane.redeemAdminLink(link));
  return (await admin.principal).principal;
}

/** An agent with grants for all tools but `append_forbidden`, made at the first start. */
async function prepareAgent() {
  const principal = { agent: 'crash' };
  try {
    await helve.tools({ principal });
  } catch (error) {
    if (error.code !== 'not_found') throw error;
    await helve.plane.createAgent(await admin(), { slug: 'crash' });
    const none = { limits: {}, config: {} };
    await helve.plane.replaceGrants(await admin(), 'crash', [
      { toolkit: 'custom', tools: ['append', 'append_carefully'], ...none },
      ...(options.page === undefined ? [] : [{ toolkit: 'browser', tools: ['fetch_page'], ...none }]),
      { toolkit: 'math', tools: ['calculate'], ...none },
      { toolkit: 'key_value', tools: ['key_value_set'], ...none },
    ]);
  }
  return principal;
}

async function call(kind, tool, input, more = {}) {
  const result = await helve.execute({ principal: caller, tool, input, ...more });
  say({ executionId: result.executionId, ok: result.ok, kind, ...(result.ok ? {} : { code: result.error.code }) });
  return result;
}

async function lane() {
  while (!stopping) {
    const kind = kinds[Math.floor(Math.random() * kinds.length)];
    await acts[kind](`${round}-${++count}`);
  }
}

/** Requests an approval, decides it, and uses it in two calls at the same time: one of them must be refused. */
async function callWithApproval(n) {
  const asked = await call('ask', 'append_carefully', { n });
  if (asked.ok) return;
  const { approvalId } = asked.error.details;
  await helve.plane.decideApproval(await admin(), approvalId, 'approved', 'api');
  const use = () => call('approved', 'append_carefully', { n }, { approvalId });
  await Promise.all([use(), use()]);
}

/** Nobody else decides what a dead process asked; too many open questions would be refused. */
async function rejectOldQuestions() {
  const open = await helve.plane.approvals(await admin(), { status: 'pending', limit: 100 });
  for (const { id } of open) await helve.plane.decideApproval(await admin(), id, 'rejected', 'api');
}

/** Uses the approvals that a dead process was given but did not use; those that it did use are refused. */
async function finishOldApprovals() {
  if (!kinds.includes('approval')) return;
  const old = async (status) => helve.plane.approvals(await admin(), { status, limit: 5 });
  for (const { id, arguments: input } of await old('approved')) {
    await call('approved', 'append_carefully', input, { approvalId: id });
  }
  for (const { id, arguments: input } of await old('used')) {
    await call('reuse', 'append_carefully', input, { approvalId: id });
  }
}
