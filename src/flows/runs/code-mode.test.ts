import { expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import type { Run, StartRun } from '../../domain/run.js';
import { createCodeMode } from './code-mode.js';

const principal: Principal = { kind: 'agent', id: 'a', name: 'A', workspaceId: 'w', permissions: [] };

test('R-sandbox: inside a program, no program can be run, even if its tool is reached', async () => {
  const started: StartRun[] = [];
  const parts = {
    acts: {
      runCode: async (_: Principal, program: StartRun) => {
        started.push(program);
        return { id: 'r', waits: [] as Run['waits'] } as Run;
      },
      getRun: async () => ({}) as Run,
      followRun: async function* () {},
      toolDeclarations: async () => ({ format: 'full' as const, text: '', namespaces: [] }),
    },
    configurations: { getFresh: () => Promise.reject(new Error('not asked')) },
  };
  const within = { id: 'r', number: 1, attempt: 1 } as never;
  const nested = createCodeMode(parts, { principal, run: within });
  await expect(nested.run({ code: 'return 1' }, {})).rejects.toMatchObject({ code: 'forbidden' });
  expect(started).toEqual([]);
  const free = createCodeMode(parts, { principal, intent: 'do it' });
  expect((await free.run({ code: 'return 1' }, {})).id).toBe('r');
  expect(started).toEqual([{ code: 'return 1', intent: 'do it' }]);
  // The loop of an agent is no program. A step that is asked again gets the run that it started.
  const loop = createCodeMode(parts, { principal, run: { runId: 'loop', number: 7, isLoop: true } as never });
  for (const _ of [1, 2]) await loop.run({ code: 'return 1' }, {});
  expect(started.slice(1)).toEqual(Array(2).fill({ code: 'return 1', idempotencyKey: 'loop:7' }));
});
