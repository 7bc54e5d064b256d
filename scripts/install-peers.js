/**
 * Installs what only checks, tests and benches need: the tools, the counterparts, the agent SDKs. They are listed in
 * `tests/peers` with a separate lock file, so that an installation that only runs Helve does not download them. Links in
 * `node_modules` make them importable from everywhere in the repository; a package that Helve itself depends on exists once,
 * in `node_modules`. Does nothing if everything is in place. `npm test` and `npm run check` run it first.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const peers = join(root, 'tests', 'peers');
const own = join(root, 'node_modules');
const installed = join(peers, 'node_modules');
const stamp = join(installed, '.installed-from');

const lock = createHash('sha256')
  .update(readFileSync(join(peers, 'package-lock.json')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('Installing the packages that tests need…');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: peers, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const name of packagesIn(installed)) {
  if (!Object.hasOwn(dependencies, name)) link(join(own, name), join(installed, name));
  else if (versionOf(own, name) === versionOf(installed, name)) link(join(installed, name), join(own, name));
}
for (const name of readdirSync(join(installed, '.bin'))) link(join(own, '.bin', name), join(installed, '.bin', name));

/** Names of the packages directly in a `node_modules` folder. */
function packagesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@') ? readdirSync(join(folder, name)).map((inside) => `${name}/${inside}`) : [name];
  });
}

function versionOf(folder, name) {
  return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version;
}

/** Makes `path` a link to `target`. A package that npm put at `path` stays, unless Helve itself has it at `target`. */
function link(path, target) {
  const isInPeers = path.startsWith(installed);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && existsSync(path)) return;
  if (found && !found.isSymbolicLink() && !isInPeers) return;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), target), path);
}
