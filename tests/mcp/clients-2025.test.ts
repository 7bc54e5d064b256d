/** Our own scenarios with the official client of 2025-11-25 (`@modelcontextprotocol/sdk`), over HTTP and stdio. */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMcpDoor, type McpDoor } from '../../src/surfaces/mcp/index.js';
import { createFakePlane, type FakePlane, person } from './fake-plane.js';
import { houseTools, numbered, seen } from './house-tools.js';
import { listen } from './listener.js';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

interface Connected {
  client: Client;
  plane: FakePlane;
  door: McpDoor;
}

type Person = 'accept' | 'refuse' | 'decline' | 'cancel' | 'nobody';

/** A client of the door over `kind`, with a person who answers as told. */
async function connect(kind: 'http' | 'stdio', answer: Person = 'nobody', tools = houseTools): Promise<Connected> {
  const plane = createFakePlane({ tools, highRisk: ['erase'] });
  const door = createMcpDoor({ plane, serverInfo: { name: 'helve', version: '0.0.0' }, resultMaxChars: 10_000 });
  const capabilities = answer === 'nobody' ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '0.0.0' }, { capabilities });
  if (answer !== 'nobody') client.setRequestHandler(ElicitRequestSchema, async ({ params }) => reply(answer, params));
  await client.connect(kind === 'http' ? await overHttp(door) : await overStdio(door));
  stops.push(() => client.close());
  return { client, plane, door };
}

const asked: string[] = [];
function reply(answer: Person, params: { message: string }) {
  asked.push(params.message);
  if (answer === 'accept' || answer === 'refuse') {
    return { action: 'accept' as const, content: { approve: answer === 'accept' } };
  }
  return { action: answer === 'decline' ? ('decline' as const) : ('cancel' as const) };
}

async function overHttp(door: McpDoor): Promise<Transport> {
  const listening = await listen(door);
  stops.push(() => listening.close());
  return new StreamableHTTPClientTransport(new URL(listening.url)) as Transport;
}

/** The client's end of the pipes that the door reads and writes. */
async function overStdio(door: McpDoor): Promise<Transport> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = await door.serveStdio(person('alice'), { input, output });
  stops.push(() => connection.close());
  const transport: Transport = {
    async start() {
      let rest = '';
      output.on('data', (chunk) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
    },
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    close: async () => void input.end(),
  };
  return transport;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe.each(['http', 'stdio'] as const)('R-mcp-server: 2025-11-25 over %s', (kind) => {
  it('R-mcp-server: lists a page at a time, in one order, with hints and the very schemas', async () => {
    const { client } = await connect(kind, 'nobody', numbered(230));
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor });
    const third = await client.listTools({ cursor: second.nextCursor });
    expect([first, second, third].map(({ tools }) => tools.length)).toEqual([100, 100, 30]);
    expect(third.nextCursor).toBeUndefined();
    const names = [first, second, third].flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(names).toEqual([...names].sort());
    expect(first.tools[0]?.annotations).toEqual({
      title: 'Greet',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    for (const cursor of ['', 'x', 'YWZ0ZXI6', 'A'.repeat(10_000)]) {
      await expect(client.listTools({ cursor })).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('R-mcp-server: calls, and answers what the client checks against the advertised schema', async () => {
    const { client } = await connect(kind);
    await client.listTools();
    const greeted = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
    expect(greeted.structuredContent).toEqual({ greeting: 'Hello, Ada' });
    expect(textOf(greeted)).toBe('{"greeting":"Hello, Ada"}');
    const added = await client.callTool({ name: 'add', arguments: { left: 1, right: 2 } });
    expect(added.structuredContent).toEqual({ result: 3 });
    const cut = await client.callTool({ name: 'long', arguments: { length: 50_000 } });
    expect(cut.structuredContent).toMatchObject({ cut: { handle: 'result_1', characters: 50_011 } });
    expect(textOf(cut).length).toBeLessThanOrEqual(10_000);
    expect(textOf(cut)).toMatch(/of 50011 characters.*result_read, handle result_1/);
  });

  it('R-mcp-server: says what was wrong so that a model can mend it', async () => {
    const { client } = await connect(kind);
    const wrong = await client.callTool({ name: 'greet', arguments: { nome: 'Ada' } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('invalid_input');
    expect(wrong._meta).toMatchObject({ code: 'invalid_input', executionId: expect.any(String) });
    const broken = await client.callTool({ name: 'crash', arguments: {} });
    expect(broken.isError).toBe(true);
    expect(JSON.stringify(broken)).not.toContain('.ts:');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: '__proto__', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });

  it('R-mcp-server: reports progress and stops when the client cancels', async () => {
    const { client } = await connect(kind);
    const progress = vi.fn();
    await client.callTool({ name: 'wait', arguments: { ms: 10 } }, undefined, { onprogress: progress });
    expect(progress).toHaveBeenCalledWith({ progress: 1 });
    const { cancelled } = seen;
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { ms: 60_000 } }, undefined, { signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 100);
    await expect(call).rejects.toThrow('enough');
    await vi.waitFor(() => expect(seen.cancelled).toBe(cancelled + 1));
  });

  it('R-mcp-server: tells of changes to the list', async () => {
    const { client, plane } = await connect(kind);
    const told = vi.fn();
    client.setNotificationHandler(ToolListChangedNotificationSchema, told);
    await client.listTools();
    await new Promise((resolve) => setTimeout(resolve, 100));
    plane.hide('greet');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('greet');
  });

  it('R-approval: a person at the client approves the exact call, and it runs once', async () => {
    const { client, plane } = await connect(kind, 'accept');
    const result = await client.callTool({ name: 'erase', arguments: { target: 'disk \u202e7' } });
    expect(textOf(result)).toBe('erased disk \u202e7');
    expect(plane.decisions).toMatchObject([{ decision: 'approved', through: 'elicitation' }]);
    expect(asked.at(-1)).toContain('erase');
    expect(asked.at(-1)).toContain('"target": "disk \\u{202e}7"');
  });

  it.each(['decline', 'refuse'] as const)('R-approval: a person who says no (%s) has rejected it', async (answer) => {
    const { client, plane } = await connect(kind, answer);
    const result = await client.callTool({ name: 'erase', arguments: { target: 'disk' } });
    expect(result._meta).toMatchObject({ code: 'approval_rejected' });
    expect(plane.decisions).toMatchObject([{ decision: 'rejected' }]);
  });

  it.each(['cancel', 'nobody'] as const)(
    'R-approval: with no answer (%s) it waits, and the link says where',
    async (answer) => {
      const { client, plane } = await connect(kind, answer);
      const result = await client.callTool({ name: 'erase', arguments: { target: 'disk' } });
      expect(result).toMatchObject({ isError: true, _meta: { code: 'approval_required' } });
      expect(textOf(result)).toContain('http://localhost/approvals/');
      expect([...plane.approvals_.values()].map(({ status }) => status)).toEqual(['pending']);
    },
  );

  it('R-approval: where the operator has switched elicitation off, the link stands', async () => {
    const { client, plane } = await connect(kind, 'accept');
    plane.elicitationAllowed = false;
    const result = await client.callTool({ name: 'erase', arguments: { target: 'disk' } });
    expect(result._meta).toMatchObject({ code: 'approval_required' });
    expect(plane.calls).toHaveLength(1);
  });
});
