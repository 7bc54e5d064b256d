// How many tokens a model needs to complete a task: every tool in its prompt, compared with `search_tools`, `describe_tools`
// and `call_tool`. Fifty requests of people, each of which one action of Composio can serve, in a loop of the AI SDK, with a
// scripted model (tokens/model.js). Tokens are o200k_base, of all that is sent and answered.
//   node bench/discovery/tokens.js [sizes, comma-separated] [every n-th task] [details: yes|no]
import { existsSync } from 'node:fs';
import { fromDist } from './dist.js';
import { judge, runTasks } from './tokens/loop.js';
import { startModel } from './tokens/model.js';
import { agentWith, chooseActions, startPlane } from './tokens/plane.js';
import { printDetails, printTable } from './tokens/table.js';
import { peopleTasks } from './tokens/tasks-people.js';
import { workTasks } from './tokens/tasks-work.js';

if (!existsSync(new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url))) {
  console.log('skipped: no ../shared/data/discovery/composio');
  process.exit(0);
}
const [, , sizesAsked = '10,20,40,200,1000,all', step = '1', details = 'no'] = process.argv;
const tasks = [...peopleTasks, ...workTasks].filter((_, index) => index % Number(step) === 0);
const note = (text) => console.error(`${Math.round(performance.now() / 1_000)} s: ${text}`);

const { toolsFor } = await fromDist('sdk/ai-sdk.js');
const plane = await startPlane();
const model = await startModel();
const byName = new Map(plane.actions.map((action) => [action.name, action]));
const byRecordedName = new Map(plane.actions.map((action) => [action.recorded, action]));
note(`${plane.actions.length} actions of ${new Set(plane.actions.map(({ app }) => app)).size} connected apps`);

/** Apps of one service under two names: both can do the same. */
const twins = {
  SLACKBOT: ['SLACK'],
  GOOGLESUPER: ['GMAIL', ...['CALENDAR', 'DRIVE', 'SHEETS', 'TASKS'].map((one) => `GOOGLE${one}`)],
};

/** The arguments of a task for an action; undefined if the action does not fit. */
function argumentsFor(task, action) {
  if (action === undefined) return undefined;
  const app = action.app.toUpperCase();
  const asked = [app, ...(twins[app] ?? [])].map((one) => `${one}${action.id.slice(app.length)}`);
  const right = task.tools.find(({ id }) => asked.includes(id))?.arguments;
  return right && Object.keys(right).every((name) => action.parameters.includes(name)) ? right : undefined;
}
const rightOf = (task) => (name) => argumentsFor(task, byName.get(name));

/** A small set has the tools of only a few tasks: a quarter are tools that the agent will need, the rest are others. */
function groupsOf(size) {
  const most = Math.max(1, Math.floor(size / 4));
  const count = Math.ceil(tasks.length / most);
  return Array.from({ length: count }, (_, group) => tasks.filter((__, index) => index % count === group));
}

async function measure(size, way) {
  const rows = [];
  for (const [index, group] of groupsOf(size).entries()) {
    const actions = chooseActions(
      plane.actions,
      group.map(({ tools }) => tools[0].id),
      size,
    );
    const slug = `agent-${way}-${size}-${index}`;
    await agentWith(plane, slug, actions, way === 'all' ? 'direct' : 'meta');
    const setting = { helve: plane.helve, toolsFor, model, principal: { agent: slug } };
    rows.push(...(await runTasks(setting, way, group, rightOf)));
  }
  const events = [];
  const wanted = new Set(rows.flatMap(({ executions }) => executions));
  for await (const event of plane.helve.plane.exportAudit(plane.admin))
    if (wanted.has(event.executionId)) events.push(event);
  return judge(rows, events, (task, recorded) => argumentsFor(task, byRecordedName.get(recorded)));
}

const sizes = sizesAsked.split(',').map((size) => (size === 'all' ? plane.actions.length : Number(size)));
const runs = [];
for (const size of sizes) {
  for (const way of ['all', 'meta']) {
    const rows = await measure(size, way);
    runs.push({ size, way, rows });
    note(`${size} tools, ${way}: ${rows.filter(({ succeeded }) => succeeded).length} of ${rows.length}`);
  }
}
printTable(runs);
for (const run of runs) printDetails(run, details === 'yes');
await model.stop();
await plane.close();
