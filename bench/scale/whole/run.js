// What everything that an installation keeps costs its calls, lists and searches: a store with 1 million rows of the record, 1,000
// agents, 2,000 accounts, 20,000 grants, 5,000 policies and Composio's 12,947 actions, beside a store with one page of each.
//   node bench/scale/whole/run.js [folder] [part of these numbers, 0 to 1] [rounds] [text in the questions] [stages]
// The stages are starts (of a process), first (what a question costs a process that was asked none yet) and questions.
// A folder that is given keeps the two stores, so that a second run starts at once; a seed that was interrupted goes on where it
// stopped. Each question is asked in both processes in turns; the figures are medians of the rounds.
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../support/median.js';
import { firstQuestions } from './questions.js';

const [given = '', part = '1', rounds = '9', only = '', stages = 'starts,first,questions'] = process.argv.slice(2);
if (!existsSync(new URL('../../../../shared/data/discovery/composio/tools.jsonl', import.meta.url))) {
  console.log('skipped: there is no ../shared/data');
  process.exit(0);
}
const folder = given === '' ? mkdtempSync(join(tmpdir(), 'helve-whole-')) : resolve(given);
const stores = { small: join(folder, 'small'), large: join(folder, `large-${part}`) };

await seed();
const compare = { starts: compareStarts, first: compareFirst, questions: compareQuestions };
for (const stage of stages.split(',')) console.table(await compare[stage]());
if (given === '') rmSync(folder, { recursive: true, force: true });

function partOf(name) {
  return name === 'small' ? '0' : part;
}

async function seed() {
  const composio = start('../../marketplace/composio.js');
  const address = await next(composio);
  for (const [name, place] of Object.entries(stores)) {
    mkdirSync(place, { recursive: true });
    const child = start('seed.js', place, address, partOf(name));
    child.on('message', (line) => process.stderr.write(`\r${name}: ${line}\x1b[K`));
    await ended(child);
  }
  composio.kill();
  process.stderr.write('\n');
}

/** Each process is measured alone, in turns: from its start to the answer to its first call, and its memory when it has been idle. */
async function compareStarts() {
  const seen = { small: [], large: [] };
  for (let round = 0; round < Math.ceil(Number(rounds) / 2); round += 1)
    for (const [name, place] of Object.entries(stores)) {
      const child = start('process.js', place, partOf(name), 'start');
      seen[name].push(await next(child));
      await ended(child);
    }
  const row = (key) => {
    const [small, large] = [seen.small, seen.large].map((all) => median(all.map((one) => one[key])));
    return { small: round(small), large: round(large), ratio: round(large / small) };
  };
  return {
    'start, ms (≤ 2,000)': row('opened'),
    'start to the first answer, ms (≤ 700)': row('answered'),
    'memory of an idle plane, MB (≤ 120)': row('memory'),
    'memory after lists and searches, MB': row('memoryAfter'),
  };
}

async function compareQuestions() {
  const children = Object.fromEntries(
    Object.entries(stores).map(([name, place]) => [name, start('process.js', place, partOf(name))]),
  );
  const names = await Promise.all(Object.values(children).map(next));
  const asked = names[0].filter(({ name }) => name.includes(only));
  const answers = Object.fromEntries(asked.map(({ name }) => [name, { small: [], large: [] }]));
  for (const { name: question } of asked) {
    for (let done = 0; done <= Number(rounds); done += 1)
      for (const [name, child] of Object.entries(children)) {
        process.stderr.write(`\r${question}: round ${done} of ${rounds}, ${name}\x1b[K`);
        child.send({ question });
        const measured = await next(child);
        // The first round warms up.
        if (done > 0) answers[question][name].push(measured);
      }
  }
  process.stderr.write('\n');
  for (const child of Object.values(children)) {
    child.send({});
    await ended(child);
  }
  return Object.fromEntries(asked.map(({ name, whole }) => [name, compared(answers[name], whole)]));
}

/** What each question costs a process that has answered none yet. */
async function compareFirst() {
  const rows = {};
  for (const question of firstQuestions.filter((name) => name.includes(only))) {
    const seen = { small: [], large: [] };
    for (let done = 0; done < Math.ceil(Number(rounds) / 2); done += 1)
      for (const [name, place] of Object.entries(stores)) {
        const child = start('process.js', place, partOf(name), 'first', question);
        seen[name].push(await next(child));
        await ended(child);
      }
    rows[`first: ${question}`] = compared(seen, false);
  }
  return rows;
}

/**
 * Wall and CPU time in milliseconds, the ratio of each, and for how long the event loop of the large store was blocked at most.
 * `whole`: the ratio is per item, as the answer has no pages.
 */
function compared({ small, large }, whole) {
  const of = (all, key) => median(all.map((one) => one[key]));
  const [few, many] = [small[0].items, large[0].items];
  const share = whole ? few / many : 1;
  return {
    small: round(of(small, 'wall')),
    large: round(of(large, 'wall')),
    ratio: round((of(large, 'wall') / of(small, 'wall')) * share),
    'cpu small': round(of(small, 'cpu')),
    'cpu large': round(of(large, 'cpu')),
    'cpu ratio': round((of(large, 'cpu') / of(small, 'cpu')) * share),
    'blocked large': round(of(large, 'blocked')),
    items: `${few}, ${many}${whole ? ' (per item)' : ''}`,
  };
}

function round(value) {
  return Number(value.toPrecision(3));
}

function start(name, ...args) {
  return fork(fileURLToPath(new URL(name, import.meta.url)), args);
}

function next(child) {
  return new Promise((resolve, reject) => {
    const failed = (code) => reject(new Error(`The process ended with ${code}`));
    child.once('exit', failed);
    child.once('message', (said) => {
      child.off('exit', failed);
      resolve(said);
    });
  });
}

function ended(child) {
  return new Promise((resolve, reject) =>
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`The process ended with ${code}`)))),
  );
}
