// What a large workspace costs all callers of the process: 1,000 agents, 2,000 accounts of 20 apps, 20,000 grants. Each
// request runs on the event loop; `blocked` is the longest time that the loop was blocked meanwhile.
//   node bench/scale/run.js [agents] [connections] [grants]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [agents = 1_000, connections = 2_000, grants = 20_000] = process.argv.slice(2).map(Number);
const apps = 20;
const toolsPerApp = 5;

const { createHelve } = await import(new URL('helve.js', root));
const { defineToolkit } = await import(new URL('domain/tool.js', root));
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));

const toolkits = Array.from({ length: apps }, (_, app) =>
  defineToolkit({
    slug: `app${app}`,
    title: `App ${app}`,
    description: 'One of many',
    category: 'bench',
    auth: {
      schemes: [
        { id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'Token', secret: true }] },
      ],
    },
    service: { servers: () => ({ default: { url: 'https://app.invalid' } }) },
    load: async () =>
      Array.from({ length: toolsPerApp }, (_tool, at) => ({
        name: `act${at}_on_app${app}`,
        description: `Does the act ${at}.`,
        inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
        annotations: { readOnlyHint: true },
        execute: async () => ({}),
      })),
  }),
);

const folder = mkdtempSync(join(tmpdir(), 'helve-scale-'));
const limits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
const helve = await createHelve({ dataDir: folder, toolkits, limits });
try {
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  const first = await helve.plane.createAgent(admin, { slug: 'first' });
  await fill(workspaceId, first, admin);
  const agent = await helve.plane.actAs(admin, 'first');
  // The very first request reads the configuration and builds the catalogue.
  console.log(`first list: ${(await measured(() => helve.plane.tools(agent, { all: true }))).text}`);
  const questions = {
    'tools of an agent with 40': () => helve.plane.tools(agent, { all: true }),
    'tools of an agent, as shown': () => helve.plane.tools(agent, {}),
    'may it call': () => helve.plane.validateAccess(agent, 'app-0-0__act0_on_app0'),
    'tools of a person': () => helve.plane.tools(admin, { all: true }),
    'what could be granted': () => helve.plane.grantCatalogue(admin, 'first'),
    accounts: () => helve.plane.connections(admin),
    policies: () => helve.plane.policies(admin),
    search: () => helve.plane.searchTools(agent, { query: 'act 3 on app 3' }),
  };
  for (const [name, ask] of Object.entries(questions)) {
    await ask();
    console.log(`${name}: ${(await measured(ask, 5)).text}`);
  }
} finally {
  await helve.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Median time, the longest time that the event loop was blocked, and the number of items. */
async function measured(ask, rounds = 1) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times = [];
  let answer;
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const since = performance.now();
    answer = await ask();
    times.push(performance.now() - since);
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  const items = Array.isArray(answer) ? answer.length : Object.values(answer ?? {}).find(Array.isArray)?.length;
  return { text: `${median.toFixed(1)} ms, blocked ${(delay.max / 1e6).toFixed(1)} ms, ${items ?? 1} items` };
}

/** Written directly to the store: the cost of writing them is not measured here. */
async function fill(workspaceId, first, { id: ownerId }) {
  const storage = await openStorage({ location: join(folder, 'helve.db'), seal });
  const workspace = storage.workspace(workspaceId);
  const createdAt = new Date().toISOString();
  const accounts = Array.from({ length: connections }, (_, at) => ({
    id: `connection-${at}`,
    toolkit: `app${at % apps}`,
    name: `Account ${at}`,
    slug: `app-${at % apps}-${Math.floor(at / apps)}`,
    status: 'active',
    visibility: 'workspace',
    ownerId,
    scheme: 'token',
    settings: {},
    createdAt,
  }));
  const others = Array.from({ length: agents - 1 }, (_, at) => ({
    id: `agent-${at}`,
    slug: `agent-${at}`,
    name: `Agent ${at}`,
    managedBy: 'api',
    toolMode: 'auto',
    createdAt,
  }));
  const each = Math.max(1, Math.round(grants / agents));
  await workspace.change([], async (tables) => {
    for (const account of accounts) await tables.insertConnection(account);
    for (const agent of others) await tables.insertAgent(agent);
    for (const [at, { id }] of [first, ...others].entries())
      await tables.replaceGrants(
        id,
        Array.from({ length: each }, (_, n) => grantOf(accounts[(at * each + n) % connections])),
      );
  });
  await storage.close();
}

function grantOf({ id, toolkit }) {
  const tools = [0, 1].map((at) => `act${at}_on_${toolkit}`);
  return { toolkit, connectionId: id, tools, limits: {}, config: {} };
}
