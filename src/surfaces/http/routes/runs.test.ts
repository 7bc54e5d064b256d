/** Programs over REST and the typed client: started, followed, decided, cancelled. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClient, type HelveClient } from '../../../api/index.js';
import type { RunEvent } from '../../../domain/run.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

let helve: TestHelve;
let app: HttpApp;
let token: string;
let agent: HelveClient;
let admin: HelveClient;
const effects: unknown[] = [];

beforeEach(async () => {
  effects.length = 0;
  const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const save = testTool({ name: 'save', inputSchema: named, execute: async (input) => effects.push(input) });
  helve = await createTestHelve({ nativeToolkits: [], tools: [save, testTool({ name: 'guarded', highRisk: true })] });
  app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const url = 'http://localhost';
  const fetch = async (to: string, init: RequestInit) => app.request(to, init);
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  const permissions = ['tools:read', 'tools:call', 'audit:read', 'approvals:decide', 'agents:act'] as const;
  const key = await helve.plane.createApiKey(helve.admin, { permissions });
  agent = createClient({ url, token, fetch });
  admin = createClient({ url, token: key.secret, fetch });
});
afterEach(() => helve.close());

const save = "return await custom.save({ name: 'a' })";

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
  return Promise.resolve(app.request('/api/runs', { method: 'POST', headers: sent, body: JSON.stringify(body) }));
}

test('R-rest: mode check runs nothing and answers a verdict; without a mode the program runs', async () => {
  expect(await agent.checkCode({ code: save })).toEqual({ ok: true, issues: [] });
  expect(effects).toEqual([]);
  const run = await agent.runCode({ code: save, intent: 'save a' });
  expect(run).toMatchObject({ status: 'succeeded', value: 1, intent: 'save a' });
  expect(effects).toEqual([{ name: 'a' }]);
});

test('R-durable-runs: the header Idempotency-Key, and the same key in the body, start one run', async () => {
  const first = await (await post({ code: save }, { 'idempotency-key': '"one"' })).json();
  const second = await (await post({ code: save, idempotencyKey: 'one' })).json();
  expect([second.id, effects.length]).toEqual([first.id, 1]);
  const both = await post({ code: save, idempotencyKey: 'one' }, { 'idempotency-key': 'two' });
  expect([both.status, (await both.json()).code]).toEqual([400, 'invalid_input']);
  expect((await (await post({ code: save }, { 'idempotency-key': 'two' })).json()).id).not.toBe(first.id);
  expect(effects).toHaveLength(2);
});

test('R-durable-runs: a call with the header Idempotency-Key, or the same key in the body, is made once', async () => {
  const call = (more: object, headers: Record<string, string> = {}) =>
    app.request('/api/tools/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ tool: 'save', input: { name: 'a' }, ...more }),
    });
  const answers = [await call({}, { 'idempotency-key': '"one"' }), await call({ idempotencyKey: 'one' })];
  for (const answer of answers) expect(await answer.json()).toMatchObject({ ok: true, output: 1 });
  expect(effects).toHaveLength(1);
  const stream = await call({}, { 'idempotency-key': 'one', accept: 'text/event-stream' });
  expect(await stream.text()).toMatch(/"type":"finished".*"output":1/);
  const started = await call({}, { 'idempotency-key': 'two', accept: 'text/event-stream' });
  expect(await started.text()).toMatch(/"type":"started"[\s\S]*"type":"finished".*"output":2/);
  const refusals = [
    await call({ idempotencyKey: 'one' }, { 'idempotency-key': 'two' }),
    await call({ input: { name: 'b' } }, { 'idempotency-key': 'one' }),
    await call({ tool: 'guarded', input: {} }, { 'idempotency-key': 'three' }),
    // Such as that of a variable that is not set.
    await call({}, { 'idempotency-key': '' }),
    await call({}, { 'idempotency-key': '""' }),
    await call({}, { 'idempotency-key': 'x'.repeat(201) }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 409, 409, 400, 400, 400]);
  expect(effects).toHaveLength(2);
  // Control: without a key the same request is made again.
  expect(await (await call({})).json()).toMatchObject({ ok: true, output: 3 });
});

test('R-durable-runs: a limit is taken, and one above the installation’s is refused', async () => {
  const stopped = await agent.runCode({ code: `${save.slice(7)}; ${save}`, limits: { calls: 1 } });
  expect([stopped.status, effects.length]).toEqual(['failed', 1]);
  await expect(agent.runCode({ code: save, limits: { calls: 1_001 } })).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect(effects).toHaveLength(1);
});

test('R-durable-runs: with wait: false or Prefer: respond-async the answer is 202 at once, and the events lead to the end', async () => {
  for (const [more, headers] of [
    [{ wait: false }, {}],
    [{}, { prefer: 'respond-async' }],
  ] as const) {
    const code = 'await sleep(3_600_000)';
    const reply = await post({ code, ...more }, headers);
    const { id } = await reply.json();
    expect([reply.status, reply.headers.get('location')]).toEqual([202, `/api/runs/${id}`]);
    const seen: RunEvent[] = [];
    for await (const event of agent.followRun({ id })) {
      seen.push(event);
      if (event.type === 'run' && event.run.status === 'waiting')
        await agent.call('POST /api/runs/:id/cancel', { params: { id } });
    }
    expect(seen.at(-1)).toMatchObject({ type: 'settled', run: { id, status: 'cancelled' } });
  }
});

test('R-durable-runs: a run that waits says so; an approval continues it, and its calls are listed', async () => {
  const run = await agent.runCode({ code: 'await custom.guarded({}); return "done"' });
  expect(run).toMatchObject({ status: 'waiting', waits: [{ for: 'approval', number: 1, tool: 'guarded' }] });
  const [wait] = run.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  const params = { id: run.id };
  const events = agent.followRun({ id: run.id })[Symbol.asyncIterator]();
  await events.next();
  await helve.plane.decideApproval(helve.admin, wait.approvalId, 'approved', 'api');
  let last = (await events.next()).value;
  while (last.type !== 'settled') last = (await events.next()).value;
  expect(last.run).toMatchObject({ status: 'succeeded', value: 'done' });
  const { calls } = await agent.call('GET /api/runs/:id/calls', { params });
  expect(calls).toMatchObject([{ number: 1, tool: 'guarded', status: 'ok', executionId: expect.any(String) }]);
});

test('R-durable-runs: a plan is decided by who may, and then followed once', async () => {
  const plan = await agent.runCode({ code: save, mode: 'plan' });
  expect(plan.planned).toMatchObject({ status: 'pending', effects: [{ tool: 'save', arguments: { name: 'a' } }] });
  const decide = { params: { id: plan.id }, body: { decision: 'approve_plan' } } as const;
  await expect(agent.call('POST /api/runs/:id/decide', decide)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(agent.runCode({ code: save, plan: plan.id })).rejects.toMatchObject({ code: 'conflict' });
  expect(effects).toEqual([]);
  expect((await admin.call('POST /api/runs/:id/decide', decide)).planned?.status).toBe('approved');
  expect(await agent.runCode({ code: save, plan: plan.id })).toMatchObject({ status: 'succeeded', plan: plan.id });
  await expect(agent.runCode({ code: save, plan: plan.id })).rejects.toMatchObject({ code: 'conflict' });
  expect(effects).toEqual([{ name: 'a' }]);
});

test('R-rest: the runs that wait for an approval are found by it, and the plans that can still be decided', async () => {
  const waiting = await agent.runCode({ code: 'await custom.guarded({})' });
  const plan = await agent.runCode({ code: save, mode: 'plan' });
  const late = await agent.runCode({ code: save, mode: 'plan' });
  const find = async (query: { approval?: string; plan?: 'pending' }, by = admin) =>
    (await by.call('GET /api/runs', { query })).runs.map(({ id }) => id);
  const [wait] = waiting.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  expect(await find({ approval: wait.approvalId })).toEqual([waiting.id]);
  expect(await find({ approval: plan.id })).toEqual([]);
  expect(await find({ plan: 'pending' }, agent)).toEqual([late.id, plan.id]);
  await admin.call('POST /api/runs/:id/decide', { params: { id: late.id }, body: { decision: 'reject_plan' } });
  expect(await find({ plan: 'pending' })).toEqual([plan.id]);
  helve.advance(Date.parse(plan.planned?.expiresAt ?? '') - Date.now());
  expect(await find({ plan: 'pending' })).toEqual([]);
});

test('R-rest: a decided plan is not found as one to decide about, whatever the arguments of its effects say', async () => {
  const code = "const given = { name: 'a', status: 'pending' }; return await custom.save(given)";
  const { id, planned } = await agent.runCode({ code, mode: 'plan' });
  expect(planned?.effects).toMatchObject([{ arguments: { status: 'pending' } }]);
  await admin.call('POST /api/runs/:id/decide', { params: { id }, body: { decision: 'approve_plan' } });
  expect((await admin.call('GET /api/runs', { query: { plan: 'pending' } })).runs).toEqual([]);
});

test('R-rest: runs are listed page by page; a key without audit:read sees what it started as an agent only as that agent', async () => {
  const ids: string[] = [];
  for (const number of [1, 2, 3]) ids.unshift((await agent.runCode({ code: `return ${number}` })).id);
  const query = { limit: 2 };
  const first = await agent.call('GET /api/runs', { query });
  expect(first.runs.map(({ id, callCount }) => [id, callCount])).toEqual([
    [ids[0], 0],
    [ids[1], 0],
  ]);
  const rest = await agent.call('GET /api/runs', { query: { ...query, before: first.next } });
  expect([rest.runs.map(({ id }) => id), rest.next]).toEqual([[ids[2]], undefined]);
  const permissions = ['tools:read', 'tools:call', 'agents:act'] as const;
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions });
  const key = createClient({
    url: 'http://localhost',
    token: secret,
    fetch: async (to, init) => app.request(to, init),
  });
  const own = await key.runCode({ code: 'return 4', agent: 'tester' });
  const list = async (more: { agent?: string }) => (await key.call('GET /api/runs', { query: more })).runs;
  expect([await list({}), (await list({ agent: 'tester' })).map(({ id }) => id)]).toEqual([[], [own.id]]);
  const params = { id: own.id };
  await expect(key.call('GET /api/runs/:id', { params })).rejects.toMatchObject({ code: 'not_found' });
  expect((await key.call('GET /api/runs/:id', { params, query: { agent: 'tester' } })).value).toBe(4);
});
