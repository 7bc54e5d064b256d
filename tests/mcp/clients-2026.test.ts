/** Our own scenarios with the official client of 2026-07-28 (`@modelcontextprotocol/client` 2.4), over HTTP and stdio. */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { houseTools, numbered, seen } from './house-tools.js';
import { overPipes } from './pipes.js';
import {
  atEnd,
  bearer,
  type Caller,
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

type Kind = 'http' | 'stdio';
type Answer = { action: 'accept'; content: { approve: boolean } } | { action: 'decline' | 'cancel' };

interface Options extends RealDoorOptions {
  readonly answer?: Answer | undefined;
  /** The test itself sends the second request of a round. */
  readonly manual?: boolean;
}

async function connect(kind: Kind, { answer, manual = false, ...options }: Options = {}) {
  const real = await openRealDoor({ tools: houseTools, config: personAtAlice, ...options });
  const client = await clientOf(kind, real, real.alice, { answer, manual });
  return { client, real };
}

async function clientOf(kind: Kind, real: RealDoor, caller: Caller, { answer, manual = false }: Options) {
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      inputRequired: { autoFulfill: !manual },
    },
  );
  if (answer !== undefined) client.setRequestHandler('elicitation/create', async () => answer);
  const requestInit = { headers: bearer(caller) };
  await client.connect(
    kind === 'http'
      ? new StreamableHTTPClientTransport(new URL(caller.address), { requestInit })
      : ((await overPipes(real, caller)) as Transport),
  );
  atEnd(() => client.close());
  return client;
}

const accept: Answer = { action: 'accept', content: { approve: true } };
/** The operator's statement that a person uses alice's program. */
const personAtAlice = 'approvals: { elicitation_agents: [alice] }';
/** This many would be the meta-tools otherwise. */
const allListed = 'discovery: { direct_tools: 500 }';
const erase = { name: 'erase', arguments: { target: 'disk' } };
const asking = ['approval.requested', 'execution.refused'];
const running = ['execution.started', 'execution.finished'];

