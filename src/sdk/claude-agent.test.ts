import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { corpus, differing, listing } from '../../tests/examples/corpus.js';
import { type AdapterGround, awkward, executions, openGround, same } from '../../tests/examples/ground.js';
import { type ClaudeAgentServer, toolsFor } from './claude-agent.js';

let helve: AdapterGround;
beforeAll(async () => {
  helve = await openGround();
});

/** The official client, and what it received. The Claude Agent SDK connects `instance` in the same way. */
async function connect({ instance }: ClaudeAgentServer) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const wire: any[] = [];
  const send = ours.send.bind(ours);
  ours.send = (message, options) => {
    wire.push(JSON.parse(JSON.stringify(message)));
    return send(message, options);
  };
  await instance.connect(ours);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(theirs);
  return { client, listed: () => wire.find(({ result }) => result?.tools)?.result.tools };
}

describe('R-sdk: the Claude Agent SDK’s kind of server', () => {
  test('R-sdk: a configuration of an SDK server, whose schemas are as they are', async () => {
    const config = await toolsFor(helve, { principal: helve.principal });
    expect(config).toMatchObject({ type: 'sdk', name: 'helve' });
    expect(config.instance.constructor.name).toBe('McpServer');
    const { client, listed } = await connect(config);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('awkward');
    const sent = listed().find(({ name }: any) => name === 'awkward');
    expect(same(sent.inputSchema, awkward)).toBe(true);
    expect(sent.annotations).toMatchObject({ readOnlyHint: false });
  });

  test('R-sdk: wrong arguments are refused and recorded, framework’s keys dropped, the right call runs', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const { client } = await connect(await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] }));
    const wrong = await client.callTool({ name: 'awkward', arguments: { count: 'two' } });
    expect(wrong).toMatchObject({ isError: true, _meta: { code: 'invalid_input' } });
    expect((wrong.content as any)[0].text).toMatch(/\/count must be integer\nHint: /);
    const right = await client.callTool({ name: 'awkward', arguments: { count: 5, threadId: 't' } });
    expect(right.content).toEqual([{ type: 'text', text: '{"counted":5}' }]);
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
    await expect(client.callTool({ name: 'long', arguments: {} })).rejects.toThrow('Unknown tool: "long"');
  });

  test('R-schema: real schemas and an awkward one, byte for byte', async () => {
    const schemas = corpus();
    const { client, listed } = await connect(await toolsFor(listing(schemas), { name: 'corpus' }));
    await client.listTools();
    const sent = listed().map((tool: any) => tool.inputSchema);
    expect(differing(sent, schemas)).toBe(0);
  });

  test('R-sdk: results are cut, or standard; cancelling reaches the tool', async () => {
    const { client } = await connect(await toolsFor(helve, { principal: helve.principal }));
    const long = (await client.callTool({ name: 'long', arguments: {} })) as any;
    expect(long.content[0].text).toContain('result_read');
    expect(long.content[0].text.length).toBeLessThanOrEqual(10_000);
    const before = (await executions(helve)).length;
    const stop = new AbortController();
    const answer = client.callTool({ name: 'slow', arguments: {} }, undefined, { signal: stop.signal });
    await helve.slowRuns();
    stop.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => executions(helve, before)).toEqual(['execution.started', 'execution.finished']);
    const standard = await connect(await toolsFor(helve, { principal: helve.principal, format: 'standard' }));
    const whole = (await standard.client.callTool({ name: 'awkward', arguments: { count: 1 } })) as any;
    expect(JSON.parse(whole.content[0].text)).toMatchObject({ ok: true, output: { counted: 1 } });
  });
});
