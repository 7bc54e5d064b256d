import { defineConfig } from 'vitest/config';

/** Tests of what survives a kill, and of several processes or servers on one store. */
const store = [
  'src/storage/**/*.test.ts',
  'src/vault/key-file.test.ts',
  'src/walls/files/{crash,race}.test.ts',
  'tests/accounts/{rotation,stampede}.test.ts',
  'tests/authorization/races.test.ts',
  'tests/composio/{kills,storage}.test.ts',
  'tests/e2e/{crash,first-starts-at-once,several-hosts,store-trouble}.test.ts',
];

/** The code that speaks with services, programs and SDKs of others: its tests start these. */
const peers = ['src/{providers,sdk,toolkits}/**/*.test.ts', 'tests/{composio,counterparts,discovery,examples}/**/*.test.ts'];

/**
 * The projects of the tests. Each file belongs to exactly one: to the first below that names it.
 * `tests/commands/test-projects.test.ts` fails otherwise.
 */
const groups = [
  { name: 'store', include: store },
  { name: 'peers', include: peers },
  { name: 'e2e', include: ['tests/**/*.test.ts'] },
  { name: 'unit', include: ['src/**/*.test.ts'] },
];

