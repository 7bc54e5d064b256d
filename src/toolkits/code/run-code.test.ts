/** A program that ends because of another one, through a runner of ours that fails as the sandbox does. */
import { afterAll, expect, test } from 'vitest';
import type { RunResult } from '../../domain/sandbox.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { runCode } from './run-code.js';

const workers = createWorkers();
afterAll(() => workers.close());

const displaced: RunResult = {
  ok: false,
  error: { name: 'SandboxError', message: 'ended with another', loss: 'neighbour' },
  logs: [],
  cpuMs: 1,
  calls: 0,
};

/** How often the program is begun, and its outcome, if its thread is ended `times` times. */
async function runDisplaced(times: number) {
  let begun = 0;
  const run = async (): Promise<RunResult> =>
    ++begun > times ? { ok: true, value: 42, logs: [], cpuMs: 1, calls: 0 } : displaced;
  const facts = { language: 'javascript', input: null, limits: {}, modules: {}, workers } as const;
  const outcome = await runCode({
    ...facts,
    code: 'return 42',
    programs: { run },
    signal: AbortSignal.timeout(10_000),
  });
  return { begun, outcome };
}

test('R-code-tools: a program whose thread was ended because of another one begins again, three times at most', async () => {
  expect(await runDisplaced(0)).toMatchObject({ begun: 1, outcome: { result: 42 } });
  expect(await runDisplaced(2)).toMatchObject({ begun: 3, outcome: { result: 42 } });
  expect(await runDisplaced(9)).toMatchObject({ begun: 3, outcome: { error: { message: 'ended with another' } } });
});
