/**
 * Tools that ask their client while they run, at 2026-07-28, through the real door: the client gets an interim
 * result and continues the same call with its answers. `clients-2025.test.ts` has the older way of asking.
 */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../src/domain/tool.js';
import { overPipes } from './pipes.js';
import {
  atEnd,
  bearer,
  type Caller,
  endAll,
  openRealDoor,
  type RealDoor,
  type RealDoorOptions,
  rowsOf,
  rpc,
  send,
  story,
  textOf,
  until,
} from './real-door.js';

afterEach(endAll);

/** The effects of the tools, in order. */
let done: string[] = [];

const effects = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

function askingTool(name: string, execute: ToolDefinition['execute'], more: Partial<ToolDefinition> = {}) {
  return defineTool({
    name,
    title: name,
    description: `The test tool ${name}`,
    inputSchema: z.object({ to: z.string().optional() }),
    annotations: effects,
    capabilities: [],
    execute: execute as never,
    ...more,
  });
}

/** Has an effect, asks, and has another. */
const order = askingTool('order', async (input, { client, progress }) => {
  done.push(`reserved for ${(input as { to?: string }).to ?? 'nobody'}`);
  progress({ progress: 1, message: 'reserved' });
  const answer = await client?.elicit?.('Who are you?', nameForm);
  progress({ progress: 2, message: 'asked' });
  done.push(`ordered: ${JSON.stringify(answer)}`);
  return { answer: answer ?? null };
});
const survey = askingTool('survey', async (_, { client }) => {
  const [person, model, roots] = await Promise.all([
    client?.elicit?.('Who are you?', nameForm),
    client?.sample?.('Say hello', 10),
    client?.roots?.(),
  ]);
  return { person: person ?? null, model: model ?? null, roots: roots ? [...roots] : null };
});
const interview = askingTool('interview', async (_, { client }) => {
  const answers: unknown[] = [];
  for (const question of ['First?', 'Second?', 'Third?']) answers.push(await client?.elicit?.(question, nameForm));
  return { answers };
});
const named = askingTool('named', async (_, { client }) => ({
  answer: (await client?.elicit?.('Who are you?', nameForm, 'user_name')) ?? null,
}));
const risky = askingTool(
  'risky',
  async (_, { client }) => {
    done.push('ran');
    return { answer: (await client?.elicit?.('Approve?', yesForm)) ?? null };
  },
  { highRisk: true },
);
const yesForm = { type: 'object', properties: { approve: { type: 'boolean' } }, required: ['approve'] };
const tools = [order, survey, interview, named, risky];

const everything = { elicitation: { form: {} }, sampling: {}, roots: {} };

async function openDoor(options: RealDoorOptions = {}): Promise<RealDoor> {
  done = [];
  return openRealDoor({ tools, ...options });
}

async function connect(kind: 'http' | 'stdio', real: RealDoor, capabilities: object = everything) {
  const client = new Client(
    { name: 'test', version: '0.0.0' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const asked: unknown[] = [];
  if ('elicitation' in capabilities)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: `Ada ${asked.length}` } };
    });
  if ('sampling' in capabilities)
    client.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant',
      model: 'test',
      content: { type: 'text', text: 'Hello!' },
    }));
  if ('roots' in capabilities)
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }));
  const requestInit = { headers: bearer(real.alice) };
  await client.connect(
    kind === 'http'
      ? new StreamableHTTPClientTransport(new URL(real.alice.address), { requestInit })
      : ((await overPipes(real, real.alice)) as Transport),
  );
  atEnd(() => client.close());
  return { client, asked };
}

/** One `tools/call` as it is sent, and its response. */
async function post(caller: Caller, params: Record<string, unknown>, more: { id?: number; signal?: AbortSignal } = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': everything,
    ...(params._meta as object),
  };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': String(params.name),
  };
  const body = rpc('tools/call', { arguments: {}, ...params, _meta }, more.id ?? 1);
  const response = await send(caller, body, { headers, ...(more.signal && { signal: more.signal }) });
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (\{.*"(?:result|error)".*\})$/m.exec(text)?.[1] ?? 'null');
  return { status: response.status, text, ...(JSON.parse(json) as { result?: any; error?: any }) };
}

const outputOf = (result: unknown): unknown => JSON.parse(textOf(result));

const ada = { action: 'accept', content: { name: 'Ada' } };

