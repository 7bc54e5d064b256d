// In each test process: which mutant is awake, and which were passed on the way.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';

const awake = Number(process.env.HELVE_MUTANT ?? -1);
const passed = new Set();
globalThis.__helveMutant = (id) => {
  passed.add(id);
  return id === awake;
};

const folder = process.env.HELVE_MUTANTS_PASSED;
if (folder) {
  afterAll(() => {
    const { testPath } = expect.getState();
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify({ testPath, passed: [...passed] }));
  });
}
