/** The pipeline in a whole in-memory plane: what runs, what is refused, and what is recorded about both. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Principal } from '../../domain/principal.js';
import { defineTool, ToolContent } from '../../domain/tool.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, testTool } from '../../testing/index.js';

const echo = testTool({ name: 'echo', annotations: hints(true), inputSchema: { type: 'object' } });
const send = testTool({ name: 'send', execute: async () => ({ sent: true }) });
const wipe = testTool({ name: 'wipe', risk: 'destructive' });
const pay = testTool({ name: 'pay', highRisk: true });

function hints(readOnlyHint: boolean) {
  return { readOnlyHint, destructiveHint: false, idempotentHint: false, openWorldHint: false };
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

describe('the pipeline', () => {
  test('R-pipeline: a call runs, gives a standard result and is recorded with start and finish', async () => {
    const helve = await createTestHelve({ tools: [send] });
    const result = await helve.call('send', { to: 'ada' });
    expect(result).toMatchObject({ ok: true, tool: 'send', output: { sent: true } });
    expect(result.rule).toMatch(/^grant:/);
    const rows = (await helve.audited()).filter((row) => row.executionId === result.executionId);
    expect(rows.map((row) => row.type)).toEqual(['execution.started', 'execution.finished']);
    expect(rows[0]).toMatchObject({
      tool: 'Custom.send',
      actor: { kind: 'agent', name: 'tester' },
      body: { input: { to: 'ada' } },
    });
    await helve.close();
  });

  test('R-pipeline: a refusal runs nothing and is recorded with its rule', async () => {
    let ran = 0;
    const counted = testTool({ name: 'counted', execute: async () => ++ran });
    const helve = await createTestHelve({ tools: [counted, send], granted: ['send'] });
    const result = await helve.call('counted', {});
    expect(result).toMatchObject({ ok: false, rule: 'grant.tools', error: { code: 'not_granted' } });
    expect(ran).toBe(0);
    const [last] = (await helve.audited()).slice(-1);
    expect(last).toMatchObject({ type: 'execution.refused', body: { rule: 'grant.tools' } });
    await helve.close();
  });

  test('R-pipeline: the start of a tool with effects is on disk before it runs', async () => {
    let seen: string[] = [];
    const look = testTool({
      name: 'look',
      execute: async (_, { executionId }) => {
        seen = (await helve.audited()).filter((row) => row.executionId === executionId).map((row) => row.type);
        return null;
      },
    });
    const helve = await createTestHelve({ tools: [look] });
    await helve.call('look');
    expect(seen).toEqual(['execution.started']);
    await helve.close();
  });

  test('R-pipeline: an error thrown by a tool is its failure, not the plane’s, and is recorded', async () => {
    const helve = await createTestHelve({
      tools: [testTool({ name: 'bad', execute: () => Promise.reject(new Error('broke')) })],
    });
    expect(await helve.call('bad')).toMatchObject({ ok: false, error: { code: 'tool_failed', message: 'broke' } });
    expect((await helve.audited()).at(-1)).toMatchObject({ type: 'execution.finished', body: { status: 'failed' } });
    await helve.close();
  });

  const [reading, changing] = [hints(true), hints(false)];

  test.each([
    ['a tool that only reads', reading, undefined],
    ['a tool with effects', changing, 'The tool ran and may have had its effect. Check before you call again.'],
  ])('R-pipeline: an output of %s outside its schema is refused, with a hint if calling again may do it twice', async (_, annotations, hint) => {
    const outputSchema = { type: 'object', required: ['yes'] };
    const tool = testTool({ name: 'liar', annotations, outputSchema, execute: async () => ({ no: 1 }) });
    const helve = await createTestHelve({ tools: [tool] });
    const { ok, error } = (await helve.call('liar')) as { ok: boolean; error?: { code: string; hint?: string } };
    expect({ ok, code: error?.code, hint: error?.hint }).toEqual({ ok: false, code: 'invalid_output', hint });
    await helve.close();
  });

  test.each([
    ['a tool that only reads', reading, { code: 'timeout', retryable: true }],
    ['a tool with effects', changing, { code: 'outcome_unknown', retryable: false, details: { reason: 'timeout' } }],
  ])('R-pipeline: the time limit ends the call of %s, and the audit record agrees', async (_, annotations, error) => {
    const execute = () => new Promise(() => {});
    const helve = await createTestHelve({ tools: [testTool({ name: 'slow', timeoutMs: 30, annotations, execute })] });
    expect(await helve.call('slow')).toMatchObject({ ok: false, error });
    const { code } = error;
    expect((await helve.audited()).at(-1)).toMatchObject({ type: 'execution.finished', body: { error: { code } } });
    await helve.close();
  });

  test.each([
    ['only reads', reading, { code: 'cancelled' }],
    ['has effects', changing, { code: 'outcome_unknown', details: { reason: 'cancelled' } }],
  ])('R-pipeline: the caller can cancel, and the tool is notified: a tool that %s', async (_, annotations, error) => {
    let told = false;
    const stop = new AbortController();
    const tool = testTool({
      name: 'patient',
      annotations,
      execute: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            told = true;
            resolve(null);
          });
          // Only once it runs: before that there is no tool to notify.
          stop.abort();
        }),
    });
    const helve = await createTestHelve({ tools: [tool] });
    const call = helve.call('patient', {}, { signal: stop.signal });
    expect(await call).toMatchObject({ ok: false, error });
    expect(told).toBe(true);
    await helve.close();
  });

  test('R-pipeline: a call that was cancelled before its tool began is not run, and the result says so', async () => {
    let runs = 0;
    const execute = async () => {
      runs += 1;
    };
    const helve = await createTestHelve({ tools: [testTool({ name: 'send', annotations: changing, execute })] });
    const result = await helve.call('send', {}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(runs).toBe(0);
    await helve.close();
  });

  test('R-pipeline: stopping Helve leaves the outcome of a call with effects open', async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const execute = () => {
      begin();
      return new Promise(() => {});
    };
    const helve = await createTestHelve({ tools: [testTool({ name: 'send', annotations: changing, execute })] });
    const call = helve.call('send');
    await begun;
    const closing = helve.close();
    expect(await call).toMatchObject({
      ok: false,
      error: { code: 'outcome_unknown', details: { reason: 'shutting_down' } },
    });
    await closing;
  });

  test('R-pipeline: the time limit is paused while the client is asked, and continues afterwards', async () => {
    const tool = testTool({
      name: 'curious',
      timeoutMs: 300,
      annotations: reading,
      async execute(_, { client }) {
        await Promise.all([client?.elicit?.('Name?', {}), client?.sample?.('Hello', 5), client?.roots?.()]);
        return new Promise(() => {});
      },
    });
    const helve = await createTestHelve({ tools: [tool] });
    const answers: (() => void)[] = [];
    const later = <T>(value: T) => new Promise<T>((resolve) => answers.push(() => resolve(value)));
    const client = {
      log: async () => undefined,
      elicit: () => later({ action: 'cancel' as const }),
      sample: () => later('hello'),
      roots: () => later([]),
    };
    let over = false;
    const call = helve.call('curious', {}, { client }).finally(() => {
      over = true;
    });
    await vi.waitFor(() => expect(answers).toHaveLength(3));
    // Longer than the limit: another call with the same limit ends meanwhile.
    await helve.call('curious', {}, { client: { log: async () => undefined } });
    await helve.call('curious', {}, { client: { log: async () => undefined } });
    answers[0]?.();
    answers[1]?.();
    await helve.call('curious', {}, { client: { log: async () => undefined } });
    expect(over).toBe(false);
    answers[2]?.();
    expect(await call).toMatchObject({ ok: false, error: { code: 'timeout' } });
    await helve.close();
  });

  test('R-pipeline: time for which the client is asked two things at once is counted once', async () => {
    const tool = testTool({
      name: 'curious',
      timeoutMs: 60_000,
      annotations: reading,
      async execute(_, { client, signal }) {
        vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 40_000);
        const asked = [client?.sample?.('Hello', 5), client?.roots?.()];
        vi.restoreAllMocks();
        await Promise.all(asked);
        // A third of its time is left. If none were, it would be stopped now.
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
          setTimeout(resolve, 20);
        });
        return 'done';
      },
    });
    const helve = await createTestHelve({ tools: [tool] });
    const client = { log: async () => undefined, sample: async () => 'hello', roots: async () => [] };
    expect(await helve.call('curious', {}, { client })).toMatchObject({ ok: true, output: 'done' });
    await helve.close();
  });

  test('R-pipeline: the first reason to stop a call is the one that is told', async () => {
    const stop = new AbortController();
    let closing: Promise<void> | undefined;
    const execute = () => {
      stop.abort();
      closing = helve.close();
      return new Promise(() => {});
    };
    const helve = await createTestHelve({ tools: [testTool({ name: 'look', annotations: reading, execute })] });
    const result = await helve.call('look', {}, { signal: stop.signal });
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await closing;
  });

  test('R-pipeline: a tool with the name of a property of all objects has no configuration that nobody gave it', async () => {
    const tool = testTool({ name: 'constructor', execute: async (_, { config }) => ({ config: typeof config }) });
    const helve = await createTestHelve({ tools: [tool], granted: [] });
    const grant = { toolkit: 'custom', tools: ['constructor'], limits: {}, config: {} };
    await helve.plane.replaceGrants(helve.admin, 'tester', [grant]);
    expect(await helve.call('constructor')).toMatchObject({ ok: true, output: { config: 'object' } });
    await helve.close();
  });

  test('R-pipeline: a grant that is removed while a call waits to be recorded stops it', async () => {
    let ran = 0;
    const helve = await createTestHelve({ tools: [testTool({ name: 'count', execute: async () => ++ran })] });
    await helve.call('count');
    // A second process on the same store would do this; the first notices only at the commit.
    const before = await helve.plane.grantCatalogue(helve.admin, 'tester');
    const [call] = await Promise.all([helve.call('count'), helve.plane.replaceGrants(helve.admin, 'tester', [])]);
    const after = await helve.call('count');
    expect(before.grants).toHaveLength(before.entries.filter(({ toolkit }) => toolkit.slug !== 'results').length);
    expect(after).toMatchObject({ ok: false, rule: 'grant.missing' });
    expect(ran).toBe(call.ok ? 2 : 1);
    await helve.close();
  });
});

describe('input', () => {
  test('R-pipeline: a tool gets its arguments in the order given; the same ones in another order are the same call', async () => {
    const schema = { type: 'object', properties: { zone: {}, filled: { default: 1 }, alpha: {} } };
    const ordered = testTool({
      name: 'ordered',
      inputSchema: schema,
      execute: async (input) => ({ text: JSON.stringify(input) }),
    });
    const helve = await createTestHelve({ tools: [ordered] });
    const inputs = [
      { zone: { b: [{ y: 1, x: 2 }], a: 1 }, alpha: 1 },
      { alpha: 1, zone: { a: 1, b: [{ x: 2, y: 1 }] } },
    ];
    for (const input of inputs)
      expect(await helve.call('ordered', input)).toMatchObject({
        ok: true,
        output: { text: JSON.stringify({ ...input, filled: 1 }) },
      });
    const hashes = (await helve.audited())
      .filter(({ type }) => type === 'execution.started')
      .map(({ body }) => body.inputHash);
    expect(new Set(hashes).size).toBe(1);
    await helve.close();
  });

  test('R-pipeline: invalid input is refused with the location, the problem and the schema', async () => {
    const tool = defineTool({ ...echo, name: 'strict', inputSchema: z.strictObject({ count: z.int() }) });
    const helve = await createTestHelve({ tools: [tool] });
    const result = await helve.call('strict', { count: 'three' });
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    if (!result.ok) {
      expect(result.error.message).toContain('/count');
      expect(result.error.hint).toContain('"count"');
    }
    await helve.close();
  });

  test('R-pipeline: an id that was rounded reaches no tool, also from a program; its digits as text do', async () => {
    const got: unknown[] = [];
    const take = testTool({ name: 'take', inputSchema: { type: 'object' }, execute: async (input) => got.push(input) });
    const helve = await createTestHelve({ tools: [take] });
    const rounded = Number('9007199254740993');
    for (const wrong of [{ userId: rounded }, { rows: [{ ids: [1, -rounded] }] }])
      expect(await helve.call('take', wrong)).toMatchObject({
        error: { code: 'invalid_input', message: expect.stringMatching(/(?:userId|ids) has more digits/) },
      });
    const run = await helve.plane.runCode(helve.agent, { code: 'await custom.take({ user_id: 9007199254740993 })' });
    expect(run).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('more digits') } });
    expect(got).toEqual([]);
    // A moment in nanoseconds may be rounded.
    const fine = { userId: '9007199254740993', id: Number.MAX_SAFE_INTEGER, at: 1.7e18 };
    expect(await helve.call('take', fine)).toMatchObject({ ok: true });
    expect(got).toEqual([fine]);
    await helve.close();
  });

  test('R-pipeline: no arguments are an empty object; of an argument under two names, the former one is refused', async () => {
    const properties = { note: { type: 'string' } };
    const schema = { type: 'object', properties, additionalProperties: false };
    const execute = async (input: unknown) => input;
    const note = testTool({ name: 'note', inputSchema: schema, inputAliases: { remark: 'note' }, execute });
    const helve = await createTestHelve({ tools: [note] });
    for (const none of [undefined, null]) expect(await helve.call('note', none)).toMatchObject({ output: {} });
    expect(await helve.call('note', { remark: 'a' })).toMatchObject({ output: { note: 'a' } });
    expect(await helve.call('note', { remark: 'a', note: 'b' })).toMatchObject({ ok: false, rule: 'input.schema' });
    await helve.close();
  });

  test.each([[[1]], [null], ['text']])('R-pipeline: a preset of an alias makes no object of %j', async (input) => {
    const document = testTool({ name: 'create_document' });
    const helve = await createTestHelve({ nativeToolkits: [], tools: [document] });
    const format = { format: 'pdf' };
    expect(await helve.call('create_pdf', {})).toMatchObject({ ok: true, output: { echoed: format } });
    expect(await helve.call('create_pdf', input)).not.toMatchObject({ output: { echoed: format } });
    await helve.close();
  });

  test('R-context: keys that frameworks inject never reach a tool, unless its schema declares them', async () => {
    const plain = testTool({ name: 'plain', execute: async (input) => ({ got: Object.keys(input as object) }) });
    const wants = testTool({
      name: 'wants',
      inputSchema: { type: 'object', properties: { threadId: { type: 'string' } } },
      execute: async (input) => ({ got: Object.keys(input as object) }),
    });
    const helve = await createTestHelve({ tools: [plain, wants] });
    const injected = { a: 1, threadId: 't', resourceId: 'r', memory: {}, runId: 'x', runtimeContext: {} };
    expect(await helve.call('plain', injected)).toMatchObject({ output: { got: ['a'] } });
    expect(await helve.call('wants', injected)).toMatchObject({ output: { got: ['a', 'threadId'] } });
    await helve.close();
  });

  test.each([
    ['something seventy levels deep', nested(70)],
    ['an array', [1]],
    ['a number', 3],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['a function', { a: () => 1 }],
    ['a bigint', { a: 1n }],
  ])('R-pipeline: %s is refused and still recorded', async (_, input) => {
    const helve = await createTestHelve({ tools: [echo] });
    expect(await helve.call('echo', input)).toMatchObject({
      ok: false,
      rule: 'input.schema',
      error: { code: 'invalid_input' },
    });
    expect((await helve.audited()).at(-1)).toMatchObject({ type: 'execution.refused' });
    await helve.close();
  });

  test.each([[[1]], ['text'], [3]])('R-pipeline: %j is told to be no object', async (input) => {
    const helve = await createTestHelve({ tools: [echo] });
    const { error } = (await helve.call('echo', input)) as { error?: object };
    expect(error).toMatchObject({
      message: 'The arguments are not an object',
      hint: expect.stringContaining('by name'),
    });
    await helve.close();
  });

  test('R-pipeline: what is approved and recorded is what runs, even if the caller changes its object', async () => {
    const helve = await createTestHelve({ tools: [testTool({ name: 'keep', execute: async (input) => input })] });
    const input = { amount: 1 };
    const call = helve.call('keep', input, { onStart: () => undefined });
    input.amount = 1_000_000;
    const result = await call;
    const started = (await helve.audited()).find(
      (row) => row.executionId === result.executionId && row.type === 'execution.started',
    );
    expect(result.ok && result.output).toEqual(started?.body.input);
    await helve.close();
  });

  test('R-pipeline: a __proto__ key is data, not a prototype', async () => {
    const helve = await createTestHelve({ tools: [echo] });
    const result = await helve.call('echo', JSON.parse('{"__proto__":{"polluted":1},"a":1}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(result.ok).toBe(true);
    await helve.close();
  });
});

describe('names', () => {
  test('R-registry: every written form of a name finds the tool; a typo is answered with the nearest granted name', async () => {
    const helve = await createTestHelve({ granted: ['calculate', 'fetch_url'] });
    for (const name of ['calculate', 'math.calculate', 'MATH_CALCULATE', 'composio-math_calculate', 'Math.calculate']) {
      expect(await helve.call(name, { expression: '6*7' }), name).toMatchObject({ ok: true, tool: 'calculate' });
    }
    expect(await helve.call('http_request', { url: 'http://127.0.0.1/' })).toMatchObject({ tool: 'fetch_url' });
    expect(await helve.call('calculat', {})).toMatchObject({
      error: { code: 'tool_not_found', hint: 'Did you mean calculate?' },
    });
    expect(await helve.call('key_value_ge', {})).not.toMatchObject({
      error: { hint: expect.stringContaining('key_value_get') },
    });
    await helve.close();
  });
});

describe('risk and approval', () => {
  test('R-approval: a destructive tool is denied unless a policy allows it', async () => {
    const helve = await createTestHelve({ tools: [wipe] });
    expect(await helve.call('wipe')).toMatchObject({
      ok: false,
      rule: 'default.destructive',
      error: { code: 'denied_by_policy', hint: 'Do not try again: the operator has decided against this call.' },
    });
    expect(await helve.execute({ principal: helve.admin, tool: 'wipe', input: {} })).toMatchObject({
      error: { code: 'denied_by_policy', hint: expect.stringContaining('You may change that') },
    });
    await helve.plane.replacePolicies(helve.admin, [{ id: 'may-wipe', effect: 'allow', when: { tools: ['wipe'] } }]);
    expect(await helve.call('wipe')).toMatchObject({ ok: true, rule: 'policy:may-wipe' });
    await helve.close();
  });

  test('R-approval: a high-risk call waits; one approval is valid for one call only', async () => {
    const helve = await createTestHelve({ tools: [pay] });
    const asked = await helve.call('pay', { to: 'bob', amount: 5 });
    const approvalId = approvalOf(asked);
    expect(approvalOf(await helve.call('pay', { amount: 5, to: 'bob' }))).toBe(approvalId);
    await helve.plane.decideApproval(helve.admin, approvalId, 'approved', 'api');
    expect(await helve.call('pay', { to: 'bob', amount: 6 }, { approvalId })).toMatchObject({
      ok: false,
      rule: 'approval.invalid',
    });

    const both = await Promise.all([
      helve.call('pay', { to: 'bob', amount: 5 }),
      helve.call('pay', { to: 'bob', amount: 5 }),
    ]);
    expect(both.filter((result) => result.ok)).toHaveLength(1);
    expect(await helve.call('pay', { to: 'bob', amount: 5 }, { approvalId })).toMatchObject({ ok: false });
    await helve.close();
  });

  test('R-approval: the person sees the exact arguments, however long; the record keeps neither their end nor a secret', async () => {
    const helve = await createTestHelve({ tools: [pay] });
    const note = `${'x'.repeat(9_000)} the last word`;
    const id = approvalOf(await helve.call('pay', { note, password: 'hunter2' }));
    const { arguments: shown } = await helve.plane.approval(helve.admin, id);
    expect(shown).toEqual({ note, password: 'hunter2' });
    expect(JSON.stringify(await helve.audited())).not.toMatch(/the last word|hunter2/);
    await helve.close();
  });

  test('R-approval: a rejected call stays rejected; a changed policy invalidates an approval', async () => {
    const helve = await createTestHelve({ tools: [pay] });
    const first = approvalOf(await helve.call('pay', { n: 1 }));
    await helve.plane.decideApproval(helve.admin, first, 'rejected', 'api');
    expect(await helve.call('pay', { n: 1 })).toMatchObject({ ok: false, error: { code: 'approval_rejected' } });
    await expect(helve.plane.decideApproval(helve.admin, first, 'approved', 'api')).rejects.toMatchObject({
      code: 'conflict',
    });

    const second = approvalOf(await helve.call('pay', { n: 2 }));
    await helve.plane.decideApproval(helve.admin, second, 'approved', 'api');
    await helve.plane.replacePolicies(helve.admin, [
      { id: 'careful', effect: 'require_approval', when: { tools: ['pay'] } },
    ]);
    expect(approvalOf(await helve.call('pay', { n: 2 }))).not.toBe(second);
    await helve.close();
  });

  test('R-approval: an approval expires; an agent cannot approve its own call through the API', async () => {
    const helve = await createTestHelve({ tools: [pay], approvalLifetimeMs: 60_000 });
    const id = approvalOf(await helve.call('pay', {}));
    await expect(helve.plane.decideApproval(helve.agent, id, 'approved', 'api')).rejects.toMatchObject({
      code: 'forbidden',
    });
    helve.advance(61_000);
    await expect(helve.plane.decideApproval(helve.admin, id, 'approved', 'api')).rejects.toMatchObject({
      code: 'expired',
    });
    expect(approvalOf(await helve.call('pay', {}))).not.toBe(id);
    await helve.close();
  });

  function approvalOf(result: Awaited<ReturnType<Awaited<ReturnType<typeof createTestHelve>>['call']>>): string {
    expect(result).toMatchObject({ ok: false, error: { code: 'approval_required' } });
    return result.ok ? '' : String(result.error.details?.approvalId);
  }
});

describe('limits', () => {
  test('R-limits: a principal and a tool have their own counters, and a policy can add one', async () => {
    const helve = await createTestHelve({ tools: [echo, send], limits: { perPrincipal: 5, perTool: 2 } });
    const outcomes = async (tool: string, times: number) =>
      Promise.all(Array.from({ length: times }, async () => (await helve.call(tool)).ok));
    expect((await outcomes('echo', 3)).filter(Boolean)).toHaveLength(2);
    expect((await outcomes('send', 3)).filter(Boolean)).toHaveLength(2);
    const refused = await helve.call('calculate', { expression: '1' });
    expect(refused).toMatchObject({ ok: false, rule: 'limit.rate', error: { code: 'rate_limited', retryable: true } });
    expect(refused.ok ? 0 : refused.error.details?.retryAfterSeconds).toBeGreaterThan(0);
    await helve.close();
  });

  test('R-limits: a policy’s rate limit applies to the calls it matches', async () => {
    const policies = [
      { id: 'slowly', effect: 'allow', when: { tools: ['send'] }, rateLimit: { calls: 1, seconds: 60 } },
    ] as const;
    const helve = await createTestHelve({ tools: [echo, send], policies });
    expect(await helve.call('send')).toMatchObject({ ok: true });
    expect(await helve.call('send')).toMatchObject({ ok: false, rule: 'limit.rate' });
    expect(await helve.call('echo')).toMatchObject({ ok: true });
    await helve.close();
  });
});

describe('another process on the same store', () => {
  test('R-pipeline: a refusal and an answer about the arguments follow the newest grants', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'helve-pipeline-'));
    const shared = { dataDir, database: join(dataDir, 'helve.db') };
    const strict = { ...send, inputSchema: { type: 'object', required: ['to'] } };
    const helve = await createTestHelve({ ...shared, nativeToolkits: [], tools: [strict], granted: [] });
    const other = await createHelve({ ...shared, nativeToolkits: [], tools: [strict] });
    const grant = (tools: string[]) => {
      const grants = tools.length === 0 ? [] : [{ toolkit: 'custom', tools, limits: {}, config: {} }];
      return other.plane.replaceGrants(helve.admin, 'tester', grants);
    };
    expect(await helve.call('send', {})).toMatchObject({ rule: 'grant.missing' });
    await grant(['send']);
    expect(await helve.call('send', {})).toMatchObject({ rule: 'input.schema' });
    await grant([]);
    expect(await helve.call('send', { to: 'ada' })).toMatchObject({ rule: 'grant.missing' });
    await grant(['send']);
    expect(await helve.call('send', { to: 'ada' })).toMatchObject({ ok: true });
    // Nobody is asked about a call that may no longer be made.
    await other.plane.replacePolicies(helve.admin, [
      { id: 'ask', effect: 'require_approval', when: { tools: ['send'] } },
    ]);
    expect(await helve.call('send', { to: 'ada' })).toMatchObject({ error: { code: 'approval_required' } });
    await grant([]);
    expect(await helve.call('send', { to: 'eve' })).toMatchObject({ rule: 'grant.missing' });
    expect(await helve.plane.approvals(helve.admin, { status: 'pending' })).toHaveLength(1);
    await Promise.all([helve.close(), other.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('results', () => {
  test('R-handles: a short result is not stored', async () => {
    const helve = await createTestHelve({ tools: [send] });
    expect(await helve.call('send')).not.toHaveProperty('handle');
    await helve.close();
  });

  test('R-handles: a long result is stored in full behind a handle that only its caller can read', async () => {
    const long = { items: Array.from({ length: 2_000 }, (_, index) => ({ id: index, title: `title ${index}` })) };
    const helve = await createTestHelve({ tools: [testTool({ name: 'list', execute: async () => long })] });
    const result = await helve.call('list');
    const handle = result.ok ? (result.handle?.handle ?? '') : '';
    expect(result).toMatchObject({ ok: true, handle: { shape: expect.stringContaining('items: array(2000)') } });

    const part = await helve.call('result_read', { handle, offset: 10, limit: 100 });
    expect(part).toMatchObject({ ok: true, output: { text: JSON.stringify(long).slice(10, 110), next_offset: 110 } });
    const filtered = await helve.call('result_read', { handle, query: '$.items[?@.id == 1999].title' });
    expect(filtered).toMatchObject({ ok: true, output: { text: '["title 1999"]', matches: 1 } });
    expect(await helve.call('result_read', { handle, query: '$.items[' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });

    // The record says how much of a result is kept. A part that is read is sent, however long it is.
    const read = await helve.call('result_read', { handle, limit: 10_000 });
    expect(JSON.stringify(read.ok && read.output).length).toBeGreaterThan(10_000);
    const rows = await helve.plane.audit(helve.admin, {});
    const keptOf = (id: string) =>
      rows.find(({ executionId, body }) => executionId === id && body.status === 'ok')?.body.kept;
    expect([keptOf(result.executionId), keptOf(read.executionId)]).toEqual([JSON.stringify(long).length, undefined]);

    const stranger = await helve.execute({ principal: helve.admin, tool: 'result_read', input: { handle } });
    expect(stranger).toMatchObject({ ok: false, error: { code: 'not_found' } });
    await helve.plane.replaceGrants(helve.admin, 'tester', [
      { toolkit: 'math', tools: ['calculate'], limits: {}, config: {} },
    ]);
    expect(await helve.call('result_read', { handle })).toMatchObject({ ok: false, error: { code: 'not_granted' } });
    await helve.close();
  });

  test('R-handles: what an agent got for one person it reads for nobody else, and what it got for itself for everybody', async () => {
    const helve = await createTestHelve({
      tools: [testTool({ name: 'list', execute: async () => ({ pad: 'x'.repeat(12_000) }) })],
    });
    const actingFor = (id: string) => ({ ...helve.agent, onBehalfOf: { kind: 'user', id, name: id } as const });
    const callers = [actingFor('ann'), actingFor('ben'), helve.agent];
    const readers = async (principal: Principal) => {
      const result = await helve.execute({ principal, tool: 'list', input: {} });
      const handle = result.ok ? (result.handle?.handle ?? '') : '';
      const read = { tool: 'result_read', input: { handle, limit: 100 } };
      const answers = await Promise.all(callers.map((one) => helve.execute({ principal: one, ...read })));
      return answers.map((answer) => (answer.ok ? 'read' : answer.error.code));
    };
    expect(await readers(actingFor('ann'))).toEqual(['read', 'not_found', 'not_found']);
    expect(await readers(helve.agent)).toEqual(['read', 'read', 'read']);
    await helve.close();
  });

  test('R-handles: a handle expires, and a hostile query ends in time', async () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(25)}1${'}]'.repeat(25)}`);
    const helve = await createTestHelve({
      tools: [testTool({ name: 'list', execute: async () => ({ deep, pad: 'x'.repeat(12_000) }) })],
    });
    const result = await helve.call('list');
    const handle = result.ok ? (result.handle?.handle ?? '') : '';
    const hostile = await helve.call('result_read', { handle, query: `$${'..*'.repeat(12)}` });
    expect(hostile.ok ? 'answered' : hostile.error.code).toMatch(/answered|timeout|too_large|invalid_input/);
    helve.advance(2 * 60 * 60_000);
    expect(await helve.call('result_read', { handle })).toMatchObject({
      ok: false,
      error: { code: expect.stringMatching(/expired|not_found/) },
    });
    await helve.close();
  });

  test('R-format: content blocks are returned next to the output', async () => {
    const picture = new ToolContent([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], { width: 1 });
    const helve = await createTestHelve({ tools: [testTool({ name: 'draw', execute: async () => picture })] });
    expect(await helve.call('draw')).toMatchObject({ ok: true, output: { width: 1 }, content: [{ type: 'image' }] });
    await helve.close();
  });

  test('R-stream: progress and result can be followed while the call runs', async () => {
    let go = () => {};
    const steps = testTool({
      name: 'steps',
      execute: async (_, { progress }) => {
        progress({ progress: 1, total: 2, message: 'half' });
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        return 'done';
      },
    });
    const helve = await createTestHelve({ tools: [steps] });
    let id = '';
    const call = helve.call('steps', {}, { onStart: (executionId) => (id = executionId) });
    await expect.poll(() => id).not.toBe('');
    const seen: string[] = [];
    const following = (async () => {
      for await (const event of helve.plane.follow(helve.agent, id, new AbortController().signal)) {
        seen.push(event.type);
        if (event.type === 'progress') go();
      }
    })();
    await Promise.all([call, following]);
    expect(seen).toEqual(['started', 'progress', 'finished']);
    await helve.close();
  });
});
