/**
 * Builds the panel into dist/panel. What the build needs is in panel/, with a lock file of its own, and is installed when it
 * is first needed, while the compiler works. If that is not possible, Helve runs without the panel.
 * `node scripts/build-panel.js --tools` only installs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const panel = join(root, 'panel');
const installed = join(panel, 'node_modules', '.installed-from');

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await installTools()) ? 0 : 1;

/** Installs the packages that build the panel and join modules (`build-bundle.js`). Resolves with whether they are there. */
export async function installTools() {
  if (!existsSync(panel)) return false;
  const lock = createHash('sha256')
    .update(readFileSync(join(panel, 'package-lock.json')))
    .digest('hex');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return true;
  const child = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'], {
    cwd: panel,
    stdio: 'ignore',
    timeout: 120_000,
  });
  const status = await new Promise((resolve) => child.once('close', resolve).once('error', () => resolve(1)));
  if (status === 0) writeFileSync(installed, lock);
  return status === 0;
}

/** Returns the exit code. `hasTools`: what `installTools` resolved with. */
export function buildPanel(hasTools) {
  if (!existsSync(panel)) return 0;
  if (!hasTools) {
    console.error(
      'There is no panel, because the packages that build it could not be installed. Helve works without it, and starts more slowly.\n' +
        'hint:  To have it, run npm ci in panel/, then npm run build',
    );
    return 0;
  }
  const vite = join(panel, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = { cwd: panel, stdio: 'inherit' };
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], options);
  if (status === 0) compressFiles(join(root, 'dist', 'panel'));
  return status ?? 1;
}

/** The files that the panel is built from. */
export function listPanelSources() {
  if (!existsSync(panel)) return [];
  const single = ['index.html', 'package-lock.json', 'vite.config.js'].map((name) => join(panel, name));
  const inFolders = ['public', 'src'].flatMap((name) =>
    readdirSync(join(panel, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  return [...single, ...inFolders].sort();
}

/** Writes a .br and a .gz next to each text file, so that the server compresses nothing. */
function compressFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|css|html|svg)$/.test(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
