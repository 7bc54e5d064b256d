// Fills the store of a folder: `seed.js <folder> <composio> <part>`; part 0 is one page of everything. Finished stages
// are noted in `seeded.json`, and the record continues after its last row. Reports its progress to its parent.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { timeOf } from '../../support/blocked.js';
import { openPlane, root, signIn, sizesOf } from './plane.js';

const [, , folder, composio, part] = process.argv;
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));
const location = join(folder, 'helve.db');
const done = join(folder, 'seeded.json');
const share = Number(part);
const counts = sizesOf(share);
/** The accounts whose tools the asking agent has; each of another app. */
const own = 19;
const grantsEach = 20;

for (const [name, work] of Object.entries({ catalogue, configuration, record })) {
  const stages = existsSync(done) ? JSON.parse(readFileSync(done, 'utf8')) : [];
  if (stages.includes(name)) continue;
  say(`${name} …`);
  await work();
  writeFileSync(done, JSON.stringify([...stages, name]));
}
process.disconnect();

function say(line) {
  process.send(line);
}

/** A full synchronisation; the small store keeps only the apps that its accounts are at. */
async function catalogue() {
  const helve = await openPlane(folder, composio);
  const { admin } = await signIn(helve);
  const { job } = await helve.plane.synchronise(admin, { kind: 'full' });
  for await (const { status } of helve.plane.followSync(admin, job.id, new AbortController().signal)) say(status);
  await helve.close();
  if (share > 0) return;
  const apps = (await offeredApps()).slice(0, own).map(({ slug }) => `'${slug}'`);
  const database = new Database(location);
  database.exec(`delete from catalogue_actions where app not in (${apps}); delete from catalogue_triggers
    where app not in (${apps}); delete from catalogue_apps where slug not in (${apps})`);
  database.close();
}

/** Apps with accounts that Composio keeps, in the order of their slugs, each with two of its tools. */
async function offeredApps() {
  const helve = await openPlane(folder);
  const { workspaceId } = await signIn(helve);
  const toolkits = await helve.registry.toolkits();
  const found = [];
  for (const { slug, auth, provider } of toolkits.toSorted((one, other) => one.slug.localeCompare(other.slug))) {
    const scheme = auth?.schemes.find(({ hostedBy }) => hostedBy === 'composio');
    if (!scheme || provider !== 'composio') continue;
    const tools = await helve.registry.tools(slug, workspaceId);
    if (tools.length >= 2) found.push({ slug, scheme: scheme.id, tools: tools.map(({ tool }) => tool.id.name) });
    if (share === 0 && found.length === own) break;
    say(`read the tools of ${found.length} apps`);
  }
  await helve.close();
  return found;
}

async function configuration() {
  const apps = await offeredApps();
  const helve = await openPlane(folder);
  const { workspaceId, admin } = await signIn(helve);
  const first = await helve.plane.createAgent(admin, { slug: 'first' });
  await helve.close();
  const storage = await openStorage({ location, seal });
  const createdAt = new Date().toISOString();
  const accounts = Array.from({ length: counts.accounts }, (_, at) => {
    const { slug, scheme } = apps[at % apps.length];
    return {
      id: `connection-${at}`,
      toolkit: slug,
      name: `Account ${at}`,
      slug: `account-${at}`,
      status: 'active',
      visibility: 'workspace',
      ownerId: admin.id,
      scheme,
      settings: {},
      createdAt,
    };
  });
  const others = Array.from({ length: counts.agents - 1 }, (_, at) => ({
    id: `agent-${at}`,
    slug: `agent-${at}`,
    name: `Agent ${at}`,
    managedBy: 'api',
    toolMode: 'auto',
    createdAt,
  }));
  const grantOf = (at) => {
    const { id, toolkit } = accounts[at % accounts.length];
    const { tools } = apps[(at % accounts.length) % apps.length];
    return { toolkit, connectionId: id, tools: tools.slice(0, 2), limits: {}, config: {} };
  };
  await storage.workspace(workspaceId).change([], async (tables) => {
    for (const account of accounts) await tables.insertConnection(account);
    for (const agent of others) await tables.insertAgent(agent);
    const math = { toolkit: 'math', tools: ['calculate'], limits: {}, config: {} };
    const mine = Array.from({ length: own }, (_, at) => grantOf(at));
    await tables.replaceGrants(first.id, [math, ...mine]);
    for (const [at, { id }] of others.entries()) {
      await tables.replaceGrants(
        id,
        Array.from({ length: grantsEach }, (_, n) => grantOf(at * grantsEach + n)),
      );
      if (at % 100 === 0) say(`grants of ${at} agents`);
    }
    await tables.replacePolicies(Array.from({ length: counts.policies }, (_, at) => policyOf(at, apps)));
  });
  await storage.close();
}

/** A tenth has no rule on arguments; the others have one, for a tool, for an agent, for an app or for every call. */
function policyOf(at, apps) {
  const { slug, tools } = apps[at % apps.length];
  const tool = `${slug}.${tools[Math.floor(at / apps.length) % tools.length]}`;
  const required = { type: 'object', required: ['to'], properties: { to: { const: `person-${at}@example.com` } } };
  const above = { type: 'object', required: ['amount'], properties: { amount: { minimum: 100 + at } } };
  const pattern = {
    type: 'object',
    required: ['query'],
    properties: { query: { type: 'string', pattern: `^secret-${at}` } },
  };
  const whens = [
    { tools: [tool], arguments: required },
    { tools: [tool], agents: [`agent-${at % counts.agents}`], arguments: above },
    { tools: [tool], arguments: pattern },
    { agents: [`agent-${at % counts.agents}`], arguments: required },
    { agents: [`agent-${at % counts.agents}`], tools: ['*'], arguments: pattern },
    { toolkits: [slug], arguments: above },
    { toolkits: [slug], risk: ['destructive'], arguments: required },
    { arguments: required },
    { tools: [tool], agents: [`agent-${at % counts.agents}`] },
    { tools: [`${slug}.*`], risk: ['write', 'destructive'], arguments: pattern },
  ];
  return { id: `policy-${at}`, effect: at % 3 === 0 ? 'deny' : 'require_approval', when: whens[at % whens.length] };
}

async function record() {
  const storage = await openStorage({ location, seal });
  const database = new Database(location, { readonly: true });
  const [{ id: workspaceId }] = database.prepare('select id from workspaces').all();
  const [{ present }] = database.prepare('select count(*) as present from audit_events').all();
  database.close();
  const perCommit = 4_000;
  for (let start = present; start < counts.rows; start += perCommit) {
    const events = Array.from({ length: Math.min(perCommit, counts.rows - start) }, (_, at) => eventOf(start + at));
    await storage.commit([{ workspaceId, events }]);
    say(`${start} of ${counts.rows} rows of the record`);
  }
  await storage.close();
}

function eventOf(n) {
  const call = n >> 1;
  return {
    type: n % 2 ? 'execution.finished' : 'execution.started',
    at: timeOf(n / 2),
    executionId: `execution-${call}`,
    tool: `app${call % 20}.tool_${call % 200}`,
    actor: { kind: 'agent', id: `agent-${(call * 7_919) % counts.agents}`, name: 'An agent' },
    body: {
      outcome: 'ok',
      arguments: { to: 'somebody@example.com', note: `message ${n} to ${crypto.randomUUID()}` },
      durationMs: n % 97,
    },
  };
}
