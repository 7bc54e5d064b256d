// Takes each check out of the code, one at a time, and runs the tests that pass by it: one of them must fail.
//   node scripts/mutation/run.js                    every folder that holds a wall
//   node scripts/mutation/run.js --changed [rev]    only lines that changed since rev (default: the commit before the last)
//   node scripts/mutation/run.js src/grants …       only these files and folders
//   … --tests src/grants,tests/mcp                  only with the tests in these, instead of all that may pass by
// What survives is printed with its line; the command fails if anything does. Those that change nothing are listed in
// `equivalent.json` with the reason.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { findMutants, withMutants } from './find-mutants.js';

const root = resolve(import.meta.dirname, '../..');
const planeTests = [
  'src/approvals',
  'src/grants',
  'src/policies',
  'src/plane',
  'src/audit',
  'src/execution',
  'src/surfaces',
];
/** Files and folders that hold a wall, and where the tests are that run them in their own process. */
const walls = {
  'src/approvals': planeTests,
  'src/grants': planeTests,
  'src/policies': planeTests,
  'src/principals': [...planeTests, 'tests/authorization'],
  'src/plane/authorization': ['tests/authorization'],
  'src/plane/accounts': ['src/plane', 'tests/accounts'],
  'src/plane': planeTests,
  'src/audit': ['src/audit', 'src/plane'],
  'src/walls/egress': ['src/walls/egress'],
  'src/walls/files': ['src/walls/files', 'src/toolkits/files'],
  'src/surfaces/http': ['src/surfaces', 'tests/authorization'],
  'src/surfaces/mcp/ask-person.ts': ['src/surfaces/mcp', 'tests/mcp/who-approves.test.ts'],
  'src/surfaces/mcp/conversation.ts': ['src/surfaces/mcp', 'tests/mcp/asking.test.ts'],
  'src/surfaces/mcp/conversations.ts': ['src/surfaces/mcp', 'tests/mcp/asking.test.ts'],
  'src/surfaces/mcp/questions.ts': ['src/surfaces/mcp'],
  'src/surfaces/mcp/param-headers.ts': ['tests/mcp/param-headers.test.ts'],
  'src/toolkits/database/sqlite-admit.ts': ['src/toolkits/database'],
};

const args = process.argv.slice(2);
const changedAt = args.indexOf('--changed');
const since = changedAt === -1 ? undefined : (args[changedAt + 1] ?? 'HEAD^');
const testsAt = args.indexOf('--tests');
const onlyTests = testsAt === -1 ? undefined : (args[testsAt + 1] ?? '').split(',');
const given = args.filter(
  (arg, at) =>
    !arg.startsWith('--') && (changedAt === -1 || at !== changedAt + 1) && (testsAt === -1 || at !== testsAt + 1),
);
if (since !== undefined && !isCommit(since)) {
  console.log(`There is no commit ${since} here, so nothing is known to have changed`);
  process.exit(0);
}
const equivalent = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'));

function sourcesIn(path) {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true })
    .map((name) => join(path, name))
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name));
}

function isCommit(rev) {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `${rev}^{commit}`], { cwd: root });
    return true;
  } catch {
    return false;
  }
}

/** Numbers of the lines that a file has new since `since`. */
function changedLines(path) {
  const patch = execFileSync('git', ['diff', '-U0', since, '--', path], { cwd: root, encoding: 'utf8' });
  return new Set(
    [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].flatMap(([, from, count = '1']) =>
      Array.from({ length: Number(count) }, (_, at) => Number(from) + at),
    ),
  );
}

const keyOf = ({ path, kind, text }) => `${path}: ${kind}: ${text}`;
const mutants = [];
const byPath = new Map();
/** The most exact entry that the file is in. */
const wallOf = (path) =>
  Object.keys(walls)
    .filter((wall) => path === wall || path.startsWith(`${wall}/`))
    .sort((one, other) => other.length - one.length)[0];
const testFolders = new Set();
for (const path of new Set((given.length > 0 ? given : Object.keys(walls)).flatMap(sourcesIn))) {
  const lines = since === undefined ? undefined : changedLines(path);
  const ofFile = findMutants(readFileSync(join(root, path), 'utf8'))
    .filter(({ line }) => lines?.has(line) ?? true)
    .map((mutant, at) => ({ ...mutant, path, id: mutants.length + at }));
  if (ofFile.length === 0) continue;
  byPath.set(join(root, path), ofFile);
  for (const folder of onlyTests ?? walls[wallOf(path)] ?? planeTests) testFolders.add(folder);
  mutants.push(...ofFile);
}
console.log(`${mutants.length} mutants in ${byPath.size} files`);
if (mutants.length === 0) process.exit(0);

