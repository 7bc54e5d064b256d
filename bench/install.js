// How long a user waits for a first start, and its cost in disk and memory: Helve from its package, Executor and n8n,
// each installed into an empty project with an empty home and an empty npm cache, then started until its page answers.
// Rounds are interleaved, because the machine and the network are shared. Helve must have been built (`npm run build`).
// With --no-scripts nothing is compiled or downloaded besides the packages of the registry; n8n does not start then.
// node bench/install.js [rounds 3] [products helve,executor,n8n] [--no-scripts]
import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './support/median.js';

const flags = process.argv.includes('--no-scripts') ? ['--ignore-scripts'] : [];
const [rounds = '3', names = 'helve,executor,n8n'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const root = fileURLToPath(new URL('..', import.meta.url));
const base = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-install-'));
const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
/** Maximum time of an installation, or of a start. */
const patience = { install: 20 * 60_000, start: 5 * 60_000 };

const products = {
  helve: { install: pack(), page: 'panel/', start: (port) => ['helve', 'serve', '--port', port] },
  executor: { install: 'executor', page: '', start: (port) => ['executor', 'web', '--port', port] },
  // One package that it needs is on no registry, so its version there takes the place.
  n8n: {
    install: 'n8n',
    page: '',
    start: () => ['n8n', 'start'],
    overrides: { xlsx: '0.18.5' },
  },
};
let running;

try {
  const figures = new Map();
  for (let round = 0; round < Number(rounds); round++) {
    for (const name of names.split(',')) {
      const figure = await measure(name, join(base, `${name}-${round}`));
      figures.set(name, [...(figures.get(name) ?? []), figure]);
      process.stderr.write(`round ${round + 1} of ${rounds}, ${name}: ${JSON.stringify(figure)}\n`);
    }
  }
  for (const [name, all] of figures) {
    const [install, size, start, memory] = Object.keys(all[0]).map((key) => median(all.map((one) => one[key])));
    const page = start > 0 ? `page after ${start.toFixed(1)} s, ${memory.toFixed(0)} MB of memory` : 'no page';
    console.log(`${name}: installed in ${install.toFixed(1)} s, ${size.toFixed(0)} MB; ${page}`);
  }
} finally {
  stop();
  rmSync(base, { recursive: true, force: true });
}

function pack() {
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', base], { cwd: root });
  return join(base, JSON.parse(out)[0].filename);
}

async function measure(name, folder) {
  const product = products[name];
  if (product === undefined) throw new Error(`There is no product ${name}: name some of ${Object.keys(products)}`);
  const [project, home] = [join(folder, 'project'), join(folder, 'home')];
  for (const made of [project, home]) mkdirSync(made, { recursive: true });
  const manifest = { name: 'empty', private: true, overrides: product.overrides };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const port = await findPort();
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_registry: registry,
    N8N_PORT: port,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_DIAGNOSTICS_ENABLED: 'false',
  };
  const place = { cwd: project, env };

  const installStart = performance.now();
  const code = await Promise.race([
    launch('npm', ['install', '--no-audit', '--no-fund', ...flags, product.install], place),
    wait(patience.install, 'too slow', { ref: false }),
  ]);
  if (code !== 0) throw new Error(`${name} could not be installed (${code}): ${running.said.slice(-2000)}`);
  const installSeconds = secondsSince(installStart);
  const megabytes = megabytesOf(join(project, 'node_modules'));

  const start = performance.now();
  void launch('npx', ['--no-install', ...product.start(port)], place);
  const answers = await waitForPage(`http://127.0.0.1:${port}/${product.page}`, name);
  const startSeconds = answers ? secondsSince(start) : Number.NaN;
  const memoryMb = answers ? memoryOfGroup(running.child.pid) : Number.NaN;
  stop();
  rmSync(folder, { recursive: true, force: true });
  return { installSeconds, megabytes, startSeconds, memoryMb };
}

/**
 * Starts a program in its own process group, so that `stop` also ends its child processes. Resolves to its exit
 * code.
 */
function launch(command, args, { cwd, env }) {
  const child = spawn(command, args, { cwd, env, detached: true });
  running = { child, said: '', code: undefined };
  const mine = running;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (mine.said += chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      mine.code = code;
      resolve(code);
    });
  });
}

function stop() {
  try {
    process.kill(-running.child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Whether there is a page. While a product is still starting, it may answer with an error. */
async function waitForPage(url, name) {
  const until = performance.now() + patience.start;
  while (performance.now() < until && running.code === undefined) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok && (await answer.text()).includes('<script')) return true;
    await wait(50);
  }
  process.stderr.write(`${name} shows no page at ${url}: ${running.said.slice(-2000)}\n`);
  return false;
}

/** Resident memory of the processes of a group, in MB. Shared memory is counted for each of them. */
function memoryOfGroup(group) {
  let kilobytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2] !== String(group)) continue;
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return kilobytes / 1024;
}

/** Megabytes on the disk, as `du` counts them; a file with several names counts once. */
function megabytesOf(folder) {
  const blocks = new Map();
  for (const path of readdirSync(folder, { recursive: true })) {
    const stat = lstatSync(join(folder, path));
    blocks.set(stat.ino, stat.blocks);
  }
  return [...blocks.values()].reduce((sum, own) => sum + own, 0) / 2048;
}

async function findPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

function secondsSince(start) {
  return (performance.now() - start) / 1000;
}
