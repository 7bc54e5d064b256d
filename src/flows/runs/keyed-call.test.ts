/** Calls that are sent with an idempotency key are made once, and each answer is the first one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { CallRequest } from '../../domain/execution.js';
import type { Plane } from '../../domain/plane.js';
import type { ToolDefinition } from '../../domain/tool.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A tool that notes what it does, and the service behind it: what that holds outlives every Helve. */
function createShelf(more: Partial<ToolDefinition> = {}) {
  const items: string[] = [];
  const hooks: { beforeAnswer?: () => Promise<void> } = {};
  const save = testTool({
    name: 'save',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    async execute(input) {
      items.push((input as { name: string }).name);
      await hooks.beforeAnswer?.();
      return { number: items.length };
    },
    ...more,
  });
  return { items, hooks, save };
}

async function open(options: TestHelveOptions): Promise<TestHelve> {
  const helve = await createTestHelve(options);
  ends.push(() => helve.close());
  return helve;
}

const send = (helve: { agent: TestHelve['agent']; plane: Plane }, key: string, more: Partial<CallRequest> = {}) =>
  helve.plane.execute({
    principal: helve.agent,
    tool: 'save',
    input: { name: 'a' },
    idempotencyKey: key,
    ...more,
  });
const ask = [{ id: 'ask', effect: 'require_approval', when: { tools: ['save'] } }] as const;

describe('R-durable-runs: a call with an idempotency key', () => {
  test('R-durable-runs: is made once however often it is sent, one after another or at the same time', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save] });
    const together = await Promise.all([1, 2, 3].map(() => send(helve, 'k')));
    const [first] = together;
    expect(first).toMatchObject({
      ok: true,
      output: { number: 1 },
      tool: 'save',
      rule: expect.stringMatching(/grant/),
    });
    for (const one of [...together, await send(helve, 'k')])
      expect(one).toMatchObject({ ok: true, output: { number: 1 }, executionId: first?.executionId });
    expect(shelf.items).toEqual(['a']);
    // Control: without the key, and with another one, it is made again.
    expect(await helve.call('save', { name: 'b' })).toMatchObject({ ok: true, output: { number: 2 } });
    expect(await send(helve, 'k2', { input: { name: 'c' } })).toMatchObject({ ok: true, output: { number: 3 } });
    expect((await helve.audited()).filter(({ type }) => type === 'execution.started')).toHaveLength(3);
  });

  test('R-audit: is recorded with the door of the request that began it', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save] });
    const sent = await send(helve, 'k', { door: 'mcp' });
    expect(await send(helve, 'k', { door: 'api' })).toMatchObject({ ok: true, executionId: sent.executionId });
    await helve.plane.runCode(helve.agent, { code: 'await custom.save({ name: "b" })' });
    const calls = await helve.plane.listCalls(helve.admin, {});
    expect(calls.calls.map(({ door }) => door)).toEqual(['program', 'mcp']);
    expect(shelf.items).toEqual(['a', 'b']);
  });

  test('leak: the key of one is not that of another agent, nor of the same agent for another person', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save] });
    const forPerson = (id: string) => ({ ...helve.agent, onBehalfOf: { kind: 'user', id, name: id } as const });
    const callers = [helve.agent, helve.admin, forPerson('ann'), forPerson('ben')];
    const answers = [];
    for (const principal of callers) answers.push(await send(helve, 'k', { principal }));
    expect(answers.map((one) => one.ok && one.output)).toEqual([1, 2, 3, 4].map((number) => ({ number })));
    expect(shelf.items).toHaveLength(4);
  });

  test('R-durable-runs: a key of another call or of a program is refused, and nothing is made', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save, testTool({ name: 'other' })] });
    await send(helve, 'k');
    await helve.plane.runCode(helve.agent, { code: 'return 1', idempotencyKey: 'program' });
    const others = [
      await send(helve, 'k', { input: { name: 'b' } }),
      await send(helve, 'k', { tool: 'other' }),
      await send(helve, 'program'),
    ];
    for (const one of others) expect(one).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await expect(helve.plane.runCode(helve.agent, { code: 'return 1', idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(shelf.items).toEqual(['a']);
  });

  test.each([
    ['an empty key', { idempotencyKey: '' }],
    ['a key that is too long', { idempotencyKey: 'k'.repeat(201) }],
    ['arguments that are not JSON', { input: { name: 1n } }],
    ['an approval id as well', { approvalId: 'x' }],
  ])('R-durable-runs: %s is refused with a hint', async (_, more) => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save] });
    expect(await send(helve, 'k', more)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(shelf.items).toEqual([]);
    expect(await helve.plane.listRuns(helve.agent)).toEqual([]);
  });

  test('R-durable-runs: one that failed without an effect is made again when it is sent again, another is not', async () => {
    const failures = [new HelveError('upstream_failed', 'busy'), undefined, new HelveError('tool_failed', 'no')];
    let made = 0;
    const flaky = testTool({
      name: 'save',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      async execute() {
        const failure = failures[made++];
        if (failure) throw failure;
        return { made };
      },
    });
    const helve = await open({ tools: [flaky] });
    expect(await send(helve, 'k')).toMatchObject({ ok: false, error: { code: 'upstream_failed', retryable: true } });
    expect(made).toBe(1);
    for (let time = 0; time < 2; time++)
      expect(await send(helve, 'k')).toMatchObject({ ok: true, output: { made: 2 } });
    for (let time = 0; time < 2; time++)
      expect(await send(helve, 'other')).toMatchObject({ ok: false, error: { code: 'tool_failed', retryable: false } });
    expect(made).toBe(3);
  });

  test('R-approval: waits for its approval, and is made once by itself when a person has given it', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save], policies: ask });
    const waiting = [await send(helve, 'k'), await send(helve, 'k')];
    const approvals = await helve.plane.approvals(helve.admin, { status: 'pending' });
    expect(approvals).toHaveLength(1);
    for (const one of waiting)
      expect(one).toMatchObject({
        ok: false,
        rule: 'policy:ask',
        error: { code: 'approval_required', details: { approvalId: approvals[0]?.id } },
        executionId: waiting[0]?.executionId,
      });
    // The attempt that was refused, as the record has it.
    expect(await helve.plane.execution(helve.admin, waiting[0]?.executionId ?? '')).toMatchObject({
      status: 'refused',
    });
    await helve.plane.decideApproval(helve.admin, approvals[0]?.id ?? '', 'approved', 'api');
    expect(await send(helve, 'k')).toMatchObject({ ok: true, output: { number: 1 } });
    expect(await send(helve, 'k')).toMatchObject({ ok: true, output: { number: 1 } });
    expect(shelf.items).toEqual(['a']);
    // The approval is used up: another key needs another one.
    expect(await send(helve, 'k2')).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  });

  test('R-limits: one that is over a limit names the attempt that was refused, as the record has it', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save], limits: { perTool: 1 } });
    expect(await send(helve, 'k')).toMatchObject({ ok: true });
    const waiting = [await send(helve, 'k2'), await send(helve, 'k2')];
    for (const one of waiting)
      expect(one).toMatchObject({ ok: false, rule: 'limit.rate', executionId: waiting[0]?.executionId });
    expect(await helve.plane.execution(helve.admin, waiting[0]?.executionId ?? '')).toMatchObject({
      status: 'refused',
    });
    expect(shelf.items).toEqual(['a']);
  });

  test('R-approval: one that a person rejects says so each time', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save], policies: ask });
    await send(helve, 'k');
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    await helve.plane.decideApproval(helve.admin, approval?.id ?? '', 'rejected', 'api');
    for (let time = 0; time < 2; time++)
      expect(await send(helve, 'k')).toMatchObject({ ok: false, error: { code: 'approval_rejected' } });
    expect(shelf.items).toEqual([]);
  });

  test('R-people: who may not call gets no run, and a name that only a program has is no tool', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save] });
    const nobody = { ...helve.agent, permissions: [] };
    expect(await send(helve, 'k', { principal: nobody })).toMatchObject({ ok: false, rule: 'principal.permission' });
    expect(await helve.plane.listRuns(helve.admin)).toEqual([]);
    for (const tool of ['model.answer', 'model.tools', 'person.ask', 'program.settled', 'recipe.step_finished'])
      expect(await send(helve, tool, { tool, input: { question: 'x', id: 'x', summary: 'x' } })).toMatchObject({
        ok: false,
        error: { code: 'tool_not_found' },
      });
    expect(shelf.items).toEqual([]);
  });

  test('R-durable-runs: a caller who gives up does not stop it, and gets its answer later', async () => {
    const shelf = createShelf();
    const helve = await open({ tools: [shelf.save] });
    let answer: () => void = () => {};
    const stop = new AbortController();
    shelf.hooks.beforeAnswer = () => {
      stop.abort();
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    expect(await send(helve, 'k', { signal: stop.signal })).toMatchObject({
      ok: false,
      error: { code: 'outcome_unknown', hint: expect.stringContaining('same key') },
    });
    const second = send(helve, 'k');
    answer();
    expect(await second).toMatchObject({ ok: true, output: { number: 1 } });
    expect(shelf.items).toEqual(['a']);
  });
});

