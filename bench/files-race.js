// Six operations of the file wall while a process swaps folders, files, links and hard links:
// `node bench/files-race.js [calls of each]`, 20,000 by default. Two ways of reading that check a name before they open it run
// against the same adversary, to show that it does find leaks.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openFiles } from '../dist/walls/files/index.js';

const calls = Number(process.argv[2] ?? 20_000);
const lanes = 8;
const folder = realpathSync(mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-race-')));
const root = join(folder, 'root');
const outside = join(folder, 'outside');
mkdirSync(root);
mkdirSync(outside);
for (const name of ['file', 'victim', 'log', 'only-outside']) writeFileSync(join(outside, name), 'CANARY');
const picture = () =>
  JSON.stringify(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')]));
const before = picture();

const swapper = spawn(process.execPath, [new URL('files-race-swapper.js', import.meta.url).pathname, root, outside], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
await new Promise((ready) => swapper.stdout.once('data', ready));
let swaps = '';
swapper.stdout.on('data', (text) => {
  swaps += text;
});

const files = await openFiles({
  allowedPaths: [`${root}/**`],
  maxBytes: 10_000_000,
  writable: true,
  home: undefined,
  hidden: [],
});
const leaks = (text) => text.includes('CANARY') || text.includes('only-outside');
const read = async (path) => leaks(Buffer.from((await files.read(path)).bytes).toString());
const bytes = Buffer.from('written');
const either = (n) => (n % 2 ? 'dir/file' : 'name');
const operations = {
  read: (n) => read(either(n)),
  write: async (n) => {
    await files.write(n % 4 ? either(n) : 'dir/new', bytes, 'overwrite');
  },
  append: async (n) => {
    await files.write(n % 2 ? 'dir/log' : 'name', bytes, 'append');
  },
  list: async () => leaks(JSON.stringify(await files.list('dir', { limit: 1_000 }))),
  delete: async (n) => {
    await files.delete(n % 2 ? 'dir/victim' : 'dir/only-outside', { recursive: false });
  },
  move: async (n) => {
    await files.move(n % 2 ? 'dir/victim' : 'name', n % 3 ? `dir/moved-${n}` : `moved-${n}`);
    await files.delete(n % 3 ? `dir/moved-${n}` : `moved-${n}`, { recursive: true });
  },
  'control: name checked, then read': async (n) => {
    const path = resolve(root, either(n));
    return path.startsWith(`${root}/`) && leaks(await readFile(path, 'utf8'));
  },
  'control: realpath checked, then read': async (n) => {
    const path = await realpath(join(root, either(n)));
    return path.startsWith(`${root}/`) && leaks(await readFile(path, 'utf8'));
  },
};

for (const [name, operation] of Object.entries(operations)) {
  const seen = { done: 0, leaked: 0, refused: {} };
  const started = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < calls) {
      try {
        if ((await operation(next++)) === true) seen.leaked += 1;
        seen.done += 1;
      } catch (error) {
        seen.refused[error.code] = (seen.refused[error.code] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const touched = picture() === before ? 'outside untouched' : 'OUTSIDE CHANGED';
  const refused = Object.entries(seen.refused).map(([code, count]) => `${code} ${count}`);
  const perCall = (((performance.now() - started) * 1_000) / calls).toFixed(0);
  console.log(
    `${name}: ${calls} calls, ${seen.leaked} leaks, ${touched}; done ${seen.done}, ${refused.join(', ')}; ${perCall} µs`,
  );
}
swapper.stdin.end();
await new Promise((ended) => swapper.once('exit', ended));
console.log(`rounds of swapping: ${swaps.trim()}`);
rmSync(folder, { recursive: true, force: true });
