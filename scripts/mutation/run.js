// Removes each check from the code, one at a time, and runs the tests that execute it: one of them must fail.
//   node scripts/mutation/run.js                    every folder that holds a wall
//   node scripts/mutation/run.js --changed [rev]    only lines that changed since rev (default: the commit before the last)
//   node scripts/mutation/run.js src/grants …       only these files and folders
//   … --quick                                   does not run each survivor again in its own process
//   … --tests src/grants,tests/mcp                  only with these tests, instead of all that may execute it
// Survivors are printed with their lines; the command fails if there are any. Mutants that change nothing are listed in
// `equivalent.json` with the reason.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { BaseSequencer, createVitest } from 'vitest/node';
import { findMutants, withMutants } from './find-mutants.js';

const root = resolve(import.meta.dirname, '../..');
const planeTests = [
  'src/approvals',
  'src/grants',
  'src/policies',
  'src/plane',
  'src/audit',
  'src/flows',
  'src/surfaces',
];
/** Files and folders with a wall, and the folders of the tests that run them in their own process. */
const walls = {
  'src/approvals': planeTests,
  'src/grants': planeTests,
  'src/policies': planeTests,
  'src/principals': [...planeTests, 'tests/authorization'],
  'src/flows/calling': planeTests,
  'src/flows/finding/reach.ts': ['src/flows/finding'],
  'src/flows/authorizing': ['src/flows/authorizing', 'tests/authorization'],
  'src/flows/signing-in': ['tests/sign-in'],
  'src/principals/openid-client.ts': ['tests/sign-in'],
  'src/flows/connecting': [...planeTests, 'tests/accounts'],
  'src/plane/acts': ['src/plane'],
  'src/plane/start': ['src/plane/start'],
  'src/plane/wiring/document-fetch.ts': ['tests/authorization'],
  'src/plane/wiring/kept-files.ts': ['src/plane/wiring'],
  'src/plane/wiring/kept-results.ts': ['src/plane/wiring'],
  'src/plane/wiring/reach.ts': ['src/plane/wiring'],
  'src/audit': ['src/audit', 'src/plane', 'src/flows'],
  'src/walls/egress': ['src/walls/egress'],
  'src/walls/files': ['src/walls/files', 'src/toolkits/files'],
  'src/surfaces/http': ['src/surfaces', 'tests/authorization'],
  'src/surfaces/http/pages': [
    'src/surfaces/http/pages',
    'tests/accounts/sign-in.test.ts',
    'tests/accounts/attacks-callback.test.ts',
  ],
  'src/surfaces/mcp/ask-person.ts': ['src/surfaces/mcp', 'tests/mcp/who-approves.test.ts'],
  'src/surfaces/mcp/conversation.ts': ['src/surfaces/mcp', 'tests/mcp/asking.test.ts'],
  'src/surfaces/mcp/conversations.ts': ['src/surfaces/mcp', 'tests/mcp/asking.test.ts'],
  'src/surfaces/mcp/questions.ts': ['src/surfaces/mcp'],
  'src/surfaces/mcp/param-headers.ts': ['tests/mcp/param-headers.test.ts'],
  'src/toolkits/database/sqlite-admit.ts': ['src/toolkits/database/sqlite-admit.test.ts'],
};

const args = process.argv.slice(2);
const quick = args.includes('--quick');
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
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing\//.test(name));
}

function isCommit(rev) {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `${rev}^{commit}`], { cwd: root });
    return true;
  } catch {
    return false;
  }
}

/** Numbers of the lines of a file that are new since `since`. */
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
/** The most specific entry that contains the file. */
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

/** Small files first: their tests are quick, and a mutant that is killed early is not tried again. */
class SmallFirst extends BaseSequencer {
  async sort(files) {
    const size = ({ moduleId }) => statSync(moduleId).size;
    return files.sort((one, other) => size(one) - size(other));
  }
}

