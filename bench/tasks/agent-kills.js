// Agents with a scripted model that work on issues in whole Helve processes, which are killed at random moments, and every second time
// while an effect or an answer of the model is on its way. Half of the agents call their tools, half write programs. Each makes six
// effects at services outside, which count them, as does the model its answers. Some ask a person, need an approval, or are rejected
// once. With --control the services ignore keys, and each kill is aimed at an effect: then effects must be found twice.
//   node bench/tasks/agent-kills.js [--control] [issues] [kills] [sqlite|postgres]
import { createStore } from '../crash/store.js';
import { startCounterpart } from './agents/counterpart.js';
import { startProcess } from './agents/crew.js';
import { areOver, file, readIssues, startPerson } from './agents/person.js';
import { answersOf, storyOf, titleOf } from './agents/stories.js';

const { createCrew, waitForWork } = await import('../../dist/testing/kill-crew.js');

const isControl = process.argv[2] === '--control';
const [issueCount = 500, killCount = 200, kind = 'sqlite'] = process.argv.slice(isControl ? 3 : 2);
const [issues, killed] = [Number(issueCount), Number(killCount)];
const numbers = Array.from({ length: issues }, (_, at) => at);
const program = new URL('agents/child.js', import.meta.url).pathname;

const began = performance.now();
const store = await createStore(kind);
const kills = new Map();
const counterpart = await startCounterpart({ ignoreKeys: isControl, kills });
let processes = 0;
const keys = new Map();
const crew = createCrew({
  async start() {
    const key = `process-${++processes}`;
    const child = await startProcess(program, { database: store.location, counterpart: counterpart.url, key });
    keys.set(child, key);
    return child;
  },
  processes: 2,
  onKill: (child) => kills.set(keys.get(child), performance.now()),
});
let person;
try {
  await crew.open();
  person = startPerson(crew);
  for (let kill = 0; kill < killed; kill++) {
    await fileSome(Math.floor((kill * issues) / killed), Math.floor(((kill + 1) * issues) / killed));
    await crew.kill(isControl || kill % 2 === 1 ? nextAsker : undefined);
    if (process.stderr.isTTY) process.stderr.write(`\r${kill + 1}/${killed} kills`);
  }
  await fileSome(killed === 0 ? 0 : issues, issues);
  await waitForWork({ isDone: () => areOver(crew).catch(() => false), progress: counterpart.count });
  counterpart.pause();
  await person.stop();
  const problems = [...(await judge()), ...counterpart.judge(numbers), ...person.problems];
  const seconds = Math.round((performance.now() - began) / 1_000);
  const report = { store: kind, issues, kills: killed, ...counterpart.figures(), problems: problems.length, seconds };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`);
  if (isControl ? !problems.some((one) => one.includes('instead of')) : problems.length > 0) process.exitCode = 1;
} finally {
  await person?.stop();
  crew.end();
  await counterpart.stop();
  await store.remove();
}

async function nextAsker() {
  const key = await counterpart.next(10_000);
  return crew.members.find((child) => keys.get(child) === key);
}

async function fileSome(from, to) {
  for (let issue = from; issue < to; issue++) await file(crew, issue);
}

/** What is wrong with the issues themselves. */
async function judge() {
  const found = await readIssues(crew);
  return numbers.flatMap((issue) => {
    const own = found.filter(({ title }) => title === titleOf(issue));
    const [{ state, attempts, usage, delivered, lastError } = {}] = own;
    const facts = { issues: own.length, state, attempts, steps: usage?.steps };
    const steps = answersOf(issue) + counterpart.repetitions(issue);
    const wanted = { issues: 1, state: 'done', attempts: storyOf(issue).attempts.length, steps };
    const isRight = JSON.stringify(facts) === JSON.stringify(wanted) && /Answer/.test(JSON.stringify(delivered));
    return isRight ? [] : [`issue ${issue}: ${JSON.stringify({ ...facts, delivered, lastError })}`];
  });
}
