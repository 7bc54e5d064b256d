// A Helve with Composio's whole catalogue, every app connected, and agents that have a given number of its tools.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { fromDist } from '../dist.js';

const { createHelve } = await fromDist('helve.js');
const { toAuditName } = await fromDist('domain/naming/index.js');
const { nativeToolkits } = await fromDist('toolkits/index.js');
const composioProgram = fileURLToPath(new URL('../../marketplace/composio.js', import.meta.url));
const unlimited = { perIp: null, perPrincipal: null, perTool: null };

function startComposio() {
  const child = fork(composioProgram, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (url) => resolve({ url, stop: () => child.kill() }));
    child.once('exit', (code) => reject(new Error(`Composio ended with ${code}`)));
  });
}

/** Connects as a person does: with a key, or through the link that Composio answers with. */
async function connectApp(plane, admin, { slug, name }) {
  const { id } = await plane.addConnection(admin, { toolkit: slug, name });
  const credentials = { generic_api_key: 'bench' };
  const begun = await plane.connect(admin, id, {}).catch(() => plane.connect(admin, id, { credentials }));
  if (begun.redirectUrl !== undefined) await fetch(begun.redirectUrl, { redirect: 'manual' });
  const { status } = await plane.connection(admin, id);
  if (status !== 'active') throw new Error(`${slug} is ${status}`);
}

/** `{ helve, admin, actions }`; an action is `{ id, app, name, toolkit, tool, connectionId }`, `name` is the name that a model uses. */
export async function startPlane() {
  const composio = await startComposio();
  const config = `composio:\n  api_key: ak_test\n  base_url: ${composio.url}\n`;
  const helve = await createHelve({
    config,
    limits: unlimited,
    publicUrl: 'http://127.0.0.1:1',
    nativeToolkits: nativeToolkits.filter(({ slug }) => ['results', 'discovery'].includes(slug)),
  });
  const { plane } = helve;
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal: admin } = await plane.redeemAdminLink(await helve.adminLink(workspaceId));
  // Destructive calls run without approval: approvals are not measured here.
  await plane.replacePolicies(admin, [{ id: 'all', effect: 'allow', when: {} }]);
  const { job } = await plane.synchronise(admin, { kind: 'full' });
  for await (const _ of plane.followSync(admin, job.id, new AbortController().signal));
  const apps = await appsWithTools(plane, admin);
  for (const app of apps) await connectApp(plane, admin, app);
  const listed = (await plane.tools(admin)).filter(({ connectionId }) => connectionId !== undefined);
  const titles = new Map(apps.map(({ slug, name }) => [slug, name]));
  const actions = listed.map(({ name, tool, connectionId }) => ({
    id: `${tool.id.toolkit}_${tool.id.name}`.toUpperCase(),
    app: tool.id.toolkit,
    name,
    tool: tool.id.name,
    recorded: toAuditName(tool.id, titles.get(tool.id.toolkit)),
    connectionId,
    parameters: Object.keys(tool.inputSchema.properties ?? {}),
  }));
  const close = async () => {
    await helve.close();
    composio.stop();
  };
  return { helve, admin, actions, close };
}

async function appsWithTools(plane, admin) {
  const apps = [];
  for (let cursor; ; ) {
    const page = await plane.marketplace(admin, { provider: 'composio', limit: 200, ...(cursor && { cursor }) });
    apps.push(...page.apps.filter(({ actionCount }) => actionCount > 0));
    cursor = page.nextCursor;
    if (cursor === undefined) return apps;
  }
}

const orderOf = ({ id }) => createHash('sha1').update(id).digest('hex');

/** Chooses a number of actions: those that are needed, then others of their apps in turn, then any; always the same. */
export function chooseActions(actions, needed, size) {
  const wanted = new Set(needed);
  const chosen = actions.filter(({ id }) => wanted.has(id));
  const apps = new Set(chosen.map(({ app }) => app));
  const rest = actions.filter(({ id }) => !wanted.has(id)).map((action) => ({ action, order: orderOf(action) }));
  rest.sort((a, b) => (a.order < b.order ? -1 : 1));
  const rounds = new Map();
  const placed = rest.map(({ action }) => {
    const round = rounds.get(action.app) ?? 0;
    rounds.set(action.app, round + 1);
    return { action, round: apps.has(action.app) ? round : round + actions.length };
  });
  placed.sort((a, b) => a.round - b.round);
  return [...chosen, ...placed.map(({ action }) => action)].slice(0, size);
}

/** An agent that may call these and nothing else, shown all of them or the meta-tools. */
export async function agentWith({ helve, admin }, slug, actions, toolMode) {
  await helve.plane.createAgent(admin, { slug });
  await helve.plane.changeAgent(admin, slug, { toolMode });
  const grants = new Map();
  for (const { app, tool, connectionId } of actions) {
    const grant = grants.get(connectionId) ?? { toolkit: app, connectionId, tools: [], limits: {}, config: {} };
    grant.tools.push(tool);
    grants.set(connectionId, grant);
  }
  await helve.plane.replaceGrants(admin, slug, [...grants.values()]);
}
