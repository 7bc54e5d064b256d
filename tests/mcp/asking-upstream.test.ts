/**
 * MCP servers behind Helve that ask while a tool runs, in front of clients that speak 2026-07-28: the official
 * everything server, which is of 2025-11-25 and asks by requests, and a server of 2026-07-28, which asks by interim
 * results. The clients are SDK 2's and the AI SDK's, which choose that revision by themselves.
 */
import { fileURLToPath } from 'node:url';
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { inputRequired } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpProvider, type McpProviderOptions } from '../../src/providers/mcp/index.js';
import { openTestServer, type TestTool } from '../../src/providers/mcp/testing/servers.js';
import { atEnd, bearer, type Caller, endAll, openRealDoor, type RealDoor, rowsOf, textOf } from './real-door.js';

afterEach(endAll);

type Source = McpProviderOptions['servers'][number];

const everything: Source = {
  slug: 'upstream',
  title: 'Upstream',
  transport: {
    kind: 'stdio',
    command: process.execPath,
    args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')), 'stdio'],
  },
};

async function openDoor(source: Source) {
  const provider = createMcpProvider({ servers: [source] });
  const real = await openRealDoor({ providers: [provider], config: 'discovery: { direct_tools: 500 }' });
  const { plane, admin } = real.helve;
  const tools = (await provider.tools('upstream')).map(({ id }) => id.name);
  await plane.replaceGrants(admin, 'alice', [{ toolkit: 'upstream', tools, limits: {}, config: {} }]);
  return real;
}

/** The client itself chooses the revision. */
async function connectSdk(caller: Caller, capabilities: object) {
  const client = new Client({ name: 'test', version: '0' }, { capabilities, versionNegotiation: { mode: 'auto' } });
  const asked: { message: string; requestedSchema?: unknown }[] = [];
  if ('elicitation' in capabilities)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      return { action: 'accept', content: { name: 'Ada', check: true } };
    });
  if ('sampling' in capabilities)
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      asked.push({ message: JSON.stringify(params.messages) });
      return { role: 'assistant', model: 'test', content: { type: 'text', text: 'a model’s words' } };
    });
  if ('roots' in capabilities)
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }));
  const requestInit = { headers: bearer(caller) };
  await client.connect(new StreamableHTTPClientTransport(new URL(caller.address), { requestInit }));
  expect(client.getProtocolEra()).toBe('modern');
  atEnd(() => client.close());
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { tools } = await client.listTools();
    const name = tools.find((one) => one.name.endsWith(tool.replaceAll('-', '_')) || one.name.endsWith(tool))?.name;
    return client.callTool({ name: name ?? tool, arguments: input });
  };
  return { client, asked, call };
}

async function expectOneCall(real: RealDoor) {
  const [started, finished] = [await rowsOf(real, 'execution.started'), await rowsOf(real, 'execution.finished')];
  expect(started).toHaveLength(1);
  expect(finished).toMatchObject([{ executionId: started[0]?.executionId, body: { status: 'ok' } }]);
}

const all = { elicitation: { form: {} }, sampling: {}, roots: {} };
const whose = 'The MCP server “Upstream” asks (its own words, not checked)';

describe('R-mcp-client: the everything server behind Helve, with the client of SDK 2', () => {
  it('R-mcp-client: its elicitation reaches the client, and the answer reaches it', async () => {
    const real = await openDoor(everything);
    const { asked, call } = await connectSdk(real.alice, all);
    const result = await call('trigger-elicitation-request');
    expect(asked[0]?.message).toContain(whose);
    expect(asked[0]?.requestedSchema).toMatchObject({ properties: { name: {}, birthdate: {}, integer: {} } });
    expect(JSON.stringify(result)).toContain('Ada');
    await expectOneCall(real);
  });

  it('R-mcp-client: its sampling reaches the client, and the answer reaches it', async () => {
    const real = await openDoor(everything);
    const { asked, call } = await connectSdk(real.alice, all);
    const result = await call('trigger-sampling-request', { prompt: 'Say something', maxTokens: 20 });
    expect(asked[0]?.message).toContain(whose);
    expect(asked[0]?.message).toContain('Say something');
    expect(JSON.stringify(result)).toContain('a model’s words');
    await expectOneCall(real);
  });

  it('R-mcp-client: a client that cannot be asked is not asked, and the server gets a decline', async () => {
    const real = await openDoor(everything);
    const { call } = await connectSdk(real.alice, {});
    expect(JSON.stringify(await call('trigger-elicitation-request'))).toMatch(/declin/i);
  });
});

