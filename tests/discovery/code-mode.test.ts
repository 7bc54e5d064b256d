/** Code mode through MCP, with the official client: four tools, programs, runs that wait. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestHelve, testTool } from '../../src/testing/index.js';
import { nativeToolkits } from '../../src/toolkits/index.js';
import { overHttp, textOf } from '../e2e/support/mcp.js';
import { endAll, openRealDoor } from '../mcp/real-door.js';

let helve: TestHelve;
let url: string;
let client: Client;
const ran: unknown[] = [];

const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const tool = (name: string, description: string, more: object = {}) =>
  testTool({
    name,
    description,
    inputSchema: input,
    outputSchema: { type: 'object', properties: { done: { type: 'string' } }, required: ['done'] },
    async execute(given) {
      ran.push([name, given]);
      return { done: name };
    },
    ...more,
  });
const slack = {
  slug: 'slack',
  title: 'Slack',
  description: 'Messages',
  category: 'communication',
  load: async () => [
    tool('send_message', 'Sends a message to a channel.'),
    tool('create_reminder', 'Creates a reminder.'),
    tool('remind_everybody', 'Adds a reminder for everybody.', { highRisk: true }),
  ],
};
const codeMode = ['describe_tools', 'run_code', 'run_status', 'search_tools'];

beforeAll(async () => {
  const own = nativeToolkits.filter(({ slug }) => ['math', 'discovery'].includes(slug));
  ({ helve, url } = await openRealDoor({ nativeToolkits: [...own, slack], publicUrl: 'http://localhost' }));
  await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'code' });
});
afterAll(endAll);
beforeEach(async () => {
  ran.length = 0;
  const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
  client = await overHttp(`${url}/mcp/tester`, secret);
});
afterEach(() => client.close());

const call = async (name: string, given: Record<string, unknown>, more: object = {}): Promise<any> =>
  client.callTool({ name, arguments: given, ...more });
const run = async (code: string, more: object = {}) => (await call('run_code', { code, ...more })).structuredContent;

describe('R-meta-tools: code mode over MCP', () => {
  test('R-meta-tools: an agent in code mode sees exactly four tools; what they answer is TypeScript for programs', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(codeMode);
    const search = async () => (await call('search_tools', { query: 'send a message to a channel' })).structuredContent;
    const sendMessage = 'function sendMessage(input:{text:string}):Promise<{done:string}>;';
    const found = await search();
    expect(found.tools[0]).toBe('send_message');
    expect(found.tools.slice(1).join()).not.toContain('(');
    expect(found.declarations).toContain(sendMessage);
    const { structuredContent } = await call('describe_tools', { names: ['send_message', 'calculate', 'nothing'] });
    expect(structuredContent.declarations).toContain('declare namespace slack {');
    expect(structuredContent.declarations).toContain(sendMessage);
    expect(structuredContent.declarations).toContain('declare namespace math {');
    expect(structuredContent.declarations).not.toContain('createReminder');
    expect(structuredContent.unknown).toMatchObject([{ name: 'nothing' }]);
    await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'meta' });
    const other = await call('describe_tools', { names: ['send_message'] });
    expect(other.structuredContent.tools[0].declaration).toContain('export declare function send_message');
    const { tools, declarations } = await search();
    expect(tools[0]).toContain('send_message(text: string)');
    expect(declarations).toBeUndefined();
    await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'code' });
  });

  test('R-meta-tools R-durable-runs: a program runs as the agent; progress tells its calls, and each is recorded', async () => {
    const told: string[] = [];
    const result: any = await client.callTool(
      {
        name: 'run_code',
        arguments: {
          code: "for (const text of ['a', 'b']) await slack.sendMessage({ text });\nconsole.log('sent'); return 2;",
        },
      },
      undefined,
      { onprogress: ({ message }) => void told.push(message ?? '') },
    );
    expect(result.isError ?? false).toBe(false);
    expect(result.structuredContent).toMatchObject({
      status: 'succeeded',
      value: 2,
      logs: ['sent'],
      calls: ['1–2  send_message  ok'],
    });
    expect(told).toContain('1  send_message  running …');
    expect(told).toContain('2  send_message  ok');
    expect(ran).toEqual([
      ['send_message', { text: 'a' }],
      ['send_message', { text: 'b' }],
    ]);
    const started = (await helve.audited()).filter(({ type }) => type === 'execution.started').slice(-3);
    expect(started.map(({ tool: name }) => name)).toEqual([
      'Discovery.runCode',
      'Slack.sendMessage',
      'Slack.sendMessage',
    ]);
    const runs = await helve.plane.listRuns(helve.agent, {});
    expect(runs.map(({ id }) => id)).toContain(result.structuredContent.id);
  });

  test('R-sandbox: a program with an issue runs nothing, and the answer says how to correct it', async () => {
    const answer = await run("await slack.sendMessage({ text: 'a' }); await slack.sendMesage({ text: 'b' })");
    expect(answer).toMatchObject({
      status: 'refused',
      issues: [expect.stringMatching(/^1:\d+ .*did you mean sendMessage/)],
      next: expect.stringContaining('call run_code again'),
    });
    expect(ran).toEqual([]);
  });

  test('R-approval R-durable-runs: a run that needs a person answers at once where, and run_status tells how it went on', async () => {
    const answer = await run("return (await slack.remindEverybody({ text: 'a' })).done");
    expect(answer).toMatchObject({
      status: 'waiting',
      url: `http://localhost/runs/${answer.id}`,
      waits: [expect.stringMatching(/^Call 1 \(remind_everybody\) waits for a person to approve it/)],
      next: expect.stringContaining('Do not start it again'),
    });
    expect(ran).toEqual([]);
    const { waits } = await helve.plane.getRun(helve.agent, answer.id);
    const [wait] = waits;
    if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
    const status = call('run_status', { id: answer.id, wait_seconds: 50 });
    await helve.plane.decideApproval(helve.admin, wait.approvalId, 'approved', 'api');
    expect((await status).structuredContent).toMatchObject({ status: 'succeeded', value: 'remind_everybody' });
    expect(ran).toHaveLength(1);
    const unknown = await call('run_status', { id: 'nothing' });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('not_found')]);
  });

  test('R-durable-runs: a plan makes no effect, and once approved its program is run by its id', async () => {
    const code = "await slack.sendMessage({ text: 'a' })";
    const plan = await run(code, { mode: 'plan' });
    expect(plan).toMatchObject({ status: 'succeeded', plan: ['1  send_message {"text":"a"}'] });
    expect(plan.next).toContain(`plan: "${plan.id}"`);
    expect(ran).toEqual([]);
    const early = await call('run_code', { code, plan: plan.id });
    expect([early.isError, ran]).toEqual([true, []]);
    await helve.plane.decideRun(helve.admin, plan.id, { decision: 'approve_plan' });
    expect(await run(code, { plan: plan.id })).toMatchObject({ status: 'succeeded' });
    expect(ran).toHaveLength(1);
  });

  test('R-sandbox: a program has no way to run programs or to call tools by name', async () => {
    for (const code of [
      "await discovery.runCode({ code: 'return 1' })",
      "await discovery.callTool({ tool: 'send_message', arguments: { text: 'a' } })",
      "await env.discovery.runStatus({ id: 'a' })",
    ])
      expect((await run(code)).status, code).toBe('refused');
    expect(ran).toEqual([]);
    expect(await run("await slack.sendMessage({ text: 'a' })")).toMatchObject({ status: 'succeeded' });
    expect(ran).toHaveLength(1);
  });

  test('R-capability: an intent is that of the calls of the program, not of run_code', async () => {
    const send = "await slack.sendMessage({ text: 'a' })";
    const intent = 'send a message to #general';
    expect(await run(send, { intent })).toMatchObject({ status: 'succeeded' });
    expect(ran).toHaveLength(1);
    const given = { code: "await slack.createReminder({ text: 'b' })" };
    const refused = await call('run_code', given, { _meta: { 'helve/intent': intent } });
    expect(refused.structuredContent).toMatchObject({ status: 'failed' });
    expect(ran).toHaveLength(1);
    expect(await run(given.code)).toMatchObject({ status: 'succeeded' });
    expect(ran).toHaveLength(2);
  });
});