describe('R-durable-runs: a process that ends during a call with a key', () => {
  async function dieDuring(shelf: ReturnType<typeof createShelf>) {
    const folder = mkdtempSync(join(tmpdir(), 'helve-keyed-'));
    ends.push(() => rmSync(folder, { recursive: true }));
    const database = join(folder, 'store.db');
    const helve = await createTestHelve({ tools: [shelf.save], database });
    const inside = new Promise<void>((resolve) => {
      shelf.hooks.beforeAnswer = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const lost = send(helve, 'k');
    await inside;
    await helve.close();
    delete shelf.hooks.beforeAnswer;
    expect(await lost).toMatchObject({ ok: false, error: { code: 'outcome_unknown', retryable: false } });
    const next = await createHelve({ tools: [shelf.save], database });
    ends.push(() => next.close());
    return { plane: next.plane, agent: helve.agent };
  }

  test('R-durable-runs: the next one makes it again under the key of the first attempt, if its service knows keys', async () => {
    const keys: unknown[] = [];
    const shelf = createShelf({ idempotency: { by: 'key', how: 'the test knows them' } });
    const { execute } = shelf.save;
    const save = {
      ...shelf.save,
      execute: (...given: Parameters<typeof execute>) => {
        keys.push(given[1].effectKey);
        return execute(...given);
      },
    };
    const next = await dieDuring({ ...shelf, save });
    for (let time = 0; time < 2; time++)
      expect(await send(next, 'k')).toMatchObject({ ok: true, output: { number: 2 } });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('R-durable-runs: the next one repeats nothing whose service cannot be asked, and says so until a person decides', async () => {
    const shelf = createShelf();
    const next = await dieDuring(shelf);
    for (let time = 0; time < 2; time++)
      expect(await send(next, 'k')).toMatchObject({ ok: false, error: { code: 'outcome_unknown', retryable: false } });
    expect(shelf.items).toEqual(['a']);
    // Control: nothing but the key keeps it from being made.
    expect(await send(next, 'k2')).toMatchObject({ ok: true, output: { number: 2 } });
  });
});
