/**
 * Builds dist/ from src/. `node scripts/build.js` also checks the types (`npm run build`). With `--clean` what earlier builds
 * left in dist/ is removed first (`npm pack`). With `--if-stale` it does nothing if dist/ was built from the current sources,
 * and otherwise only compiles them, which needs nothing of `tests/peers` (`npm start`). It also joins the modules
 * and builds the panel, with the tools of panel/.
 *
 * Helve loads parts of itself when they are first used, so a build would mix two versions in a running process. Therefore
 * nothing is built while a server runs from dist/.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildBundle } from './build-bundle.js';
import { buildPanel, installTools, listPanelSources } from './build-panel.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.built-from');
const ifStale = process.argv.includes('--if-stale');
const clean = process.argv.includes('--clean');

const sources = hashSources();
const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
if (!(ifStale && isFresh)) process.exitCode = await build();

async function build() {
  const server = await findServer();
  if (server !== undefined) {
    if (isFresh) return 0;
    console.error(
      `error: Helve runs from this folder (process ${server.pid}), and a build would change it while it runs\n` +
        'hint:  Stop it, then start it again: npm start builds first. To start without a build: node bin/helve.js serve' +
        (server.isSure ? '' : `\n       If no Helve runs from this folder on any machine, remove ${server.path}`),
    );
    return 1;
  }
  if (ifStale) console.error(existsSync(stamp) ? 'The sources have changed: building…' : 'Building…');
  if (clean) rmSync(dist, { recursive: true, force: true });
  const project = ifStale ? 'tsconfig.start.json' : 'tsconfig.build.json';
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const compiling = spawn(process.execPath, [compiler, '-p', join(root, project)], { stdio: 'inherit' });
  const [status, hasTools] = await Promise.all([
    new Promise((resolve) => compiling.once('close', resolve)),
    installTools(),
  ]);
  if (status !== 0) return status ?? 1;
  mkdirSync(dist, { recursive: true });
  if (hasTools) await buildBundle();
  const panelStatus = buildPanel(hasTools);
  if (panelStatus !== 0) return panelStatus;
  writeFileSync(stamp, sources);
  return 0;
}

/** A hash of every file that affects dist/. */
function hashSources() {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const names = [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.start.json',
    'scripts/build-bundle.js',
  ];
  const settings = names.map((name) => join(root, name));
  for (const path of [...files.sort(), ...settings, ...listPanelSources()])
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Finds a process that serves from dist/: each writes a file there (`src/util/served-build.ts`). A process of another machine
 * or container counts as running, because this process cannot know.
 */
async function findServer() {
  const folder = join(dist, '.serving');
  const module = join(dist, 'util', 'process-identity.js');
  if (!existsSync(folder) || !existsSync(module)) return undefined;
  const { processLives } = await import(pathToFileURL(module).href);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    try {
      const identity = JSON.parse(readFileSync(path, 'utf8'));
      const lives = hasRestarted(identity) ? false : processLives(identity);
      if (lives !== false) return { pid: identity.pid, path, isSure: lives === true };
    } catch {
      // It is just being written or removed, or is incomplete, so it does not show that a process runs.
    }
    rmSync(path, { force: true });
  }
  return undefined;
}

/** Whether this machine has been restarted since: then no process from before still runs. */
function hasRestarted({ host, startToken }) {
  if (host !== hostname() || !startToken) return false;
  try {
    return startToken.split('/')[0] !== readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return false;
  }
}
