// The cost of the panel's lists and figures to the server with a long record, on SQLite. node bench/panel/server.js
// [calls] Each line has the median of several requests and the longest time that the event loop was blocked. The first
// request over a record makes the index of calls. Budgets at 100,000 calls: a list with one filter 30 ms, counts 120,
// figures 50, an explanation 30. The control is the same count as statements over the table of the record.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { measure, timeOf } from '../support/blocked.js';
import { fillRecord } from './fill.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [calls = 100_000] = process.argv.slice(2).map(Number);
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));
const { createHelve } = await import(new URL('helve.js', root));

const folder = mkdtempSync(join(tmpdir(), 'helve-panel-'));
const database = join(folder, 'helve.db');
const storage = await openStorage({ location: database, seal });
const open = () =>
  createHelve({ database, limits: { perIp: null, perCredential: null, perPrincipal: null, perTool: null } });
let helve = await open();
try {
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  const { id: agent } = await helve.plane.createAgent(admin, { slug: 'scout' });
  await helve.plane.changeGrants(admin, 'scout', { add: [{ toolkit: 'math' }] });
  const began = performance.now();
  await fillRecord({ storage, workspaceId, calls });
  console.log(`${calls} calls recorded in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  const { plane } = helve;
  console.log(`first request, which makes the index: ${await measure(() => plane.callFacets(admin, {}), 1)}`);
  await report(helve.plane, admin, agent);
  await helve.close();
  helve = await open();
  console.log(`first request after a restart: ${await measure(() => helve.plane.callFacets(admin, {}), 1)}`);
  scan(workspaceId);
} finally {
  await helve.close();
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
}

async function report(plane, admin, agent) {
  const filters = {
    'no filter': {},
    status: { status: 'failed' },
    agent: { actor: 'agent-7' },
    tool: { tool: 'App3.tool_23' },
    toolkit: { toolkit: 'App3' },
    account: { connection: 'account-5' },
    rule: { rule: 'grant.missing' },
    error: { error: 'not_granted' },
    'a value that never came': { actor: 'nobody' },
    'an hour long ago': { since: timeOf(3_600), until: timeOf(7_200) },
    duration: { minDurationMs: 1_990 },
  };
  for (const [name, filter] of Object.entries(filters))
    console.log(`list by ${name}: ${await measure(() => plane.listCalls(admin, { ...filter, limit: 50 }), 15)}`);
  for (const name of ['no filter', 'status', 'agent', 'an hour long ago'])
    console.log(`counts by ${name}: ${await measure(() => plane.callFacets(admin, filters[name]), 15)}`);
  const whole = { since: timeOf(0), until: timeOf(calls) };
  for (const by of ['minute', 'tool', 'agent'])
    console.log(`figures by ${by}: ${await measure(() => plane.callMetrics(admin, { by, ...whole }), 15)}`);
  const question = { agent, tool: 'calculate', input: { expression: '1 + 1' } };
  console.log(`explanation: ${await measure(() => plane.explain(admin, question), 15)}`);
}

/** The control: what one count by each field costs over the table itself, and a list by a field that has no index. */
function scan(workspaceId) {
  const raw = new Database(database, { readonly: true });
  const since = performance.now();
  for (const field of ['type', 'actor_id', 'tool'])
    raw
      .prepare(
        `select ${field}, count(*) from audit_events where workspace_id = ? and type != 'execution.started' group by 1`,
      )
      .all(workspaceId);
  console.log(`control, counts by three columns of the record: ${(performance.now() - since).toFixed(1)} ms`);
  raw.close();
}
