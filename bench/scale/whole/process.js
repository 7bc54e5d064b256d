// One measured process: `process.js <folder> start` says how long its start took and its memory; without `start` it answers
// one question at a time until it gets a message without one.
import { openPlane, signIn } from './plane.js';

const [, , folder, act] = process.argv;
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
  const questions = questionsOf(await people());
  process.send(Object.keys(questions));
  process.on('message', async ({ question }) => {
    if (question === undefined) await close();
    else process.send(await measured(questions[question]));
  });
}

async function close() {
  await helve.close();
  process.disconnect();
}

function questionsOf({ admin, agent }) {
  let number = 0;
  const call = () => {
    number += 1;
    return helve.execute({ principal: agent, tool: 'calculate', input: { expression: `${number} + 1` } });
  };
  const many = (ask, times) => async () => {
    let last;
    for (let at = 0; at < times; at += 1) last = await ask();
    return last;
  };
  const lanes = async () => {
    for (let at = 0; at < 20; at += 1) await Promise.all(Array.from({ length: 32 }, call));
  };
  const changeGrants = () =>
    plane.replaceGrants(admin, 'agent-3', [
      { toolkit: 'math', tools: number++ % 2 ? ['calculate'] : [], limits: {}, config: {} },
    ]);
  return {
    '640 calls, 32 at a time': lanes,
    '50 calls, one after the other': many(call, 50),
    'a change of grants, and the next call': many(async () => {
      await changeGrants();
      return call();
    }, 3),
    'a refused call': many(() => helve.execute({ principal: agent, tool: 'math.unknown', input: {} }), 10),
    'tools of an agent with 39': () => plane.tools(agent, { all: true }),
    'tools of an agent, as shown': () => plane.tools(agent, {}),
    'may it call': many(() => plane.validateAccess(agent, 'calculate', { expression: '1' }), 10),
    explain: () => plane.explain(admin, { agent: 'first', tool: 'calculate', input: { expression: '1' } }),
    'search: tools of an agent': () => plane.searchTools(agent, { query: 'send an e-mail to somebody' }),
    'search: tools of a person': () => plane.searchTools(admin, { query: 'send an e-mail to somebody' }),
    'describe a tool': () => plane.describeTools(agent, ['calculate']),
    'page of agents': () => plane.listAgents(admin, {}),
    'all agents': () => plane.agents(admin),
    'all accounts': () => plane.connections(admin),
    'one account': () => plane.connection(admin, 'account-3'),
    'use of an account': () => plane.connectionUsage(admin, 'account-3'),
    'what could be granted': () => plane.grantCatalogue(admin, 'first', { isShort: true }),
    'tools an agent has in effect': () => plane.effectiveTools(admin, 'first'),
    'all policies': () => plane.policies(admin),
    'page of calls': () => plane.listCalls(admin, {}),
    'calls of an agent': () => plane.listCalls(admin, { agent: 'agent-3' }),
    'calls: facets': () => plane.callFacets(admin, {}),
    'page of the record': () => plane.audit(admin, {}),
    'search of the record: a tool': () => plane.audit(admin, { tool: 'app7.tool_7' }),
    'search of the record: text': () => plane.audit(admin, { text: 'nothing like this' }),
    'page of apps': () => plane.marketplace(admin, {}),
    'search of apps': () => plane.marketplace(admin, { query: 'mail' }),
    toolkits: () => plane.toolkits(admin),
    'page of approvals': () => plane.approvals(admin, {}),
    credentials: () => plane.credentials(admin),
  };
}

async function measured(ask) {
  await new Promise((resolve) => setImmediate(resolve));
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  let answer;
  try {
    answer = await ask();
  } catch (error) {
    answer = { error: error.message };
  }
  const { user, system } = process.cpuUsage(cpu);
  const took = performance.now() - wall;
  return { wall: took, cpu: (user + system) / 1_000, items: answer?.error ?? itemsOf(answer) };
}

function itemsOf(answer) {
  if (Array.isArray(answer)) return answer.length;
  return Object.values(answer ?? {}).find(Array.isArray)?.length ?? 1;
}

async function idle() {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    globalThis.gc();
  }
}

function megabytes() {
  return process.memoryUsage().rss / 1e6;
}
