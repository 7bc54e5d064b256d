// What others wrote and users get: the packages that npm installs with Helve, and those whose code is in the panel's files.
import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

/** Its `package.json` says so in a form that lock files do not have. */
const olderForm = { buildcheck: 'MIT', 'cpu-features': 'MIT', ssh2: 'MIT' };

/** Builds the panel, or joins our own modules, and leaves nothing in them. */
const buildsOnly = (name) => name === 'vite' || name === 'rolldown' || name.startsWith('@types/');

/** Packages as lock files describe them, with `name`, `path`, `version`, `license` and `integrity`, by name. */
export function listInstalled() {
  const { packages } = read('package-lock.json');
  return sorted(Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev));
}

export function listBundled() {
  const { packages } = read('panel/package-lock.json');
  const found = new Map();
  const pending = Object.keys(read('panel/package.json').dependencies).filter((name) => !buildsOnly(name));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const path = `node_modules/${name}`;
    if (found.has(path)) continue;
    found.set(path, packages[path]);
    pending.push(...Object.keys(packages[path].dependencies ?? {}));
  }
  return sorted([...found]);
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function sorted(entries) {
  return entries
    .map(([path, { version, license, integrity }]) => {
      const name = nameOf(path);
      return { name, path, version, license: license ?? olderForm[name], integrity };
    })
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}