describe.each(['http', 'stdio'] as const)('R-mcp-server: tools that ask, with the client of SDK 2 over %s', (kind) => {
  it('R-mcp-server: a tool asks and continues with the answer, in one execution', async () => {
    const real = await openDoor();
    const { client, asked } = await connect(kind, real);
    const progress: unknown[] = [];
    const result = await client.callTool(
      { name: 'order', arguments: { to: 'Bo' } },
      { onprogress: ({ message }) => progress.push(message) },
    );
    expect(outputOf(result)).toEqual({ answer: { action: 'accept', content: { name: 'Ada 1' } } });
    expect(asked).toEqual(['Who are you?']);
    expect(done).toEqual(['reserved for Bo', 'ordered: {"action":"accept","content":{"name":"Ada 1"}}']);
    // The client adds its own line between the two.
    expect(progress.filter((line) => !String(line).startsWith('Fulfilling'))).toEqual(['reserved', 'asked']);
    expect(await story(real)).toEqual(['execution.started', 'execution.finished']);
  });

  it('R-mcp-server: questions asked together are answered together: a person, a model and the roots', async () => {
    const { client } = await connect(kind, await openDoor());
    const result = await client.callTool({ name: 'survey', arguments: {} });
    expect(outputOf(result)).toEqual({
      person: { action: 'accept', content: { name: 'Ada 1' } },
      model: 'Hello!',
      roots: [{ uri: 'file:///work', name: 'work' }],
    });
  });

  it('R-mcp-server: a tool asks as often as it needs to', async () => {
    const real = await openDoor();
    const { client, asked } = await connect(kind, real);
    const result = await client.callTool({ name: 'interview', arguments: {} });
    expect((outputOf(result) as { answers: unknown[] }).answers).toHaveLength(3);
    expect(asked).toEqual(['First?', 'Second?', 'Third?']);
    expect(await story(real)).toEqual(['execution.started', 'execution.finished']);
  });

  it('R-mcp-server: a client is asked only for what it has declared', async () => {
    const { client } = await connect(kind, await openDoor(), { sampling: {} });
    const result = await client.callTool({ name: 'survey', arguments: {} });
    expect(outputOf(result)).toEqual({ person: null, model: 'Hello!', roots: null });
  });
});

