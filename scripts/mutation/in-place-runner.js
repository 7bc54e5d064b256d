// Vitest's runner, for mutants. A test runs once as it is; then it runs again, in the same process and with its hooks, with
// all mutants awake that it passed by. While it fails the mutants are halved, until each is alone: those that fail alone are
// killed. This saves starting a process and importing the code each time, and most runs. At the end the test runs once more
// without a mutant: if it fails then, the runs before have left something behind, and what they say is only a suspicion.
//
// With HELVE_MUTANT, a number, that mutant is awake from the start and each test runs once, as usual.
//
// Results go to the folder HELVE_MUTANTS_FOLDER, which holds `wanted.json` (the ids in question): a file `killed-<id>` with the
// test that failed, and a line of JSON per test file in `files.ndjson`: which mutants it `survived` (passed by in its tests
// without a failure), for which it says nothing for sure (`unsure`: passed by outside of tests, or in a test that is slow or
// cannot run twice), and whether one of its tests is `broken`, which means that it fails without a mutant too.
import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VitestTestRunner } from 'vitest/runners';

const folder = process.env.HELVE_MUTANTS_FOLDER;
// A test that runs a hundred times listens to its signal a hundred times.
if (folder) EventEmitter.defaultMaxListeners = 0;
/** They were awake in a process that had to be ended: each is tried alone. */
const dangerous = new Set(readIds('dangerous.json'));
const wanted = new Set(readIds('wanted.json'));
/** A test that takes longer than this as it is is not run again for every mutant. */
const longestMs = 3_000;

let awake = new Set(process.env.HELVE_MUTANT ? [Number(process.env.HELVE_MUTANT)] : []);
let passedInTest;
const passedOutside = new Set();
globalThis.__helveMutant = (id) => {
  if (wanted.has(id)) (passedInTest ?? passedOutside).add(id);
  return awake.has(id);
};

const killedFile = (id) => join(folder, `killed-${id}`);
/** What is awake in this process: `run.js` ends one that does not get on, and learns here by which mutant. */
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
    // How often is known only after the first run: the last one ends it.
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

  /** Ends the repeats: Vitest takes the test for one that was skipped. */
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
