// A Vitest runner for mutants. A test runs once unchanged. Then it runs again, in the same process and with its hooks, with all
// the mutants active that it executed. As long as it fails, the set of mutants is halved, until each is alone: those that make
// it fail alone are killed. This saves most runs, and starting a process and importing the code for each. At the end the test
// runs once more without a mutant: if it fails then, earlier runs have left something behind, and their results are uncertain.
//
// If HELVE_MUTANT is a number, that mutant is active from the start and each test runs once, as usual.
//
// Results go to the folder HELVE_MUTANTS_FOLDER, which contains `wanted.json` (the ids to try): a file `killed-<id>` with the
// test that failed, and a line of JSON per test file in `files.ndjson`. It lists the mutants that `survived` (its tests executed
// them without a failure), those for which the result is uncertain (`unsure`: executed outside of tests, or in a test that is
// slow or cannot run twice), and whether one of its tests is `broken`, which means that it also fails without a mutant.
import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VitestTestRunner } from 'vitest/runners';

const folder = process.env.HELVE_MUTANTS_FOLDER;
// A test that runs a hundred times adds a hundred listeners to its signal.
if (folder) EventEmitter.defaultMaxListeners = 0;
/** These were active in a process that had to be ended, so each is tried alone. */
const dangerous = new Set(readIds('dangerous.json'));
const wanted = new Set(readIds('wanted.json'));
/** A test that takes longer than this without mutants is not run again for every mutant. */
const longestMs = 3_000;

let awake = new Set(process.env.HELVE_MUTANT ? [Number(process.env.HELVE_MUTANT)] : []);
let passedInTest;
const passedOutside = new Set();
globalThis.__helveMutant = (id) => {
  if (wanted.has(id)) (passedInTest ?? passedOutside).add(id);
  return awake.has(id);
};

const killedFile = (id) => join(folder, `killed-${id}`);
/** The mutants that are active in this process. If `run.js` has to end it, it reads here which mutant was the cause. */
const awakeFile = folder && join(folder, `awake-${process.pid}.json`);

function readIds(name) {
  return folder && existsSync(join(folder, name)) ? JSON.parse(readFileSync(join(folder, name), 'utf8')) : [];
}

export default class InPlaceRunner extends VitestTestRunner {
  survived = new Set();
  unsure = new Set();
  broken = false;
  current = undefined;

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    this.current = undefined;
    if (!folder || test.mode !== 'run') return;
    // The number of runs is known only after the first, so the last run ends the repeats.
    test.repeats = Number.MAX_SAFE_INTEGER;
    this.current = { step: 'as it is', passed: new Set(), groups: [], killed: [], survived: [] };
  }

  onBeforeTryTask(test) {
    super.onBeforeTryTask(test);
    if (!this.current) return;
    test.result.state = 'run';
    test.result.errors = undefined;
    this.startedAt = performance.now();
    passedInTest = this.current.step === 'as it is' ? this.current.passed : new Set();
  }

  onAfterRetryTask(test) {
    const { current } = this;
    if (!current) return;
    const failed = (test.result.state === 'fail') !== Boolean(test.fails);
    passedInTest = undefined;
    if (current.step === 'as it is') {
      const alive = [...current.passed].filter((id) => !existsSync(killedFile(id)));
      const tooLong = performance.now() - this.startedAt > longestMs;
      if (failed) this.broken = true;
      if (failed || tooLong || test.concurrent) return this.finish(test, alive);
      if (alive.length === 0) return this.finish(test, []);
      current.groups.push(...alive.filter((id) => dangerous.has(id)).map((id) => [id]));
      const others = alive.filter((id) => !dangerous.has(id));
      if (others.length > 0) current.groups.push(others);
    } else if (current.step === 'as it is again') {
      const by = `${test.file.name}: ${test.name}`;
      if (failed) return this.finish(test, [...current.killed, ...current.survived]);
      for (const id of current.killed) writeFileSync(killedFile(id), by);
      for (const id of current.survived) this.survived.add(id);
      return this.finish(test, []);
    } else if (!failed) {
      for (const id of awake) current.survived.push(id);
    } else if (awake.size === 1) {
      current.killed.push(...awake);
    } else {
      const half = awake.size >> 1;
      current.groups.push([...awake].slice(0, half), [...awake].slice(half));
    }
    const group = current.groups.pop();
    current.step = group ? 'mutants' : 'as it is again';
    awake = new Set(group);
    writeFileSync(awakeFile, JSON.stringify({ file: test.file.filepath, test: test.name, ids: [...awake] }));
  }

  /** Ends the repeats: Vitest then treats the test as skipped. */
  finish(test, unsure) {
    for (const id of unsure) this.unsure.add(id);
    awake = new Set();
    test.result.state = 'skip';
    test.result.pending = true;
    this.current = undefined;
    rmSync(awakeFile, { force: true });
  }

  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite(suite);
    if (!folder || suite.filepath === undefined) return;
    for (const id of passedOutside) this.unsure.add(id);
    const line = { file: suite.filepath, survived: [...this.survived], unsure: [...this.unsure], broken: this.broken };
    appendFileSync(join(folder, 'files.ndjson'), `${JSON.stringify(line)}\n`);
  }
}