describe('R-mcp-server: the second request of a call whose tool has asked', () => {
  it('R-mcp-server: many with one state: one continues the call, the others are refused', async () => {
    const real = await openDoor();
    const first = await post(real.alice, { name: 'order' });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'question-1': { method: 'elicitation/create', params: { message: 'Who are you?' } } },
    });
    const { requestState } = first.result;
    const again = { name: 'order', requestState, inputResponses: { 'question-1': ada } };
    const answers = await Promise.all([2, 3, 4, 5].map((id) => post(real.alice, again, { id })));
    expect(answers.filter(({ result }) => result?.resultType === 'complete')).toHaveLength(1);
    const refused = answers.flatMap(({ error }) => (error ? [error] : []));
    expect(refused).toHaveLength(3);
    for (const error of refused)
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('used') });
    expect((await post(real.alice, again, { id: 9 })).error).toMatchObject({ code: -32602 });
    expect(done).toHaveLength(2);
    expect(await story(real)).toEqual(['execution.started', 'execution.finished']);
  });

  it.each<[string, (state: string) => Record<string, unknown>]>([
    ['a changed state', (state) => ({ requestState: `${state.slice(0, -2)}AA` })],
    ['a state with something after it', (state) => ({ requestState: `${state}x` })],
    ['a state that is far too long', (state) => ({ requestState: state.padEnd(5_000, 'x') })],
    ['other arguments', (state) => ({ requestState: state, arguments: { to: 'Eve' } })],
    ['another tool', (state) => ({ requestState: state, name: 'named' })],
  ])('R-mcp-server: %s continues nothing, and the call can still be continued', async (_, change) => {
    const real = await openDoor();
    const { requestState } = (await post(real.alice, { name: 'order' })).result;
    const before = [...done];
    const attempt = { name: 'order', inputResponses: { 'question-1': ada }, ...change(requestState) };
    expect((await post(real.alice, attempt)).error).toMatchObject({ code: -32602 });
    expect(done).toEqual(before);
    const right = { name: 'order', requestState, inputResponses: { 'question-1': ada } };
    expect(outputOf((await post(real.alice, right)).result)).toEqual({ answer: ada });
  });

  it.each(['bob', 'outsider'] as const)('R-mcp-server: the state of alice does not work for %s', async (who) => {
    const real = await openDoor();
    const { requestState } = (await post(real.alice, { name: 'order' })).result;
    const stolen = { name: 'order', requestState, inputResponses: { 'question-1': ada } };
    expect((await post(real[who], stolen)).error).toMatchObject({ code: -32602 });
    expect(done).toHaveLength(1);
    expect(outputOf((await post(real.alice, stolen)).result)).toEqual({ answer: ada });
  });

  it.each<[string, unknown]>([
    ['no answer', undefined],
    ['an answer to another question', { other: ada }],
    ['an answer that does not fit the form', { 'question-1': { action: 'accept', content: { name: 7 } } }],
    ['an answer without what the form requires', { 'question-1': { action: 'accept' } }],
    ['an unknown action', { 'question-1': { ...ada, action: 'ok' } }],
    ['an answer to another kind of question', { 'question-1': { roots: [] } }],
    ['a text', { 'question-1': 'Ada' }],
  ])('R-mcp-server: with %s the client is asked again, with another state', async (_, inputResponses) => {
    const real = await openDoor();
    const { requestState } = (await post(real.alice, { name: 'order' })).result;
    const second = await post(real.alice, { name: 'order', requestState, inputResponses });
    expect(second.result).toMatchObject({ resultType: 'input_required', inputRequests: { 'question-1': {} } });
    expect(second.result.requestState).not.toBe(requestState);
    expect(done).toHaveLength(1);
    const stale = { name: 'order', requestState, inputResponses: { 'question-1': ada } };
    expect((await post(real.alice, stale)).error).toMatchObject({ code: -32602 });
    const third = { ...stale, requestState: second.result.requestState };
    expect(outputOf((await post(real.alice, third)).result)).toEqual({ answer: ada });
    expect(await story(real)).toEqual(['execution.started', 'execution.finished']);
  });

  it.each(['decline', 'cancel'] as const)('R-mcp-server: the tool gets %s, without content', async (action) => {
    const real = await openDoor();
    const { requestState } = (await post(real.alice, { name: 'order' })).result;
    const inputResponses = { 'question-1': { ...ada, action } };
    const { result } = await post(real.alice, { name: 'order', requestState, inputResponses });
    expect(outputOf(result)).toEqual({ answer: { action } });
  });

  it('R-mcp-server: a named question can be answered before it is asked; one without a name cannot', async () => {
    const real = await openDoor();
    const inputResponses = { user_name: ada, 'question-1': ada, more: 7 };
    expect(outputOf((await post(real.alice, { name: 'named', inputResponses })).result)).toEqual({ answer: ada });
    expect((await post(real.alice, { name: 'order', inputResponses })).result.resultType).toBe('input_required');
  });

  it('R-mcp-server: a client that disconnects during its request has cancelled, and the outcome is unknown', async () => {
    const tool = askingTool('stay', async (_, { client, signal }) => {
      await client?.elicit?.('Go on?', nameForm);
      done.push('goes on');
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      done.push('told');
      return null;
    });
    const real = await openDoor({ tools: [tool] });
    const { requestState } = (await post(real.alice, { name: 'stay' })).result;
    const leaving = new AbortController();
    const second = post(
      real.alice,
      { name: 'stay', requestState, inputResponses: { 'question-1': ada } },
      { signal: leaving.signal },
    );
    await until(() => expect(done).toEqual(['goes on']));
    leaving.abort();
    await expect(second).rejects.toThrow();
    await until(() => expect(done).toEqual(['goes on', 'told']));
    await until(async () =>
      expect((await rowsOf(real, 'execution.finished'))[0]?.body).toMatchObject({
        error: { code: 'outcome_unknown', message: expect.stringContaining('cancelled') },
      }),
    );
  });

  it('R-mcp-server: when the door closes, a waiting call is cancelled: its outcome is unknown, in the record', async () => {
    const real = await openDoor();
    expect((await post(real.alice, { name: 'order' })).result.resultType).toBe('input_required');
    await real.door.close();
    await until(async () => expect(await story(real)).toEqual(['execution.started', 'execution.finished']));
    expect((await rowsOf(real, 'execution.finished'))[0]?.body).toMatchObject({ error: { code: 'outcome_unknown' } });
    expect(done).toHaveLength(1);
  });

  it('R-mcp-server: over stdio the waiting call is cancelled when the connection ends', async () => {
    const real = await openDoor();
    const client = new Client(
      { name: 'test', version: '0.0.0' },
      {
        capabilities: everything,
        versionNegotiation: { mode: { pin: '2026-07-28' } },
        inputRequired: { autoFulfill: false },
      },
    );
    await client.connect((await overPipes(real, real.alice)) as Transport);
    const first = await client.callTool({ name: 'order', arguments: {} }, { allowInputRequired: true });
    expect(first).toMatchObject({ resultType: 'input_required' });
    await client.close();
    await until(async () => expect(await story(real)).toEqual(['execution.started', 'execution.finished']));
    expect((await rowsOf(real, 'execution.finished'))[0]?.body).toMatchObject({ error: { code: 'outcome_unknown' } });
  });

  it('R-mcp-server: log lines go to the current request, if it wants them', async () => {
    const tool = askingTool('talk', async (_, { client }) => {
      await client?.log('info', 'before');
      const answer = client?.elicit?.('Who are you?', nameForm);
      await client?.log('info', 'asking');
      await answer;
      await client?.log('info', 'after');
      return null;
    });
    const real = await openDoor({ tools: [tool] });
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    const first = await post(real.alice, { name: 'talk', _meta });
    expect(first.text).toContain('"before"');
    const { requestState } = first.result;
    const inputResponses = { 'question-1': ada };
    const second = await post(real.alice, { name: 'talk', requestState, inputResponses, _meta });
    expect(second.text).toContain('"after"');
    expect(second.text).not.toContain('"before"');
    const silent = await post(real.alice, { name: 'talk' });
    expect(silent.text).not.toContain('"before"');
  });

  it('R-mcp-server: one caller can have at most fifty waiting calls, which do not prevent others from asking', async () => {
    const real = await openDoor({ config: 'limits: { per_principal: 1000, per_tool: 1000, per_credential: 1000 }' });
    for (let id = 1; id <= 50; id++)
      expect((await post(real.alice, { name: 'order' }, { id })).result.resultType).toBe('input_required');
    const over = await post(real.alice, { name: 'order' }, { id: 51 });
    expect(textOf(over.result)).toContain('Too many calls are waiting');
    expect((await post(real.bob, { name: 'order' })).result.resultType).toBe('input_required');
  });
});

