/** Packages that are not installed with Helve. What an installation without them does: `tests/e2e/package.test.ts`. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage, packagePlaces, packageSets, packagesFolder } from './packages.js';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

test('R-operate: the versions that are added are those that the tests run with, and Helve does not depend on them', () => {
  const own = read('../../package.json');
  const tested = { ...read('../../tests/peers/package.json').dependencies, ...own.devDependencies };
  for (const { packages } of Object.values(packageSets))
    for (const [name, version] of Object.entries(packages)) {
      expect([name, tested[name]]).toEqual([name, version]);
      expect(own.dependencies).not.toHaveProperty([name]);
      // A version that a project has for itself must not keep Helve from being installed beside it.
      expect(own.peerDependencies).not.toHaveProperty([name]);
    }
});

test('R-operate: a package beside Helve is found before the one in the data folder, without links', async () => {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'helve-packages-')));
  const beside = findPackage('typescript', 'code') ?? '';
  expect(read(join(beside, 'package.json'))).toHaveProperty('version', packageSets.code.packages.typescript);
  const added = join(packagesFolder(dataDir, 'code'), 'node_modules', 'typescript');
  await mkdir(added, { recursive: true });
  await writeFile(join(added, 'package.json'), '{"name":"typescript","version":"7.9.9"}');
  expect(findPackage('typescript', 'code', dataDir)).toBe(beside);
  expect(packagePlaces('code', dataDir)).toEqual([await realpath(dirname(beside))]);
  await rm(dataDir, { recursive: true });
});