describe.each(['http', 'stdio'] as const)('R-mcp-server: 2026-07-28 over %s', (kind) => {
  it('R-mcp-server: lists all pages, fresh for a while and private', async () => {
    const tools = numbered(229);
    const { client } = await connect(kind, { tools, granted: tools.map(({ name }) => name), config: allListed });
    const first = (await client.request({ method: 'tools/list', params: {} })) as any;
    expect(first.tools).toHaveLength(100);
    expect(first).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private', nextCursor: expect.any(String) });
    const all = await client.listTools();
    const names = all.tools.map(({ name }) => name);
    expect(names).toEqual(['result_read', ...tools.map(({ name }) => name)].sort());
    await expect(client.request({ method: 'tools/list', params: { cursor: 'x' } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('R-mcp-server: calls, with structured content of any shape', async () => {
    const { client, real } = await connect(kind);
    await client.listTools();
    const greeted = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
    expect(greeted.structuredContent).toEqual({ greeting: 'Hello, Ada' });
    const added = await client.callTool({ name: 'add', arguments: { left: 1, right: 2 } });
    expect(added.structuredContent).toBe(3);
    const cut = await client.callTool({ name: 'long', arguments: { length: 50_000 } });
    expect(cut.structuredContent).toMatchObject({ cut: { handle: expect.stringMatching(/^result_[0-9a-f]{24}$/) } });
    const wrong = await client.callTool({ name: 'greet', arguments: {} });
    expect(wrong).toMatchObject({ isError: true, _meta: { code: 'invalid_input' } });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect((await rowsOf(real, 'execution.finished')).map(({ tool, actor }) => [tool, actor.id])).toEqual(
      ['Custom.greet', 'Custom.add', 'Custom.long'].map((tool) => [tool, real.alice.principal.id]),
    );
    expect((await rowsOf(real, 'execution.refused')).map(({ tool }) => tool)).toEqual(['Custom.greet', 'nothing']);
  });

  it('R-mcp-server: reports progress; a cancelled call is cancelled in the tool', async () => {
    const { client } = await connect(kind);
    const progress = vi.fn();
    await client.callTool({ name: 'wait', arguments: { ms: 10 } }, { onprogress: progress });
    expect(progress).toHaveBeenCalledWith({ progress: 1 });
    const { started, cancelled } = seen;
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: { ms: 60_000 } }, { signal: controller.signal });
    call.catch(() => undefined);
    await until(() => expect(seen.started).toBe(started + 1));
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    await until(() => expect(seen.cancelled).toBe(cancelled + 1));
  });

  it('R-mcp-server: tells a listener of changes to the list', async () => {
    const { client, real } = await connect(kind);
    const told = vi.fn();
    client.setNotificationHandler('notifications/tools/list_changed', told);
    const subscription = await client.listen({ toolsListChanged: true });
    const { plane, admin } = real.helve;
    await plane.replaceGrants(admin, 'alice', await grantsWithout(real.helve, 'greet'));
    await until(() => expect(told).toHaveBeenCalled());
    await subscription.close();
  });

  it('R-approval: a person at the client approves, and it runs once', async () => {
    const { client, real } = await connect(kind, { answer: accept });
    expect(textOf(await client.callTool(erase))).toBe('erased disk');
    expect(await story(real)).toEqual([...asking, 'approval.decided', ...running]);
    const [decided] = await rowsOf(real, 'approval.decided');
    expect(decided).toMatchObject({
      actor: { kind: 'agent', name: 'alice' },
      body: { status: 'approved', through: 'elicitation' },
    });
    const [started] = await rowsOf(real, 'execution.started');
    expect(started?.body.approvalId).toBe(decided?.body.approvalId);
  });

  it('R-approval: a person at the client declines', async () => {
    const { client, real } = await connect(kind, { answer: { action: 'decline' } });
    expect((await client.callTool(erase))._meta).toMatchObject({ code: 'approval_rejected' });
    const [decided] = await rowsOf(real, 'approval.decided');
    expect(decided?.body).toMatchObject({ status: 'rejected', through: 'elicitation' });
    expect(await rowsOf(real, 'execution.started')).toEqual([]);
  });

  it.each([
    undefined,
    { action: 'cancel' } as const,
  ])('R-approval: without an answer (%s) nothing is decided', async (answer) => {
    const { client, real } = await connect(kind, { answer });
    const result = await client.callTool(erase);
    expect(result._meta).toMatchObject({ code: 'approval_required' });
    expect(textOf(result)).toContain(`${real.url}/approvals/`);
    expect(await rowsOf(real, 'approval.requested')).toHaveLength(1);
    expect(await rowsOf(real, 'approval.decided')).toEqual([]);
  });

  it('R-approval: if the operator has switched elicitation off, the link is returned', async () => {
    const { client, real } = await connect(kind, { answer: accept, config: 'approvals:\n  elicitation: false\n' });
    const result = await client.callTool(erase);
    expect(result._meta).toMatchObject({ code: 'approval_required' });
    expect(textOf(result)).toContain(`${real.url}/approvals/`);
    expect(await rowsOf(real, 'approval.requested')).toHaveLength(1);
    expect(await rowsOf(real, 'approval.decided')).toEqual([]);
    expect(await rowsOf(real, 'execution.started')).toEqual([]);
  });

  it('R-approval: the state of a round is sealed, bound and valid for one run', async () => {
    const { client, real } = await connect(kind, { answer: accept, manual: true });
    const ask = { method: 'tools/call' as const, params: erase };
    const round = (await client.request(ask, { allowInputRequired: true })) as any;
    expect(round.inputRequests.approval.params.message).toContain('"target": "disk"');
    const { requestState } = round;
    const answers = { inputResponses: { approval: accept } };
    const send = (from: Client, params: object) =>
      from.request({ method: 'tools/call', params: params as never }, { allowInputRequired: true });
    const bent = `${requestState.slice(0, -2)}${requestState.endsWith('AA') ? 'BB' : 'AA'}`;
    const refused = { code: -32602 };
    for (const forged of [bent, 'v1.e30.AAAA', '', 'x'.repeat(100_000)]) {
      await expect(send(client, { ...erase, ...answers, requestState: forged })).rejects.toMatchObject(refused);
    }
    const other = { name: 'erase', arguments: { target: 'everything' } };
    await expect(send(client, { ...other, ...answers, requestState })).rejects.toMatchObject(refused);
    for (const caller of [real.bob, real.outsider]) {
      const stranger = await clientOf(kind, real, caller, { answer: accept, manual: true });
      await expect(send(stranger, { ...erase, ...answers, requestState })).rejects.toMatchObject(refused);
    }
    expect(await story(real)).toEqual(asking);
    expect(textOf(await send(client, { ...erase, ...answers, requestState }))).toBe('erased disk');
    const replayed = (await send(client, { ...erase, ...answers, requestState })) as any;
    expect(replayed).toMatchObject({ isError: true, _meta: { code: 'conflict' } });
    expect(await story(real)).toEqual([...asking, 'approval.decided', ...running, 'execution.refused']);
  });

  it('R-approval: one approval, used many times in parallel, runs once', async () => {
    const { client, real } = await connect(kind, { answer: accept, manual: true });
    const round = (await client.request({ method: 'tools/call', params: erase }, { allowInputRequired: true })) as any;
    const { requestState } = round;
    const params = { ...erase, requestState, inputResponses: { approval: accept } } as never;
    const again = () => client.request({ method: 'tools/call', params }, { allowInputRequired: true });
    const answers = (await Promise.all(Array.from({ length: 8 }, again))) as any[];
    expect(answers.filter(({ isError }) => isError !== true).map(textOf)).toEqual(['erased disk']);
    for (const type of ['approval.decided', 'execution.started', 'execution.finished'] as const) {
      expect(await rowsOf(real, type)).toHaveLength(1);
    }
  });
});
