/** The record of a run, and what others than its owner see of it, hold no secret that a program or a person wrote. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../domain/run.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

const canary = 'ghp_canary0123456789abcdef';
const inputSchema = {
  type: 'object',
  properties: { note: { type: 'string' }, word: { type: 'string', writeOnly: true }, count: { type: 'integer' } },
};

let helve: TestHelve;
let auditor: TestHelve['admin'];
beforeAll(async () => {
  const write = testTool({ name: 'write', inputSchema, execute: async () => ({}) });
  const fail = testTool({
    name: 'fail',
    execute: async () => {
      throw new Error(`no such token: ${canary}`);
    },
  });
  helve = await createTestHelve({ nativeToolkits: [], tools: [write, fail] });
  auditor = { ...helve.admin, id: 'auditor', permissions: ['tools:read', 'tools:call', 'audit:read'] };
});
afterAll(() => helve.close());

/** Throws if the record or what an auditor sees of the run has the canary; returns the run as its owner sees it. */
async function requireHidden(id: string): Promise<Run> {
  const own = await helve.plane.getRun(helve.agent, id);
  const seen = JSON.stringify(await helve.plane.getRun(auditor, id));
  expect(seen).toContain(id);
  expect(seen).not.toContain('canary');
  expect(JSON.stringify(await helve.audited())).not.toContain('canary');
  return own;
}

test.each([
  ['its intent', 'return 1', `write with ${canary}`],
  ['its error', `throw new Error('refused: ${canary}')`, undefined],
  ['what the check says', `await custom.write({ count: '${canary}' })`, undefined],
  ['a question', `await person.ask({ question: 'Is ${canary} right?', choices: ['${canary}', 'no'] })`, undefined],
  ['the error of a call', 'try { await custom.fail({}) } catch {} return 1', undefined],
])('leak: a secret in %s is hidden', async (_where, code, intent) => {
  const { id } = await helve.plane.runCode(helve.agent, { code, ...(intent && { intent }) });
  // The control: its owner sees it.
  expect(JSON.stringify(await requireHidden(id))).toContain('canary');
});

test('leak: what a person answers is hidden', async () => {
  const code = "return (await person.ask({ question: 'Which?' })).length";
  const { id } = await helve.plane.runCode(helve.agent, { code });
  await helve.plane.decideRun(helve.admin, id, { decision: 'answer', number: 1, text: canary });
  for await (const event of helve.plane.followRun(helve.agent, id, AbortSignal.timeout(10_000)))
    if (event.type !== 'call' && event.run.finishedAt !== undefined) expect(event.run.value).toBe(canary.length);
  await requireHidden(id);
});

test('leak: the arguments of a planned effect are shown exactly only to those who may decide', async () => {
  const code = `await custom.write({ note: '${canary}' })`;
  const { id } = await helve.plane.runCode(helve.agent, { code, mode: 'plan' });
  expect(JSON.stringify(await requireHidden(id))).toContain('canary');
  const { planned } = await helve.plane.getRun(helve.admin, id);
  expect(planned?.effects).toMatchObject([{ arguments: { note: canary } }]);
});

test('leak: what a tool marks as secret in a call with a key is hidden', async () => {
  const input = { word: 'canary of no known form' };
  const call = { principal: helve.agent, tool: 'write', input, idempotencyKey: 'once' };
  expect(await helve.plane.execute(call)).toMatchObject({ ok: true });
  const [run] = await helve.plane.listRuns(helve.agent, {});
  expect(run?.mode).toBe('call');
  expect((await requireHidden(run?.id ?? '')).code).toContain('canary');
});