/** Vitest with the mutants in the code, and with tests that run once for each mutant that is still wanted. */
async function openVitest() {
  return createVitest(
    'test',
    {
      root,
      // A single project, without those of vitest.config.ts.
      config: false,
      include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
      exclude: ['**/node_modules/**'],
      hookTimeout: 120_000,
      watch: false,
      reporters: [{}],
      runner: join(import.meta.dirname, 'in-place-runner.js'),
      bail: 0,
      // A mutant that causes no answer costs this time in every test that waits for one.
      testTimeout: 6_000,
      expect: { poll: { timeout: 3_000 } },
      maxWorkers: 2,
      // A mutant that fills the memory should fail soon.
      execArgv: ['--max-old-space-size=1500'],
      sequence: { sequencer: SmallFirst },
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
}

/** Whether a test failed, and which. */
async function run(vitest, specifications) {
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, false);
  for (const module of testModules) {
    for (const test of module.children.allTests('failed'))
      return `${relative(root, module.moduleId)}: ${test.fullName}`;
    if (module.state() === 'failed') return relative(root, module.moduleId);
  }
  return unhandledErrors.length > 0 ? 'an error outside of tests' : undefined;
}

const wanted = mutants.filter((mutant) => !Object.hasOwn(equivalent, keyOf(mutant)));
const vitest = await openVitest();
const all = await vitest.globTestSpecifications([...testFolders]);

const started = performance.now();
const seconds = () => Math.round((performance.now() - started) / 1_000);

/** A process that takes longer than this for one run of a test is in a loop, or fills its memory. */
const longestRunMs = 45_000;

/** Ends processes that make no progress, until the returned function is called. */
function watch(folder) {
  const timer = setInterval(() => {
    for (const name of readdirSync(folder).filter((one) => one.startsWith('awake-'))) {
      const since = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      if (Date.now() - since > longestRunMs) kill(Number(/\d+/.exec(name)[0]));
    }
  }, 5_000);
  return () => clearInterval(timer);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/**
 * Runs tests in place; returns which mutants they killed, and what each file says about the others. A mutant that ends the
 * process, or whose process has to be ended, counts as killed if it was the only active one. The file runs again, and each
 * mutant that was active is tried alone.
 */
async function runInPlace(specifications, ids) {
  if (ids.length === 0 || specifications.length === 0) return { killed: [], files: [] };
  const folder = mkdtempSync(join(tmpdir(), 'helve-mutants-'));
  writeFileSync(join(folder, 'wanted.json'), JSON.stringify(ids));
  process.env.HELVE_MUTANTS_FOLDER = folder;
  const stopWatching = watch(folder);
  let open = specifications;
  let files = [];
  const dangerous = new Set();
  for (let round = 0; round < 10 && open.length > 0; round += 1) {
    await run(vitest, open);
    files = readLines(join(folder, 'files.ndjson'));
    for (const name of readdirSync(folder).filter((one) => one.startsWith('awake-'))) {
      const { test, ids: awake } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      if (awake.length === 1) writeFileSync(join(folder, `killed-${awake[0]}`), `${test} ends its process`);
      for (const id of awake) dangerous.add(id);
      rmSync(join(folder, name));
    }
    writeFileSync(join(folder, 'dangerous.json'), JSON.stringify([...dangerous]));
    open = open.filter(({ moduleId }) => !files.some(({ file }) => file === moduleId));
  }
  stopWatching();
  delete process.env.HELVE_MUTANTS_FOLDER;
  const killed = readdirSync(folder)
    .filter((name) => name.startsWith('killed-'))
    .map((name) => Number(name.slice('killed-'.length)));
  for (const { moduleId } of open) console.log(`not finished: ${relative(root, moduleId)}`);
  console.log(`${killed.length} of ${ids.length} killed by ${specifications.length} test files, after ${seconds()} s`);
  return { killed, files };
}

function readLines(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const ids = wanted.map(({ id }) => id);
const together = await runInPlace(all, ids);
const left = ids.filter((id) => !together.killed.includes(id));
// Two mutants may cancel each other out, so the survivors are tried again in other groups.
const again = await runInPlace(all, left);
const killed = new Set([...together.killed, ...again.killed]);
const ofFiles = again.files;

// A mutant that survived in place is run in its own process, with the test files that were unsure about it and with those next
// to the code, because code may have remembered values from before the mutant was active.
const counts = { killed: killed.size, survived: 0, 'never run': 0, equivalent: mutants.length - wanted.length };
// A test file that fails without a mutant proves nothing if it fails with one.
const broken = new Set(ofFiles.filter((one) => one.broken).map(({ file }) => file));
for (const file of broken) console.log(`fails without any mutant, so it is left out: ${relative(root, file)}`);
vitest.config.bail = 1;
vitest.config.testTimeout = 60_000;
const survivors = [];
for (const mutant of wanted) {
  if (killed.has(mutant.id)) continue;
  const unsure = new Set(ofFiles.filter((one) => one.unsure.includes(mutant.id)).map(({ file }) => file));
  const isPassed = unsure.size > 0 || ofFiles.some(({ survived }) => survived.includes(mutant.id));
  process.env.HELVE_MUTANT = String(mutant.id);
  let killer;
  const beside = join(root, dirname(mutant.path), '/');
  const isWanted = (file) => !broken.has(file) && (unsure.has(file) || file.startsWith(beside));
  const specifications = quick ? [] : all.filter(({ moduleId }) => isWanted(moduleId));
  for (let at = 0; at < specifications.length && !killer; at += 2)
    killer = await run(vitest, specifications.slice(at, at + 2));
  const outcome = killer ? 'killed' : isPassed ? 'survived' : 'never run';
  counts[outcome] += 1;
  if (killer) continue;
  survivors.push(mutant);
  const doubt = quick && unsure.size > 0 ? ` (${unsure.size} files unsure)` : '';
  console.log(`${outcome}: ${mutant.path}:${mutant.line} ${mutant.kind}: ${mutant.text.slice(0, 160)}${doubt}`);
}
console.log(
  `${counts.killed} killed, ${counts.survived} survived, ${counts['never run']} never run, ${counts.equivalent} change nothing, in ${seconds()} s`,
);
await vitest.close();
process.exit(survivors.length > 0 ? 1 : 0);
