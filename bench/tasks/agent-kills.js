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
const [wantedIssues, wantedKills] = [Number(issueCount), Number(killCount)];
/** Maximum number of further kills in a campaign while none has interrupted any work. */
const maxMoreKills = 10;
const program = new URL('agents/child.js', import.meta.url).pathname;

const began = performance.now();
const store = await createStore(kind);
const killedAt = new Map();
const counterpart = await startCounterpart({ ignoreKeys: isControl, kills: killedAt });
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
  onKill: (child) => killedAt.set(keys.get(child), performance.now()),
});
let person;
try {
  await crew.open();
  person = startPerson(crew);
  let [issues, kills] = [0, 0];
  const fileUpTo = async (count) => {
    for (; issues < count; issues++) await file(crew, issues);
  };
  const killOne = async (aim) => {
    await crew.kill(aim);
    kills += 1;
    if (process.stderr.isTTY) process.stderr.write(`\r${kills}/${wantedKills} kills`);
  };
  const finish = () => waitForWork({ isDone: () => areOver(crew).catch(() => false), progress: counterpart.count });
  while (kills < wantedKills) {
    // Waits from now on, because the agents of few issues would finish before the kill.
    const asker = isControl || kills % 2 === 1 ? nextAsker() : undefined;
    await fileUpTo(Math.floor(((kills + 1) * wantedIssues) / wantedKills));
    await killOne(asker && (() => asker));
  }
  await fileUpTo(wantedIssues);
  await finish();
  // Few kills may have hit no work that had begun.
  while (kills > 0 && kills < wantedKills + maxMoreKills && !hasInterrupted()) {
    const asker = nextAsker();
    await fileUpTo(issues + 1);
    await killOne(() => asker);
    await finish();
  }
  counterpart.pause();
  await person.stop();
  const numbers = Array.from({ length: issues }, (_, at) => at);
  const problems = [...(await judge(numbers)), ...counterpart.judge(numbers), ...person.problems];
  const seconds = Math.round((performance.now() - began) / 1_000);
  const report = { store: kind, issues, kills, ...counterpart.figures(), problems: problems.length, seconds };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  for (const problem of problems.slice(0, 20)) process.stdout.write(`${problem}\n`);
  if (isControl ? !problems.some((one) => one.includes('instead of')) : problems.length > 0) process.exitCode = 1;
} finally {
  await person?.stop();
  crew.end();
  await counterpart.stop();
  await store.remove();
}

/** The process whose agent asks next; it does not get its answer before the kill. */
async function nextAsker() {
  const key = await counterpart.next(60_000);
  return crew.members.find((child) => keys.get(child) === key);
}

function hasInterrupted() {
  const { repeated, askedAgain } = counterpart.figures();
  return repeated + askedAgain > 0;
}

/** What is wrong with the issues themselves. */
async function judge(numbers) {
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
