// How long it takes from the start of a process to the answer to its first search, over Composio's catalogue of about 12,934
// actions in the store, with the index that an earlier process left in the data folder and without it; in turns.
// node bench/discovery/restart.js [rounds]
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , rounds = '9'] = process.argv;
const data = new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url);
if (!existsSync(data)) {
  console.log('skipped: there is no ../shared/data');
  process.exit(0);
}
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Starts a program; resolves with its first message. */
const start = (name, ...args) =>
  new Promise((resolve, reject) => {
    const child = fork(file(name), args);
    child.once('message', (said) => resolve({ child, said }));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
const run = async (...args) => {
  const { child, said } = await start('restart-process.js', ...args);
  await new Promise((resolve) => child.once('exit', resolve));
  return said;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const folder = await mkdtemp(join(tmpdir(), 'helve-bench-restart-'));
const kept = join(folder, 'discovery', 'index.bin');
const { child: composio, said: address } = await start('../marketplace/composio.js');
try {
  console.log(await run('fill', folder, address));
  const rows = { without: [], with: [] };
  for (let round = 0; round < Number(rounds); round++) {
    await rm(kept, { force: true });
    rows.without.push(await run('search', folder, address));
    rows.with.push(await run('search', folder, address));
  }
  const columns = ['opened', 'firstSearch', 'cpuOfSearch', 'longestTurn'];
  const table = Object.entries(rows).map(([name, all]) => [
    name,
    Object.fromEntries([
      ...columns.map((column) => [column, Math.round(median(all.map((one) => one[column])))]),
      ['most', Math.round(Math.max(...all.map(({ firstSearch }) => firstSearch)))],
      ['indexed', all[0].indexed],
    ]),
  ]);
  console.log(`medians of ${rounds} processes each, in ms from the start of the process; CPU of the search alone`);
  console.table(Object.fromEntries(table));
  const answers = new Set([...rows.with, ...rows.without].map(({ answer }) => answer));
  console.log(
    `${answers.size === 1 ? 'the same' : 'DIFFERENT'} answers; the file has ${(await stat(kept)).size} bytes`,
  );
} finally {
  composio.kill();
  await rm(folder, { recursive: true, force: true });
}
