/** Each test file runs once: it is in exactly one of the projects of `vitest.config.ts`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { projects } from '../../vitest.config.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const testFiles = ['src', 'tests'].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => /\.test\.[jt]sx?$/.test(path) && !path.includes('node_modules')),
);
const groups = projects.map(({ name, include, exclude }) => ({
  name,
  has: picomatch(include, { ignore: exclude }),
}));
const groupsOf = (path: string): string[] => groups.filter(({ has }) => has(path)).map(({ name }) => name);

test('each test file is in exactly one project', () => {
  expect(testFiles.length).toBeGreaterThan(300);
  expect(testFiles.filter((path) => groupsOf(path).length !== 1)).toEqual([]);
  // A file of another kind or place would be in none.
  expect(groupsOf('src/grants/check.test.js')).toEqual([]);
  expect(groupsOf('bench/check.test.ts')).toEqual([]);
});

test('each glob names a file', () => {
  const idle = projects
    .flatMap(({ include }) => include)
    .filter((glob) => !testFiles.some((path) => picomatch(glob)(path)));
  expect(idle).toEqual([]);
});

/** The files of the repository that a test file consists of: itself and the helpers for tests that it imports. */
function partsOf(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']*)\.js'/g)) {
    const part = `${resolve(dirname(path), name)}.ts`;
    if (/\/testing\/(?!index)|\/tests\//.test(part) && existsSync(part)) partsOf(part, found);
  }
  return found;
}

const filesWith = (text: RegExp): string[] =>
  testFiles.filter((path) => [...partsOf(root + path)].some((part) => text.test(readFileSync(part, 'utf8'))));

test('no file of the unit project starts a PostgreSQL, a mock server in a process or a browser', () => {
  const found = filesWith(/\bstartPostgres\(|@stoplight\/prism-cli|\bfindChromium\(/);
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((path) => groupsOf(path).includes('unit'))).toEqual([]);
});

test('no file replaces a module that the next file shares', () => {
  const sharing = projects.filter((project) => 'isolate' in project && !project.isolate).map(({ name }) => name);
  expect(sharing).toEqual(['peers', 'e2e', 'unit']);
  const found = filesWith(/\bvi\.(?:do)?(?:[mM]ock|resetModules)\(\S/);
  expect(found.length).toBeGreaterThan(2);
  expect(found.filter((path) => groupsOf(path).some((name) => sharing.includes(name)))).toEqual([]);
});
