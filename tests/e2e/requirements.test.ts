/** Checks that tests and requirements match. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { requirements } from './requirements.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const titles = ['src', 'tests'].flatMap(testFiles).flatMap((path) =>
  [
    ...readFileSync(path, 'utf8').matchAll(/\b(?:test|it|describe)(?:\.\w+)*(?:\([^'"`]*?\))?\(\s*(['"`])(.*?)\1/gs),
  ].map((match) => ({
    path,
    scenario: !match[0].startsWith('describe'),
    title: match[2] ?? '',
  })),
);
const cited = new Set(titles.flatMap(({ title }) => title.match(/R-[a-z]+(?:-[a-z]+)*/g) ?? []));

function testFiles(folder: string): string[] {
  return (
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      // The contract suites in testing/ are tests too: `*.test.ts` files of the adapters run them.
      .filter((path) => path.endsWith('.test.ts') || /\/testing\/.*\.ts$/.test(path))
  );
}

test('every id that a test cites exists and is not put off', () => {
  expect([...cited].filter((id) => (requirements[id]?.state ?? 'later') === 'later')).toEqual([]);
});

test('every requirement of this release is cited by a test', () => {
  const required = Object.entries(requirements).filter(([, { state }]) => state !== 'later');
  expect(required.map(([id]) => id).filter((id) => !cited.has(id))).toEqual([]);
});

test('every scenario in tests/e2e cites a requirement', () => {
  const scenarios = titles.filter(
    ({ path, scenario }) => scenario && path.includes('/tests/e2e/') && !path.endsWith('requirements.test.ts'),
  );
  expect(scenarios.filter(({ title }) => !/R-[a-z]/.test(title))).toEqual([]);
});

test('docs/requirements.md has the same ids and states, and says what is missing', () => {
  const page = readFileSync(join(root, 'docs/requirements.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (R-[a-z-]+) \| (.*) \| (.*) \|$/gm)].map(([, id, meaning, state]) => ({
    id: id ?? '',
    meaning: meaning ?? '',
    state: state ?? '',
  }));
  const expected = Object.entries(requirements).map(([id, { state, note }]) => [
    id,
    note === undefined ? state : `${state}; missing: ${note}`,
  ]);
  expect(rows.map(({ id }) => id).sort()).toEqual(expected.map(([id]) => id).sort());
  expect(Object.fromEntries(rows.map(({ id, state }) => [id, state]))).toEqual(Object.fromEntries(expected));
  expect(rows.filter(({ meaning }) => !/^[A-Z“`].*\.$/.test(meaning))).toEqual([]);
});

test('every partial requirement says what is missing, and no other does', () => {
  const wrong = Object.entries(requirements).filter(
    ([, { state, note }]) => (state === 'part') !== (note !== undefined),
  );
  expect(wrong).toEqual([]);
});
