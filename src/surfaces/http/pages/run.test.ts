/** The page of a run: told in words, decided by those who may, and closed to others. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HelveError } from '../../../domain/errors.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

const own = 'http://localhost';
let helve: TestHelve;
let app: HttpApp;
let cookie: string;
const effects: unknown[] = [];

beforeEach(async () => {
  effects.length = 0;
  const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const save = testTool({ name: 'save', inputSchema, execute: async (input) => effects.push(input) });
  const lose = testTool({
    name: 'lose',
    execute: () => Promise.reject(new HelveError('outcome_unknown', 'The answer was lost')),
  });
  const tools = [save, lose, testTool({ name: 'guarded', highRisk: true })];
  helve = await createTestHelve({ nativeToolkits: [], tools });
  app = createHttpApp({ plane: helve.plane, publicUrl: own });
  const logIn = await post('/admin/login', await helve.adminLink(helve.workspaceId), { name: 'token' });
  cookie = logIn.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterEach(() => helve.close());

function post(
  path: string,
  value: string,
  { name = 'decision', origin = own, as = {} as Record<string, string>, more = {} as Record<string, string> } = {},
) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin, ...as };
  const body = new URLSearchParams({ [name]: value, ...more }).toString();
  return Promise.resolve(app.request(path, { method: 'POST', headers, body }));
}
const look = async (id: string) => (await app.request(`/runs/${id}`, { headers: { cookie } })).text();

test('R-durable-runs: the page tells what a run did and shows text as text', async () => {
  const code = "await custom.save({ name: 'a' }); console.log('<b>bold</b>'); return { done: true }";
  const run = await helve.plane.runCode(helve.agent, { code, intent: '<i>save</i>' });
  const text = await look(run.id);
  for (const told of ['The program ended.', '1  save  ok', '&lt;b&gt;bold', '&lt;i&gt;save', '&quot;done&quot;: true'])
    expect(text).toContain(told);
  expect(text).not.toContain('<b>bold');
  expect(text).not.toContain('<button type="submit"');
});

test('R-durable-runs: a plan is approved on the page once, by a person and from this site only', async () => {
  const code = "await custom.save({ name: 'a' })";
  const { id } = await helve.plane.runCode(helve.agent, { code, mode: 'plan' });
  expect(await look(id)).toContain('Approve all of these effects, once');
  const foreign = await post(`/runs/${id}`, 'approve_plan', { origin: 'https://evil.example', as: { cookie } });
  const nobody = await post(`/runs/${id}`, 'approve_plan');
  const token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  const agent = await post(`/runs/${id}`, 'approve_plan', { as: { authorization: `Bearer ${token}` } });
  expect([foreign.status, nobody.status, agent.status]).toEqual([403, 401, 403]);
  expect((await helve.plane.getRun(helve.agent, id)).planned?.status).toBe('pending');
  const done = await post(`/runs/${id}`, 'approve_plan', { as: { cookie } });
  expect([done.status, done.headers.get('location')]).toEqual([303, `/runs/${id}`]);
  expect((await helve.plane.getRun(helve.agent, id)).planned?.status).toBe('approved');
  expect(await look(id)).not.toContain('Approve all of these effects');
  expect((await post(`/runs/${id}`, 'approve_plan', { as: { cookie } })).status).toBe(409);
});

test('R-durable-runs: a run that waits links to the approval and can be stopped; what is no decision is refused', async () => {
  const { id, waits } = await helve.plane.runCode(helve.agent, { code: 'await custom.guarded({})' });
  const [wait] = waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  const text = await look(id);
  expect(text).toContain(`href="/approvals/${wait.approvalId}"`);
  expect(text).toContain('Stop this run');
  for (const wrong of ['', 'happened', 'happened 0', 'perhaps 1', 'stop 1'])
    expect((await post(`/runs/${id}`, wrong, { as: { cookie } })).status, wrong).toBe(400);
  expect((await helve.plane.getRun(helve.agent, id)).status).toBe('waiting');
  expect((await post(`/runs/${id}`, 'stop', { as: { cookie } })).status).toBe(303);
  expect(await look(id)).toContain('The run was cancelled.');
});

test('R-durable-runs: a question is answered on the page, with one of its choices', async () => {
  const code = `return await person.ask({ question: '<b>Which?</b>', choices: ['"one"', 'two'] })`;
  const { id } = await helve.plane.runCode(helve.agent, { code });
  const text = await look(id);
  expect(text).toContain('It asks: &lt;b&gt;Which?');
  expect(text).toContain('value="&quot;one&quot;"');
  const say = (output: string) => post(`/runs/${id}`, 'answer 1', { as: { cookie }, more: { output } });
  expect([(await say('three')).status, (await say('"one"')).status]).toEqual([400, 303]);
  for await (const event of helve.plane.followRun(helve.agent, id, AbortSignal.timeout(10_000)))
    if (event.type === 'settled') expect(event.run).toMatchObject({ status: 'succeeded', value: '"one"' });
});

test('R-durable-runs: the page takes what a call in doubt answered, and refuses what is not JSON', async () => {
  const { id, status } = await helve.plane.runCode(helve.agent, { code: 'return await custom.lose({})' });
  expect(status).toBe('in_doubt');
  expect(await look(id)).toContain('What the tool answered, as JSON');
  const say = (output: string) => post(`/runs/${id}`, 'happened 1', { as: { cookie }, more: { output } });
  const wrong = await say('{ number: 7 }');
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('is not JSON')]);
  expect((await helve.plane.getRun(helve.agent, id)).status).toBe('in_doubt');
  expect((await say(' {"number": 7} ')).status).toBe(303);
  for await (const event of helve.plane.followRun(helve.agent, id, AbortSignal.timeout(10_000)))
    if (event.type === 'settled') expect(event.run).toMatchObject({ status: 'succeeded', value: { number: 7 } });
});
