/** R-meta-tools through every door: REST and its client, MCP over HTTP, the AI SDK, OpenAI and a remote adapter. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedModel } from '../../examples/support/scripted-model.js';
import { createClient, type HelveClient } from '../../src/api/index.js';
import { allPermissions } from '../../src/domain/principal.js';
import { toolsFor as aiSdkTools } from '../../src/sdk/ai-sdk.js';
import { toolsFor as openAiTools } from '../../src/sdk/openai.js';
import { remote } from '../../src/sdk/remote.js';
import { type TestHelve, testTool } from '../../src/testing/index.js';
import { overHttp, textOf } from '../e2e/support/mcp.js';
import { endAll, openRealDoor } from '../mcp/real-door.js';

let helve: TestHelve;
let url: string;
let token: string;
let admin: HelveClient;
const ran: unknown[] = [];

const input = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
};
const noted = (name: string, description: string, more: object = {}) =>
  testTool({
    name,
    description,
    inputSchema: input,
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
    noted('send_message', 'Sends a message to a channel.'),
    noted('create_channel_based_conversation', 'Creates a new public or private channel based conversation.'),
    noted('remind_everybody', 'Adds a reminder for everybody.', { highRisk: true }),
  ],
};
const wrong = 'SLACK_CREATE_CHANNEL_BASED_CONVERSATION';
const intent = 'send a message to #general';
const meta = ['search_tools', 'describe_tools', 'call_tool', 'run_code'];

beforeAll(async () => {
  const { nativeToolkits } = await import('../../src/toolkits/index.js');
  const own = nativeToolkits.filter(({ slug }) => ['math', 'results', 'discovery'].includes(slug));
  ({ helve, url } = await openRealDoor({ nativeToolkits: [...own, slack] }));
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
  admin = createClient({ url, token: secret });
});
afterAll(endAll);

const shownAs = (toolMode: 'auto' | 'direct' | 'meta') =>
  admin.call('PATCH /api/agents/:agent', { params: { agent: 'tester' }, body: { toolMode } });

describe('REST', () => {
  test('R-rest R-tiers: search, describe and hints, as an agent and for oneself', async () => {
    const found = await admin.call('GET /api/tools/search', {
      query: { q: 'send a message', limit: 2, toolkits: 'slack,math', explain: 'true', agent: 'tester' },
    });
    expect(found.hits[0]).toMatchObject({ name: 'send_message', signature: '(text: string)', why: expect.any(Array) });
    expect(found.hits.length).toBeLessThanOrEqual(2);
    const { tools, unknown } = await admin.call('POST /api/tools/describe', { body: { names: ['send_message', 'x'] } });
    expect([tools[0]?.inputSchema, unknown]).toEqual([input, [{ name: 'x', nearest: [] }]]);
    const hints = await admin.call('POST /api/tools/hints', { body: { text: 'send a message', agent: 'tester' } });
    expect([hints.tier, hints.text]).toEqual(['capability', expect.stringContaining('send_message(text: string)')]);
    expect((await admin.call('GET /api/tools/search/stats')).searches).toBeGreaterThan(0);
    const none = admin.call('GET /api/tools/search', { query: { q: 'x', agent: 'nobody' } });
    await expect(none).rejects.toMatchObject({ code: 'not_found' });
    const tooMany = admin.call('GET /api/tools/search', { query: { q: 'x', limit: 51 } });
    await expect(tooMany).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('R-capability: an intent that the tool does not fit is refused with 422', async () => {
    ran.length = 0;
    const body = { tool: wrong, input: { text: 'x' }, agent: 'tester', intent };
    const result = await admin.call('POST /api/tools/execute', { body });
    expect(result).toMatchObject({ ok: false, rule: 'intent.mismatch', error: { code: 'intent_mismatch' } });
    const response = await fetch(`${url}/api/tools/execute`, {
      method: 'POST',
      body: JSON.stringify({ tool: wrong, input: { text: 'x' }, intent }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(ran).toEqual([]);
    const good = await admin.call('POST /api/tools/execute', { body: { ...body, tool: 'send_message' } });
    expect(good).toMatchObject({ ok: true });
  });

  test('R-meta-tools: the list and the exports follow the mode; `all` does not', async () => {
    await shownAs('meta');
    const listed = await admin.call('GET /api/tools/workspace', { query: { agent: 'tester' } });
    expect(listed.tools.map(({ name }) => name)).toEqual(meta);
    const exported = await admin.call('GET /api/tools/export', { query: { agent: 'tester', format: 'anthropic' } });
    expect(exported.tools.map(({ name }) => name)).toEqual(meta);
    const all = await admin.call('GET /api/tools/workspace', { query: { agent: 'tester', all: 'true' } });
    expect(all.tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...meta, 'send_message']));
    await shownAs('direct');
    const direct = await admin.call('GET /api/tools/workspace', { query: { agent: 'tester' } });
    expect(direct.tools.map(({ name }) => name).sort()).toEqual(
      ['calculate', 'create_channel_based_conversation', 'remind_everybody', 'result_read', 'send_message'].sort(),
    );
  });
});

describe('MCP', () => {
  test('R-meta-tools R-mcp-server: search, describe, call; a wrong name is an answer, and a change of the mode is announced', async () => {
    await shownAs('direct');
    const client = await overHttp(`${url}/mcp/tester`, token);
    let told = 0;
    const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js');
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told++);
    expect((await client.listTools()).tools).toHaveLength(5);
    await shownAs('meta');
    await expect.poll(() => told).toBeGreaterThan(0);
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([...meta].sort());

    const found: any = await client.callTool({ name: 'search_tools', arguments: { query: intent } });
    expect(found.structuredContent.tools[0]).toBe('send_message(text: string) — Sends a message to a channel');
    expect(textOf(found)).not.toContain('create_channel');
    const described: any = await client.callTool({
      name: 'describe_tools',
      arguments: { names: ['send_message'], format: 'json_schema' },
    });
    expect(described.structuredContent.tools[0].input_schema).toEqual(input);
    const call = (args: object, more: object = {}) =>
      client.callTool({ name: 'call_tool', arguments: args as Record<string, unknown>, ...more });
    expect(textOf(await call({ tool: 'send_message', arguments: { text: 'hello' } }))).toBe('{"done":"send_message"}');
    const unknown = await call({ tool: 'send_mesage' });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('Did you mean send_message')]);
    const bad = await call({ tool: 'send_message', arguments: { txt: 'hello' } });
    expect([bad.isError, textOf(bad)]).toEqual([true, expect.stringContaining('send_message(text: string)')]);
    await expect(client.callTool({ name: 'send_mesage' })).rejects.toThrow(/Unknown tool/);

    ran.length = 0;
    const refused = [
      await call({ tool: wrong, arguments: { text: 'x' }, intent }),
      await call({ tool: wrong, arguments: { text: 'x' } }, { _meta: { 'helve/intent': intent } }),
      await client.callTool({ name: wrong, arguments: { text: 'x' }, _meta: { 'helve/intent': intent } }),
    ];
    for (const result of refused) {
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/^intent_mismatch: [\s\S]*send_message/);
    }
    expect(ran).toEqual([]);
    await client.close();
  });
});

describe('adapters', () => {
  const turns = [
    { calls: [{ name: 'search_tools', arguments: { query: intent } }] },
    { calls: [{ name: 'call_tool', arguments: { tool: 'send_message', arguments: { text: 'hello' } } }] },
    { text: 'Sent.' },
  ];

  test('R-sdk R-meta-tools: a loop of the AI SDK finds its tool and calls it', async () => {
    await shownAs('meta');
    ran.length = 0;
    const model = await startScriptedModel(turns);
    const openai = createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch as typeof fetch });
    const tools = await aiSdkTools(helve, { principal: { agent: 'tester' } });
    expect(Object.keys(tools)).toEqual(meta);
    const { text } = await generateText({ model: openai.chat('gpt-4o'), prompt: 'x', tools, stopWhen: stepCountIs(5) });
    expect([text, ran]).toEqual(['Sent.', [['send_message', { text: 'hello' }]]]);
    expect(JSON.stringify(model.requests[1])).toContain('send_message(text: string)');
    await model.stop();
  });

  test('R-sdk R-meta-tools: so does the runner of OpenAI’s SDK', async () => {
    await shownAs('meta');
    ran.length = 0;
    const model = await startScriptedModel(turns);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch as never });
    const tools = await openAiTools(helve, { principal: { agent: 'tester' } });
    const messages = [{ role: 'user' as const, content: 'x' }];
    const runner = client.chat.completions.runTools({ model: 'gpt-4o', messages, tools });
    expect(await runner.finalContent()).toBe('Sent.');
    expect(ran).toEqual([['send_message', { text: 'hello' }]]);
    await model.stop();
  });

  test('R-sdk R-approval: a remote adapter in meta mode: the person is shown the inner call, and it runs once', async () => {
    await shownAs('meta');
    ran.length = 0;
    const asked: unknown[] = [];
    const tools: any = await aiSdkTools(remote({ url, token }), {
      async onApproval({ tool, input: shown, approvalId }) {
        asked.push([tool, shown]);
        await helve.plane.decideApproval(helve.admin, approvalId, 'approved', 'api');
        return true;
      },
    });
    expect(Object.keys(tools)).toEqual(meta);
    const call = { tool: 'remind_everybody', arguments: { text: 'lunch' } };
    expect(await tools.call_tool.execute(call, {})).toBe('{"done":"remind_everybody"}');
    expect(asked).toEqual([['remind_everybody', { text: 'lunch' }]]);
    expect(ran).toHaveLength(1);
  });

  test('R-sdk: requested names are returned in either mode; direct mode lists all', async () => {
    await shownAs('meta');
    const source = remote({ url, token });
    expect(Object.keys(await aiSdkTools(source, { tools: ['send_message'] }))).toEqual(['send_message']);
    const reads = await aiSdkTools(source, { tools: ({ tool }) => tool.id.toolkit === 'math' });
    expect(Object.keys(reads)).toEqual(['calculate']);
    await shownAs('direct');
    expect(Object.keys(await aiSdkTools(source, {}))).toHaveLength(5);
    const bound: any = await aiSdkTools(source, { tools: ['create_channel_based_conversation'], intent });
    expect(await bound.create_channel_based_conversation.execute({ text: 'x' }, {})).toMatch(/^intent_mismatch/);
  });
});
