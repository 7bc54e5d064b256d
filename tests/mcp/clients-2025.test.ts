/** Our own scenarios with the official client of 2025-11-25 (`@modelcontextprotocol/sdk`), over HTTP and stdio. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { houseTools, numbered, seen } from './house-tools.js';
import { overPipes } from './pipes.js';
import {
  atEnd,
  bearer,
  endAll,
  grantsWithout,
  openRealDoor,
  type RealDoor,
  type RealDoorOptions,
  rowsOf,
  story,
  textOf,
  until,
} from './real-door.js';

afterEach(endAll);

type Person = 'accept' | 'refuse' | 'decline' | 'cancel' | 'nobody';

/** Alice's client of a real door over `kind`, with a person who answers as the test says. */
async function connect(kind: 'http' | 'stdio', answer: Person = 'nobody', options: RealDoorOptions = {}) {
  const real = await openRealDoor({ tools: houseTools, config: personAtAlice, ...options });
  const capabilities = answer === 'nobody' ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '0.0.0' }, { capabilities });
  if (answer !== 'nobody') client.setRequestHandler(ElicitRequestSchema, async ({ params }) => reply(answer, params));
  await client.connect(kind === 'http' ? overHttp(real) : ((await overPipes(real, real.alice)) as Transport));
  atEnd(() => client.close());
  return { client, real };
}

function overHttp({ alice }: RealDoor): Transport {
  const requestInit = { headers: bearer(alice) };
  return new StreamableHTTPClientTransport(new URL(alice.address), { requestInit }) as Transport;
}

const asked: string[] = [];
function reply(answer: Person, params: { message: string }) {
  asked.push(params.message);
  if (answer === 'accept' || answer === 'refuse') {
    return { action: 'accept' as const, content: { approve: answer === 'accept' } };
  }
  return { action: answer === 'decline' ? ('decline' as const) : ('cancel' as const) };
}

/** The operator's statement that a person uses alice's program. */
const personAtAlice = 'approvals: { elicitation_agents: [alice] }';
/** This many would be the meta-tools otherwise. */
const allListed = 'discovery: { direct_tools: 500 }';
const erase = { name: 'erase', arguments: { target: 'disk' } };
const asking = ['approval.requested', 'execution.refused'];
const running = ['execution.started', 'execution.finished'];

