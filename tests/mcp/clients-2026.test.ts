/** Our own scenarios with the official client of 2026-07-28 (`@modelcontextprotocol/client` 2.4), over HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMcpDoor } from '../../src/surfaces/mcp/index.js';
import { createFakePlane } from './fake-plane.js';
import { houseTools, numbered, seen } from './house-tools.js';
import { listen } from './listener.js';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

type Answer = { action: 'accept'; content: { approve: boolean } } | { action: 'decline' | 'cancel' };

async function connect({ tools = houseTools, answer, manual = false }: Options = {}) {
  const plane = createFakePlane({ tools, highRisk: ['erase'] });
  const door = createMcpDoor({ plane, serverInfo: { name: 'helve', version: '0.0.0' }, resultMaxChars: 10_000 });
  const listening = await listen(door);
  const client = await clientOf(listening.url, 'alice', { answer, manual });
  stops.push(() => listening.close());
  return { client, plane, url: listening.url };
}

interface Options {
  tools?: typeof houseTools;
  answer?: Answer | undefined;
  manual?: boolean;
}

async function clientOf(url: string, id: string, { answer, manual = false }: Options = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      inputRequired: { autoFulfill: !manual },
    },
  );
  if (answer !== undefined) client.setRequestHandler('elicitation/create', async () => answer);
  const requestInit = { headers: { authorization: `Bearer ${id}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  stops.push(() => client.close());
  return client;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const accept: Answer = { action: 'accept', content: { approve: true } };
const erase = { name: 'erase', arguments: { target: 'disk' } };

describe('R-mcp-server: 2026-07-28', () => {
  it('R-mcp-server: lists all pages, fresh for a while and private', async () => {
    const { client } = await connect({ tools: numbered(230) });
    const first = (await client.request({ method: 'tools/list', params: {} })) as any;
    expect(first.tools).toHaveLength(100);
    expect(first).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private', nextCursor: expect.any(String) });
    const all = await client.listTools();
    const names = all.tools.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    await expect(client.request({ method: 'tools/list', params: { cursor: 'x' } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('R-mcp-server: calls, with structured content of any shape', async () => {
    const { client } = await connect();
    await client.listTools();
    const greeted = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
    expect(greeted.structuredContent).toEqual({ greeting: 'Hello, Ada' });
    const added = await client.callTool({ name: 'add', arguments: { left: 1, right: 2 } });
    expect(added.structuredContent).toBe(3);
    const cut = await client.callTool({ name: 'long', arguments: { length: 50_000 } });
    expect(cut.structuredContent).toMatchObject({ cut: { handle: 'result_1' } });
    const wrong = await client.callTool({ name: 'greet', arguments: {} });
    expect(wrong).toMatchObject({ isError: true, _meta: { code: 'invalid_input' } });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('R-mcp-server: reports progress; a closed connection cancels', async () => {
    const { client } = await connect();
    const progress = vi.fn();
    await client.callTool({ name: 'wait', arguments: { ms: 10 } }, { onprogress: progress });
    expect(progress).toHaveBeenCalledWith({ progress: 1 });
    const { cancelled } = seen;
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { ms: 60_000 } }, { signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 100);
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(seen.cancelled).toBe(cancelled + 1));
  });

  it('R-mcp-server: tells a listener of changes to the list', async () => {
    const { client, plane } = await connect();
    const told = vi.fn();
    client.setNotificationHandler('notifications/tools/list_changed', told);
    const subscription = await client.listen({ toolsListChanged: true });
    plane.hide('greet');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    await subscription.close();
  });

  it('R-approval: a person at the client approves, and it runs once', async () => {
    const { client, plane } = await connect({ answer: accept });
    expect(textOf(await client.callTool(erase))).toBe('erased disk');
    expect(plane.decisions).toMatchObject([{ decision: 'approved', through: 'elicitation' }]);
    expect(plane.calls).toHaveLength(2);
  });

  it('R-approval: a person at the client declines', async () => {
    const { client, plane } = await connect({ answer: { action: 'decline' } });
    expect((await client.callTool(erase))._meta).toMatchObject({ code: 'approval_rejected' });
    expect(plane.decisions).toMatchObject([{ decision: 'rejected' }]);
  });

  it.each([undefined, { action: 'cancel' } as const])('R-approval: nobody answers (%s)', async (answer) => {
    const { client, plane } = await connect({ answer });
    const result = await client.callTool(erase);
    expect(result._meta).toMatchObject({ code: 'approval_required' });
    expect(textOf(result)).toContain('http://localhost/approvals/');
    expect(plane.decisions).toEqual([]);
  });

  it('R-approval: the state of a round is sealed, bound and good for one run', async () => {
    const { client, plane, url } = await connect({ answer: accept, manual: true });
    const ask = { method: 'tools/call' as const, params: erase };
    const round = (await client.request(ask, { allowInputRequired: true })) as any;
    expect(round.inputRequests.approval.params.message).toContain('"target": "disk"');
    const { requestState } = round;
    const answers = { inputResponses: { approval: accept } };
    const send = (from: Client, params: object) =>
      from.request({ method: 'tools/call', params: params as never }, { allowInputRequired: true });
    const bent = `${requestState.slice(0, -2)}${requestState.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const forged of [bent, 'v1.e30.AAAA', '', 'x'.repeat(100_000)]) {
      await expect(send(client, { ...erase, ...answers, requestState: forged })).rejects.toMatchObject({
        code: -32602,
      });
    }
    const other = { name: 'erase', arguments: { target: 'everything' } };
    await expect(send(client, { ...other, ...answers, requestState })).rejects.toMatchObject({ code: -32602 });
    const mallory = await clientOf(url, 'mallory', { answer: accept, manual: true });
    await expect(send(mallory, { ...erase, ...answers, requestState })).rejects.toMatchObject({ code: -32602 });
    expect(plane.decisions).toEqual([]);
    expect(textOf(await send(client, { ...erase, ...answers, requestState }))).toBe('erased disk');
    const replayed = (await send(client, { ...erase, ...answers, requestState })) as any;
    expect(replayed.isError).toBe(true);
    expect(plane.decisions).toHaveLength(1);
  });
});