describe('R-approval: a program’s answer to a tool does not count as an approval', () => {
  const yes = { action: 'accept', content: { approve: true } };

  it('R-approval: a high-risk tool does not run for answers that come with the first request', async () => {
    const real = await openDoor();
    const inputResponses = { approval: yes, 'question-1': yes };
    const { result } = await post(real.alice, { name: 'risky', inputResponses });
    expect(result.isError).toBe(true);
    expect(done).toEqual([]);
    expect(await story(real)).toEqual(['approval.requested', 'execution.refused']);
  });

  it('R-approval: the state of a question approves nothing, and that of an approval answers no question', async () => {
    const real = await openDoor({ config: 'approvals: { elicitation_agents: [alice] }' });
    const asked = (await post(real.alice, { name: 'order' })).result;
    const misused = { name: 'risky', requestState: asked.requestState, inputResponses: { approval: yes } };
    expect((await post(real.alice, misused)).error).toMatchObject({ code: -32602 });
    done = [];
    const approval = (await post(real.alice, { name: 'risky' })).result;
    expect(Object.keys(approval.inputRequests)).toEqual(['approval']);
    const both = { approval: yes, 'question-1': yes };
    const running = await post(real.alice, {
      name: 'risky',
      requestState: approval.requestState,
      inputResponses: both,
    });
    // It runs once, and its own question is still asked, because the answer came before the question.
    expect(running.result).toMatchObject({ resultType: 'input_required', inputRequests: { 'question-1': {} } });
    expect(done).toEqual(['ran']);
    const last = { name: 'risky', requestState: running.result.requestState, inputResponses: { 'question-1': yes } };
    expect(outputOf((await post(real.alice, last)).result)).toEqual({ answer: yes });
    expect(done).toEqual(['ran']);
    expect((await post(real.alice, { ...last, requestState: approval.requestState })).result.isError).toBe(true);
    expect(done).toEqual(['ran']);
  });
});
