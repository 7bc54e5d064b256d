import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * The projects of the tests. A file belongs to the first that names it; `tests/commands/test-projects.test.ts` fails when
 * one belongs to none, or starts in `unit` what the other projects are for. With `isolate: false` files share a process and
 * their imports, so none may replace a module or leave a global changed.
 */
const groups = [
  {
    // What survives a kill, and several processes or servers on one store.
    name: 'store',
    include: [
      'src/{actors,storage}/**/*.test.ts',
      'src/plane/acts/{list-agents,store-sizes}.test.ts',
      'src/plane/maintenance/{archive,backup}/*.test.ts',
      'src/plane/start/failed-start.test.ts',
      'src/vault/key-file.test.ts',
      'src/walls/files/{crash,race}.test.ts',
      'tests/accounts/{rotation,stampede}.test.ts',
      'tests/authorization/races.test.ts',
      'tests/composio/{kills,storage}.test.ts',
      'tests/tasks/{agent-kills,catch-up-kills,kills,story-kills}.test.ts',
      'tests/e2e/{crash,first-starts-at-once,several-hosts,store-trouble}.test.ts',
    ],
  },
  {
    // The walls, and what replaces a module: each file in a process of its own.
    name: 'walls',
    include: [
      'src/walls/**/*.test.ts',
      'tests/commands/{attacks,limits,ordinary-user,probes}.test.ts',
      'src/util/{process-identity,sandbox/*}.test.ts',
      // Commands may not see what is below /dev, where the memory folder of the other projects is.
      'src/plane/wiring/reach.test.ts',
      'src/toolkits/files/kept-files.test.ts',
      'tests/docs/settings.test.ts',
      'src/providers/openapi-directory/directory-provider.test.ts',
    ],
    // Quotas, and files that are moved between file systems.
    env: { TMPDIR: tmpdir() },
  },
  {
    // Beside services, programs, validators and SDKs of others.
    name: 'peers',
    include: [
      'src/{checker,providers,sdk,toolkits}/**/*.test.ts',
      'src/schema/{real,suite}.test.ts',
      'src/schema/typescript/{corpus,functions,generated,hostile}.test.ts',
      'src/flows/tasks/{known-repos,list-issues,reporting/*,webhooks/edits}.test.ts',
      'src/flows/finding/embeddings/embeddings.test.ts',
      'src/flows/notifying/notifying.test.ts',
      'src/flows/notifying/slack/{buttons,slack}.test.ts',
      'src/flows/workspaces/{slow-sources,unoffered}.test.ts',
      'src/surfaces/http/routes/{connections,routes}.test.ts',
      'tests/{composio,counterparts,discovery,examples}/**/*.test.ts',
    ],
    isolate: false,
  },
  {
    // The panel in a browser: the browser of a file is its own. A test is a whole visit.
    name: 'panel',
    include: ['tests/panel/*.test.ts'],
    testTimeout: 90_000,
  },
  {
    // Whole installations and processes, programs in their threads, and what tries every act of a plane or thousands of cases.
    name: 'e2e',
    include: [
      'tests/**/*.test.ts',
      'src/**/*-property.test.ts',
      'src/flows/runs/runs.test.ts',
      'src/flows/tasks/{programs,verify}.test.ts',
      'src/plane/acts/acts.test.ts',
    ],
    isolate: false,
    // Some start twenty processes one after another.
    testTimeout: 60_000,
  },
  {
    // All other code, quickly.
    name: 'unit',
    include: ['src/**/*.test.ts'],
    isolate: false,
  },
];

export const projects = groups.map((group, at) => ({
  ...group,
  exclude: ['**/node_modules/**', ...groups.slice(0, at).flatMap(({ include }) => include)],
}));

export default defineConfig({
  test: {
    reporters: ['default', './scripts/plain-reporter.js'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Among 14,000 tests, one that races with a slow machine must not stop a release. The last lines of the output name it: it
    // is a fault of the test or of Helve, and is to be mended.
    retry: process.env.CI ? 1 : 0,
    globalSetup: ['./tests/memory-folder.ts'],
    setupFiles: ['./tests/setup.ts'],
    // `expect.poll` waits for something to happen: how long that takes is the machine's business.
    expect: { poll: { timeout: 20_000 } },
    // One more than the two cores of CI: a worker waits for about a third of its time, for timers, sockets and child processes.
    maxWorkers: 3,
    // Without it each project transforms all sources again. Kept in node_modules by contents; `vitest --clearCache` empties it.
    experimental: { fsModuleCache: true },
    projects: projects.map((test) => ({ extends: true as const, test })),
  },
});