describe.each(['http', 'stdio'] as const)('R-mcp-server: 2025-11-25 over %s', (kind) => {
  it('R-typedefs: the declarations of the caller’s own tools are resources', async () => {
    const { client, real } = await connect(kind, 'nobody', { tools: numbered(3), granted: ['tool_0001', 'tool_0002'] });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['helve://types', 'helve://types/custom', 'helve://types/results']);
    const [types] = (await client.readResource({ uri: 'helve://types/custom' })).contents as { text: string }[];
    expect(types?.text).toContain('declare namespace custom {');
    expect(types?.text.match(/function \w+/g)).toEqual(['function tool_0001', 'function tool_0002']);
    const [index] = (await client.readResource({ uri: 'helve://types' })).contents as { text: string }[];
    expect(index?.text).toContain('\ncustom.tool_0001(');
    for (const uri of ['helve://types/files', 'helve://types/%E0%A4%A', 'helve://other'])
      await expect(client.readResource({ uri })).rejects.toThrow(/Resource not found/);
    expect(await rowsOf(real, 'execution.started')).toEqual([]);
  });

  it('R-mcp-server: lists a page at a time, in one order, with hints and the tools’ own schemas', async () => {
    const tools = numbered(229);
    const { client } = await connect(kind, 'nobody', {
      tools,
      granted: tools.map(({ name }) => name),
      config: allListed,
    });
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor });
    const third = await client.listTools({ cursor: second.nextCursor });
    expect([first, second, third].map((page) => page.tools.length)).toEqual([100, 100, 30]);
    expect(third.nextCursor).toBeUndefined();
    const names = [first, second, third].flatMap((page) => page.tools.map(({ name }) => name));
    expect(names).toEqual(['result_read', ...tools.map(({ name }) => name)].sort());
    expect(first.tools.find(({ name }) => name === 'tool_0001')).toMatchObject({
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      annotations: {
        title: 'Greet',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
    for (const cursor of ['', 'x', 'YWZ0ZXI6', 'A'.repeat(10_000)]) {
      await expect(client.listTools({ cursor })).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('R-mcp-server: calls, and answers what the client checks against the advertised schema', async () => {
    const { client, real } = await connect(kind);
    await client.listTools();
    const greeted = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
    expect(greeted.structuredContent).toEqual({ greeting: 'Hello, Ada' });
    expect(textOf(greeted)).toBe('{"greeting":"Hello, Ada"}');
    const added = await client.callTool({ name: 'add', arguments: { left: 1, right: 2 } });
    expect(added.structuredContent).toEqual({ result: 3 });
    const cut = await client.callTool({ name: 'long', arguments: { length: 50_000 } });
    const handle = expect.stringMatching(/^result_[0-9a-f]{24}$/);
    expect(cut.structuredContent).toMatchObject({ cut: { handle, characters: 50_011 } });
    expect(textOf(cut).length).toBeLessThanOrEqual(10_000);
    expect(textOf(cut)).toMatch(/of 50011 characters.*result_read, handle result_/);
    const finished = await rowsOf(real, 'execution.finished');
    expect(finished.map(({ tool, actor, body }) => [tool, actor.id, body.status])).toEqual(
      ['Custom.greet', 'Custom.add', 'Custom.long'].map((tool) => [tool, real.alice.principal.id, 'ok']),
    );
    expect(finished.map(({ executionId }) => executionId)).toEqual(
      [greeted, added, cut].map(({ _meta }) => _meta?.executionId),
    );
  });

  it('R-mcp-server: an error tells the model how to correct it', async () => {
    const { client, real } = await connect(kind);
    const wrong = await client.callTool({ name: 'greet', arguments: { nome: 'Ada' } });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('invalid_input');
    expect(wrong._meta).toMatchObject({ code: 'invalid_input', executionId: expect.any(String) });
    const broken = await client.callTool({ name: 'crash', arguments: {} });
    expect(broken.isError).toBe(true);
    expect(JSON.stringify(broken)).not.toContain('.ts:');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: '__proto__', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    const refused = await rowsOf(real, 'execution.refused');
    expect(refused.map(({ tool, body }) => [tool, (body.error as { code: string }).code])).toEqual([
      ['Custom.greet', 'invalid_input'],
      ['nothing', 'tool_not_found'],
      ['__proto__', 'tool_not_found'],
    ]);
  });

  it('R-mcp-server: reports progress and stops when the client cancels', async () => {
    const { client, real } = await connect(kind);
    const progress = vi.fn();
    await client.callTool({ name: 'wait', arguments: { ms: 10 } }, undefined, { onprogress: progress });
    expect(progress).toHaveBeenCalledWith({ progress: 1 });
    const { started, cancelled } = seen;
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { ms: 60_000 } }, undefined, { signal: controller.signal });
    call.catch(() => undefined);
    await until(() => expect(seen.started).toBe(started + 1));
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await until(() => expect(seen.cancelled).toBe(cancelled + 1));
    await until(async () =>
      expect((await rowsOf(real, 'execution.finished')).at(-1)?.body).toMatchObject({
        status: 'failed',
        error: { code: 'cancelled' },
      }),
    );
  });

  it('R-mcp-server: tells of changes to the list', async () => {
    const { client, real } = await connect(kind);
    const told = vi.fn();
    client.setNotificationHandler(ToolListChangedNotificationSchema, told);
    await client.listTools();
    const { plane, admin } = real.helve;
    // Repeatedly, because the client opens its stream at an unknown time.
    await until(async () => {
      await plane.replaceGrants(admin, 'alice', await grantsWithout(real.helve, 'greet'));
      expect(told).toHaveBeenCalled();
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('greet');
  });

  it('R-approval: a person at the client approves the exact call, and it runs once', async () => {
    const { client, real } = await connect(kind, 'accept');
    const exact = { name: 'erase', arguments: { target: 'disk \u202e7' } };
    const result = await client.callTool(exact);
    expect(textOf(result)).toBe('erased disk \u202e7');
    expect(asked.at(-1)).toContain('erase');
    expect(asked.at(-1)).toContain('"target": "disk \\u{202e}7"');
    expect(await story(real)).toEqual([...asking, 'approval.decided', ...running]);
    const [decided] = await rowsOf(real, 'approval.decided');
    expect(decided).toMatchObject({
      tool: 'Custom.erase',
      actor: { kind: 'agent', name: 'alice' },
      body: { status: 'approved', through: 'elicitation' },
    });
    const [started] = await rowsOf(real, 'execution.started');
    expect(started?.body.approvalId).toBe(decided?.body.approvalId);
    // The same call again is another call: the person is asked again.
    const before = asked.length;
    await client.callTool(exact);
    expect(asked.length).toBe(before + 1);
    expect(await rowsOf(real, 'approval.requested')).toHaveLength(2);
  });

  it.each(['decline', 'refuse'] as const)('R-approval: a person who declines (%s) has rejected it', async (answer) => {
    const { client, real } = await connect(kind, answer);
    const result = await client.callTool(erase);
    expect(result._meta).toMatchObject({ code: 'approval_rejected' });
    const [decided] = await rowsOf(real, 'approval.decided');
    expect(decided?.body).toMatchObject({ status: 'rejected', through: 'elicitation' });
    expect(await rowsOf(real, 'execution.started')).toEqual([]);
  });

  it.each([
    'cancel',
    'nobody',
  ] as const)('R-approval: with no answer (%s) the call waits, and the link says where to decide', async (answer) => {
    const { client, real } = await connect(kind, answer);
    const result = await client.callTool(erase);
    expect(result).toMatchObject({ isError: true, _meta: { code: 'approval_required' } });
    const [waiting, ...more] = await real.helve.plane.approvals(real.helve.admin, {});
    expect(more).toEqual([]);
    expect(waiting).toMatchObject({ status: 'pending', tool: 'erase', principal: { name: 'alice' } });
    expect(textOf(result)).toContain(`${real.url}/approvals/${waiting?.id}`);
    expect(await story(real)).toEqual(asking);
  });

  it('R-approval: where the operator has switched elicitation off, the link stands and is decided there', async () => {
    const config = 'approvals:\n  elicitation: false\n';
    const { client, real } = await connect(kind, 'accept', { config });
    const result = await client.callTool(erase);
    expect(result._meta).toMatchObject({ code: 'approval_required' });
    expect(textOf(result)).toContain(`${real.url}/approvals/`);
    expect(await story(real)).toEqual(asking);
    const { plane, admin } = real.helve;
    const [waiting] = await plane.approvals(admin, {});
    await plane.decideApproval(admin, waiting?.id ?? '', 'approved', 'api');
    expect(textOf(await client.callTool(erase))).toBe('erased disk');
    expect(await story(real)).toEqual([...asking, 'approval.decided', ...running]);
    expect((await client.callTool(erase))._meta).toMatchObject({ code: 'approval_required' });
  });
});
