// One measured process: `process.js <folder> <part> start` says how long its start took and its memory; `first <question>` what a question
// costs that is the first one of the process; otherwise it answers one question at a time until it gets a message without one.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openPlane, signIn, sizesOf } from './plane.js';

const [, , folder, part, act, only] = process.argv;
const helve = await openPlane(folder);
const opened = performance.now();
const { plane } = helve;

if (act === 'start') {
  const answered = await firstAnswer();
  await idle();
  const memory = megabytes();
  const { admin, agent } = await people();
  await plane.tools(agent, { all: true });
  await plane.searchTools(agent, { query: 'send an e-mail' });
  await plane.listAgents(admin, {});
  await idle();
  process.send({ opened, answered, memory, memoryAfter: megabytes() });
  await close();
} else if (act === 'first') {
  process.send(await measured({ ...(await questions())[only], times: 1 }));
  await close();
} else await answerQuestions();

async function firstAnswer() {
  const { agent } = await people();
  await helve.execute({ principal: agent, tool: 'calculate', input: { expression: '1 + 1' } });
  return performance.now();
}

async function people() {
  const { workspaceId, admin } = await signIn(helve);
  return { workspaceId, admin, agent: await plane.actAs(admin, 'first') };
}

async function answerQuestions() {
  const asked = await questions();
  process.send(Object.entries(asked).map(([name, { whole = false }]) => ({ name, whole })));
  process.on('message', async ({ question }) => {
    if (question === undefined) await close();
    else process.send(await measured(asked[question]));
  });
}

async function questions() {
  // Not immediately: the start is measured without the code that only the questions load.
  const { questionsOf } = await import('./questions.js');
  return questionsOf({ helve, rows: sizesOf(Number(part)).rows, ...(await people()) });
}

async function close() {
  await helve.close();
  process.disconnect();
}

/**
 * Milliseconds of one request, the number of items in its answer, and how long the event loop was blocked at most. The
 * preparation of a request is not measured.
 */
async function measured({ ask, before, times = 1 }) {
  let [wall, cpu, items] = [0, 0, 0];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let at = 0; at < times; at += 1) {
    await before?.();
    delay.enable();
    // It measures from its first turn on.
    await new Promise((resolve) => setTimeout(resolve, 3));
    const [began, used] = [performance.now(), process.cpuUsage()];
    const answer = await ask().catch((error) => ({ error: error.message }));
    const { user, system } = process.cpuUsage(used);
    wall += performance.now() - began;
    cpu += (user + system) / 1_000;
    // The delay of the last block is only seen in the next turns.
    await new Promise((resolve) => setTimeout(resolve, 3));
    delay.disable();
    items = answer?.error?.code ?? answer?.error ?? itemsOf(answer);
  }
  return { wall: wall / times, cpu: cpu / times, items, blocked: delay.max / 1e6 };
}

function itemsOf(answer) {
  if (Array.isArray(answer)) return answer.length;
  return Object.values(answer ?? {}).find(Array.isArray)?.length ?? 1;
}

/** V8 gives memory back by itself once a process has had nothing to do for some 25 seconds. */
async function idle() {
  await new Promise((resolve) => setTimeout(resolve, 45_000));
}

function megabytes() {
  return process.memoryUsage().rss / 1e6;
}