const passedFolder = mkdtempSync(join(tmpdir(), 'helve-mutants-'));
process.env.HELVE_MUTANTS_PASSED = passedFolder;
const vitest = await createVitest(
  'test',
  {
    root,
    watch: false,
    reporters: [{}],
    setupFiles: [join(import.meta.dirname, 'setup.js')],
    bail: 1,
    testTimeout: 60_000,
    maxWorkers: 2,
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        transform(source, id) {
          const ofFile = byPath.get(id.split('?')[0]);
          return ofFile && { code: withMutants(source, ofFile), map: null };
        },
      },
    ],
  },
);

/** Whether a test failed, and which. */
async function run(specifications) {
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
  for (const module of testModules) {
    for (const test of module.children.allTests('failed'))
      return `${relative(root, module.moduleId)}: ${test.fullName}`;
    if (module.state() === 'failed') return relative(root, module.moduleId);
  }
  return unhandledErrors.length > 0 ? 'an error outside of tests' : undefined;
}

const all = await vitest.globTestSpecifications([...testFolders]);
const started = performance.now();
vitest.config.bail = 0;
const failing = await run(all);
if (failing) {
  console.error(`Without any mutant a test fails, so that a failure would say nothing: ${failing}`);
  process.exit(2);
}
vitest.config.bail = 1;
console.log(`${all.length} test files passed by the mutants in ${Math.round((performance.now() - started) / 1000)} s`);
const testsOf = new Map();
for (const name of readdirSync(passedFolder)) {
  const { testPath, passed } = JSON.parse(readFileSync(join(passedFolder, name), 'utf8'));
  for (const id of passed) testsOf.set(id, [...(testsOf.get(id) ?? []), testPath]);
}
delete process.env.HELVE_MUTANTS_PASSED;

const durations = new Map(
  vitest.state.getTestModules().map((module) => [module.moduleId, module.diagnostic().duration]),
);
const counts = { killed: 0, survived: 0, equivalent: 0, 'never run': 0 };
const survivors = [];
/** The test that failed last for this file goes first: it often fails for the next check too. */
const lastKiller = new Map();
for (const mutant of mutants) {
  if (Object.hasOwn(equivalent, keyOf(mutant))) {
    counts.equivalent += 1;
    continue;
  }
  const paths = new Set(testsOf.get(mutant.id) ?? []);
  const specifications = all
    .filter(({ moduleId }) => paths.has(moduleId))
    .sort(
      (one, other) =>
        Number(other.moduleId === lastKiller.get(mutant.path)) - Number(one.moduleId === lastKiller.get(mutant.path)) ||
        (durations.get(one.moduleId) ?? 0) - (durations.get(other.moduleId) ?? 0),
    );
  process.env.HELVE_MUTANT = String(mutant.id);
  let killer;
  for (let at = 0; at < specifications.length && !killer; at += 2) {
    killer = await run(specifications.slice(at, at + 2));
    if (killer)
      lastKiller.set(
        mutant.path,
        specifications.find(({ moduleId }) => killer.startsWith(relative(root, moduleId)))?.moduleId,
      );
  }
  const outcome = killer ? 'killed' : specifications.length === 0 ? 'never run' : 'survived';
  counts[outcome] += 1;
  if (outcome !== 'killed') {
    survivors.push(mutant);
    console.log(`${outcome}: ${mutant.path}:${mutant.line} ${mutant.kind}: ${mutant.text.slice(0, 160)}`);
  }
  if (process.stderr.isTTY || process.env.HELVE_MUTATION_PROGRESS)
    process.stderr.write(
      `\r${counts.killed + counts.survived + counts['never run'] + counts.equivalent}/${mutants.length}`,
    );
}
console.log(
  `${counts.killed} killed, ${counts.survived} survived, ${counts['never run']} never run, ${counts.equivalent} change nothing`,
);
await vitest.close();
process.exit(survivors.length > 0 ? 1 : 0);