it('R-mcp-client: the everything server behind Helve, with the client of the AI SDK', async () => {
  const real = await openDoor(everything);
  const client = await createMCPClient({
    transport: { type: 'http', url: real.alice.address, headers: bearer(real.alice) },
    capabilities: { elicitation: {} },
  });
  atEnd(() => client.close());
  const asked: string[] = [];
  client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { name: 'Ada', check: true } };
  });
  const tools = await client.tools();
  const name = Object.keys(tools).find((one) => /trigger.elicitation.request$/.test(one)) ?? '';
  const result = await tools[name]?.execute({}, { toolCallId: '1', messages: [], context: {} } as never);
  expect(asked[0]).toContain(whose);
  expect(JSON.stringify(result)).toContain('Ada');
  await expectOneCall(real);
});

describe('R-mcp-client: a server of 2026-07-28 behind Helve', () => {
  /** Counts its effects before and after it asks. */
  function openUpstream() {
    const done: string[] = [];
    const form = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] };
    const tool: TestTool = {
      name: 'order',
      inputSchema: { type: 'object' },
      run: (_, { mcpReq }) => {
        if (mcpReq.inputResponses === undefined) {
          done.push('reserved');
          const inputRequests = {
            who: inputRequired.elicit({ message: 'Who are you?', requestedSchema: form }),
            where: inputRequired.listRoots(),
            words: inputRequired.createMessage({
              messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }],
              maxTokens: 9,
            }),
          };
          return inputRequired({ inputRequests, requestState: 'the server’s own' });
        }
        done.push(`ordered with ${mcpReq.requestState<string>()}`);
        return { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] };
      },
    };
    return { done, tool };
  }

  it('R-mcp-client: its questions are passed on together, and its call continues once', async () => {
    const { done, tool } = openUpstream();
    const server = await openTestServer([tool], 'stateless');
    atEnd(() => server.close());
    const real = await openDoor({ slug: 'upstream', title: 'Upstream', transport: { kind: 'http', url: server.url } });
    const { asked, call } = await connectSdk(real.alice, all);
    const answers = JSON.parse(textOf(await call('order'))) as unknown;
    expect(answers).toMatchObject({
      who: { action: 'accept', content: { name: 'Ada' } },
      where: { roots: [{ uri: 'file:///work', name: 'work' }] },
      words: { content: { type: 'text', text: 'a model’s words' } },
    });
    expect(asked.map(({ message }) => message)).toEqual([
      expect.stringContaining('Who are you?'),
      expect.stringContaining('Greet'),
    ]);
    for (const { message } of asked) expect(message).toContain(whose);
    expect(done).toEqual(['reserved', 'ordered with the server’s own']);
    await expectOneCall(real);
  });

  it('R-mcp-client: a client without a required capability is told which one is missing, as the protocol specifies', async () => {
    const { done, tool } = openUpstream();
    const server = await openTestServer([tool], 'stateless');
    atEnd(() => server.close());
    const real = await openDoor({ slug: 'upstream', title: 'Upstream', transport: { kind: 'http', url: server.url } });
    const { asked, call } = await connectSdk(real.alice, { sampling: {} });
    await expect(call('order')).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(asked).toEqual([]);
    expect(done).toEqual(['reserved']);
  });
});
