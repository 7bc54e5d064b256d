/** `mode: 'code'` in every adapter: exactly the four tools of code mode, however the agent sees its tools otherwise. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { ToolExecutionOptions } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpApp, type Listening, listen } from '../surfaces/http/index.js';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';
import { nativeToolkits } from '../toolkits/index.js';
import { toolsFor as aiSdk } from './ai-sdk.js';
import { toolsFor as anthropic } from './anthropic.js';
import { toolsFor as claudeAgent } from './claude-agent.js';
import { toolsFor as cloudflare } from './cloudflare.js';
import { toolsFor as langchain } from './langchain.js';
import { toolsFor as mastra } from './mastra.js';
import { toolsFor as openai, responsesToolsFor } from './openai.js';
import { toolsFor as openaiAgents } from './openai-agents.js';

let helve: TestHelve;
let server: Listening;
let token: string;
const ran: unknown[] = [];
const four = ['search_tools', 'describe_tools', 'run_code', 'run_status'];

beforeAll(async () => {
  const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const save = testTool({ name: 'save', inputSchema, execute: async (input) => ran.push(input) });
  const own = nativeToolkits.filter(({ slug }) => slug === 'discovery');
  helve = await createTestHelve({ nativeToolkits: own, tools: [save] });
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
});
afterAll(async () => {
  await server.close();
  await helve.close();
});

test('R-sdk R-meta-tools: each adapter gives exactly the four tools', async () => {
  const options = { principal: helve.agent, mode: 'code' } as const;
  const names = {
    aiSdk: Object.keys(await aiSdk(helve, options)),
    anthropic: (await anthropic(helve, options)).map(({ name }) => name),
    openai: (await openai(helve, options)).map((one) => one.function.name),
    responses: (await responsesToolsFor(helve, options)).map((one) => one.tool.name),
    langchain: (await langchain(helve, options)).map(({ name }) => name),
    mastra: Object.keys(await mastra(helve, options)),
    openaiAgents: (await openaiAgents(helve, options)).map(({ name }) => name),
    cloudflare: Object.keys(await cloudflare({ url: server.url, token }, { mode: 'code' })),
  };
  for (const [adapter, found] of Object.entries(names)) expect(found, adapter).toEqual(four);
  // The control: the agent itself sees its one tool.
  expect(Object.keys(await aiSdk(helve, { principal: helve.agent }))).toEqual(['save']);
});

test('R-sdk R-meta-tools: the Claude Agent SDK’s server lists the four and runs a program', async () => {
  const { instance } = await claudeAgent(helve, { principal: helve.agent, mode: 'code' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '0' });
  await Promise.all([instance.connect(far), client.connect(near)]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(four);
  ran.length = 0;
  const called = await client.callTool({
    name: 'run_code',
    arguments: { code: "return await custom.save({ name: 'a' })" },
  });
  expect(JSON.stringify(called.content)).toContain('succeeded');
  expect(ran).toEqual([{ name: 'a' }]);
  await client.close();
});

test('R-sdk R-typedefs: tools are described as functions of programs, and programs over them run', async () => {
  const options = { toolCallId: 'a', messages: [] } as unknown as ToolExecutionOptions<never>;
  for (const tools of [
    await aiSdk(helve, { principal: helve.agent, mode: 'code', format: 'standard' }),
    await cloudflare({ url: server.url, token }, { mode: 'code', format: 'standard' }),
  ]) {
    ran.length = 0;
    const call = async (name: string, input: unknown): Promise<any> => tools[name]?.execute?.(input as never, options);
    const described = await call('describe_tools', { names: ['save'] });
    expect(described.output.declarations).toContain('declare namespace custom {');
    const asked = await call('describe_tools', { names: ['save'], format: 'typescript' });
    expect(asked.output.tools[0].declaration).toContain('export declare function save');
    const done = await call('run_code', { code: "return await custom.save({ name: 'a' })" });
    expect(done.output).toMatchObject({ status: 'succeeded', value: 1 });
    expect((await call('run_status', { id: done.output.id })).output).toMatchObject({ status: 'succeeded' });
    expect(ran).toEqual([{ name: 'a' }]);
  }
});

test('R-sdk R-meta-tools: if the workspace has switched the toolkit off, the reason is said', async () => {
  await helve.plane.enableTools(helve.admin, 'discovery', { enabled: false });
  const refused = aiSdk(helve, { principal: helve.agent, mode: 'code' });
  await expect(refused).rejects.toMatchObject({ code: 'tool_not_found', hint: expect.stringContaining('discovery') });
  await helve.plane.enableTools(helve.admin, 'discovery', { enabled: true });
});
