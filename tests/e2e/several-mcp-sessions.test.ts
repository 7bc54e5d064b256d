/**
 * Clients whose requests reach two processes of `helve serve` on one PostgreSQL in turn: the session of one of 2025-11-25 is
 * served by both, as if they were one, and one of 2026-07-28 can answer the questions of either at the other.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { textOf } from './support/mcp.js';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

const toolkit = fileURLToPath(new URL('support/session-toolkit.js', import.meta.url));
const agents = ['desk', 'other', 'third'].map(
  (name) => `  - name: ${name}\n    tools: [calculate, write_note, wait_for, ask_where]\n`,
);
const config = `approvals: { elicitation_agents: [desk] }\nlimits: { per_ip: null }\nagents:\n${agents.join('')}`;
let postgres: TestPostgres;
let environment: Record<string, string>;
let notes: string;
/** Of the second process, which the command line asks. */
let folder: string;
let servers: Server[];
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  notes = await temporaryFolder('notes');
  environment = {
    HELVE_VAULT_KEYS: `test:${randomBytes(32).toString('base64')}`,
    HELVE_DATABASE_URL: await postgres.storeUrl(),
    SESSION_TEST_FOLDER: notes,
  };
  folder = await temporaryFolder('second');
  servers = [await startServer(), await startServer(folder)];
}, 120_000);
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(async () => {
  killChildren();
  await postgres?.stop();
  await removeTemporaryFolders();
});

async function startServer(data?: string): Promise<Server> {
  const own = data ?? (await temporaryFolder('sessions'));
  await writeFile(join(own, 'helve.yaml'), config);
  return serve(own, ['--toolkit', toolkit], environment);
}

async function helve(...args: string[]) {
  const made = await run([...args, '--data', folder, '--json'], environment);
  expect(made.code, made.stderr).toBe(0);
  return JSON.parse(made.stdout);
}
const newToken = async (agent: string): Promise<string> => (await helve('agents', 'token', agent)).secret;

type Fetch = typeof fetch;
interface Sent {
  readonly method: string;
  readonly message: {
    readonly method?: string;
    readonly params?: { readonly requestState?: string };
    readonly result?: unknown;
  };
}
/** Which of the two processes gets a request; by default each gets the next. */
type Choose = (sent: Sent) => number | undefined;

interface Scene {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** The process and the method of each request, in order. */
  readonly sent: (Sent & { readonly to: number })[];
  readonly session: string;
}

interface Options {
  /** The agent, or `tasks`, whose address is connected to. */
  readonly at?: string;
  readonly token?: string;
  readonly choose?: Choose;
  readonly answer?: 'accept' | 'decline';
}

/** Sends each request to the process that is chosen for it, and notes it. */
function createSender(sent: Scene['sent'], choose: Choose): Fetch {
  return (input, init) => {
    const message = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    const request = { method: init?.method ?? 'GET', message };
    const to = choose(request) ?? sent.length % servers.length;
    sent.push({ ...request, to });
    const { pathname } = new URL(String(input));
    return fetch(new URL(pathname, servers[to]?.url), init);
  };
}

async function connect({ at = 'desk', token, choose = () => undefined, answer }: Options = {}): Promise<Scene> {
  const sent: Scene['sent'] = [];
  const send = createSender(sent, choose);
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost/mcp/${at}`), {
    requestInit: { headers: { authorization: `Bearer ${token ?? (await newToken('desk'))}` } },
    fetch: send as NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>['fetch'] & Fetch,
  });
  const client = new Client({ name: 'e2e', version: '0' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async () =>
      answer === 'accept' ? { action: 'accept' as const, content: { approve: true } } : { action: 'decline' as const },
    );
  await client.connect(transport as Transport);
  clients.push(client);
  return { client, transport, sent, session: transport.sessionId ?? '' };
}

const calculate = { name: 'calculate', arguments: { expression: '6*7' } };
const isCall = ({ message }: Sent): boolean => message.method === 'tools/call';
const linesOf = (file: string): string[] =>
  existsSync(join(notes, file)) ? readFileSync(join(notes, file), 'utf8').trim().split('\n') : [];

/** The status of a plain request in a session, at one process. */
async function knock(at: number, { token, session, agent = 'desk' }: Record<string, string> & { token: string }) {
  const response = await fetch(`${servers[at]?.url}/mcp/${agent}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  await response.text();
  return response.status;
}

/** A client of 2026-07-28 which agrees to everything, and goes from Rome to Oslo. */
async function connectModern(choose: Choose) {
  const sent: Scene['sent'] = [];
  const transport = new ModernTransport(new URL('http://localhost/mcp/desk'), {
    requestInit: { headers: { authorization: `Bearer ${await newToken('desk')}` } },
    fetch: createSender(sent, choose),
  });
  const client = new ModernClient(
    { name: 'e2e', version: '0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
    const place = message === 'Where from?' ? 'Rome' : 'Oslo';
    const content: Record<string, string | boolean> = message.startsWith('Where') ? { place } : { approve: true };
    return { action: 'accept', content };
  });
  await client.connect(transport);
  clients.push(client);
  const callsTo = () => sent.filter(isCall).map(({ to }) => to);
  return { client, sent, callsTo };
}
const carriesAnswer = ({ message }: Sent): boolean => message.params?.requestState !== undefined;
const askWhere = { name: 'ask_where', arguments: {} };

describe('R-operate: a client of 2026-07-28 on two processes', () => {
  test('R-operate R-approval: a person’s answer that comes to the other process counts, and once', async () => {
    const before = linesOf('notes').length;
    const { client, sent, callsTo } = await connectModern((one) => (carriesAnswer(one) ? 1 : 0));
    const text = 'from the other';
    expect(textOf(await client.callTool({ name: 'write_note', arguments: { text } }))).toMatch(/written/);
    expect(callsTo()).toEqual([0, 1]);
    const { params } = sent.filter(isCall).at(-1)?.message ?? {};
    const replayed = await client.request({ method: 'tools/call', params: params as never });
    expect(replayed).toMatchObject({ isError: true, _meta: { code: 'conflict' } });
    expect(linesOf('notes').slice(before)).toEqual([text]);
  });

  test.each([
    { name: 'the other process', to: [0, 1, 1] },
    { name: 'the other process and the first one', to: [0, 1, 0] },
  ])('R-operate: answers to the questions of a tool that come to $name reach the call, which is made once', async ({
    to,
  }) => {
    const before = [linesOf('asked').length, linesOf('journeys').length];
    let call = 0;
    const { client, callsTo } = await connectModern((one) => (isCall(one) ? to[call++] : 1));
    expect(textOf(await client.callTool(askWhere))).toMatch(/from Rome to Oslo/);
    expect(callsTo()).toEqual(to);
    expect(linesOf('asked').slice(before[0])).toEqual(['once']);
    expect(linesOf('journeys').slice(before[1])).toEqual(['Rome Oslo']);
  });

  test('R-operate: an answer counts once, whichever process it comes to', async () => {
    const { client, sent } = await connectModern((one) => (carriesAnswer(one) ? 1 : 0));
    const before = linesOf('journeys').length;
    await client.callTool(askWhere);
    const { params } = sent.filter(isCall)[1]?.message ?? {};
    const used = { code: -32602, data: { reason: 'invalid_request_state' } };
    await expect(client.request({ method: 'tools/call', params: params as never })).rejects.toMatchObject(used);
    expect(linesOf('journeys').slice(before)).toEqual(['Rome Oslo']);
  });

  test('R-operate: when the process of the call is killed, its client is told to check', async () => {
    const third = await startServer();
    servers.push(third);
    const { client } = await connectModern((one) => (isCall(one) && !carriesAnswer(one) ? 2 : 1));
    const before = linesOf('journeys').length;
    client.setRequestHandler('elicitation/create', async () => {
      await third.stop('SIGKILL');
      return { action: 'accept', content: { place: 'Rome' } };
    });
    await expect(client.callTool(askWhere)).rejects.toThrow(/the process of the call has ended.*Check/);
    servers.pop();
    expect(linesOf('journeys').slice(before)).toEqual([]);
  });
});

describe('R-operate: a session of 2025-11-25 on two processes', () => {
  test('R-operate R-mcp-server: both serve it, though it began at one', async () => {
    const { client, sent } = await connect();
    for (let call = 0; call < 6; call++) expect((await client.callTool(calculate)).isError).toBeFalsy();
    const calls = sent.filter(isCall).map(({ to }) => to);
    expect([calls.includes(0), calls.includes(1), calls.length]).toEqual([true, true, 6]);
    expect(sent.filter(({ message }) => message.method === 'initialize')).toHaveLength(1);
  });

  test('R-operate: it answers neither to another agent nor under another id, at either process', async () => {
    const [token, theirs] = [await newToken('desk'), await newToken('other')];
    const { session } = await connect({ token });
    const altered = `${session.slice(0, -1)}${session.endsWith('0') ? '1' : '0'}`;
    for (const at of [0, 1]) {
      expect(await knock(at, { token: theirs, session, agent: 'other' })).toBe(404);
      expect(await knock(at, { token, session: altered })).toBe(404);
      // The control: its own agent, its own id.
      expect(await knock(at, { token, session })).toBe(200);
    }
  });

  test('R-operate: it ends at both when it is deleted at one', async () => {
    const token = await newToken('desk');
    const { session, transport } = await connect({ token, choose: ({ method }) => (method === 'DELETE' ? 1 : 0) });
    for (const at of [0, 1]) expect(await knock(at, { token, session })).toBe(200);
    await transport.terminateSession();
    expect(await knock(1, { token, session })).toBe(404);
    const deleted = performance.now();
    await expect.poll(() => knock(0, { token, session }), { interval: 50 }).toBe(404);
    expect(performance.now() - deleted).toBeLessThan(1_500);
  });

  test('R-operate: it ends with the credential that it was opened with', async () => {
    const [token, second] = [await newToken('desk'), await newToken('desk')];
    const [{ session }, other] = [await connect({ token }), await connect({ token: second })];
    // Another credential of the same agent may go on with it, as long as the first one is valid.
    for (const at of [0, 1]) expect(await knock(at, { token: second, session })).toBe(200);
    const listed: { id: string; createdAt: string }[] = await helve('credentials');
    const [, first] = listed.sort((one, two) => two.createdAt.localeCompare(one.createdAt));
    const revoked = await run(['revoke', first?.id ?? '', '--data', folder], environment);
    expect(revoked.code, revoked.stderr).toBe(0);
    for (const at of [0, 1]) {
      await expect.poll(() => knock(at, { token: second, session }), { interval: 50 }).toBe(404);
      // A process knows a credential for up to a second.
      await expect.poll(() => knock(at, { token, session }), { interval: 50 }).toBe(401);
      expect(await knock(at, { token: second, session: other.session })).toBe(200);
    }
  });

  test.each([
    { answer: 'accept' as const, lines: ['one'] },
    { answer: 'decline' as const, lines: [] },
  ])('R-operate R-approval: a person’s answer ($answer) that comes to the other process counts once', async ({
    answer,
    lines,
  }) => {
    const before = linesOf('notes').length;
    const choose: Choose = ({ message }) => (message.method === 'tools/call' ? 0 : 1);
    const { client, sent } = await connect({ choose, answer });
    const result = await client.callTool({ name: 'write_note', arguments: { text: 'one' } });
    expect(linesOf('notes').slice(before)).toEqual(lines);
    expect(textOf(result)).toMatch(answer === 'accept' ? /written/ : /rejected/);
    expect(sent.filter(({ message }) => message.result !== undefined).map(({ to }) => to)).toEqual([1]);
  });

  test('R-operate: a call is cancelled through the other process', async () => {
    const { client } = await connect({ choose: (sent) => (isCall(sent) ? 0 : 1) });
    const stop = new AbortController();
    const call = client.callTool({ name: 'wait_for', arguments: { file: 'never', cut: false } }, undefined, {
      signal: stop.signal,
    });
    const ended = expect(call).rejects.toThrow();
    await expect.poll(() => linesOf('started')).toContain('never');
    expect(linesOf('cancelled')).toEqual([]);
    stop.abort();
    await ended;
    await expect.poll(() => linesOf('cancelled')).toEqual(['never']);
  });

  test('R-operate: the rest of a stream that was cut is fetched from the other process', async () => {
    const { client, sent } = await connect({ choose: (one) => (isCall(one) ? 0 : 1) });
    const call = client.callTool({ name: 'wait_for', arguments: { file: 'there', cut: true } });
    // The stream of notices, and the rest of that of the call.
    await expect.poll(() => sent.filter(({ method, to }) => method === 'GET' && to === 1)).toHaveLength(2);
    await writeFile(join(notes, 'there'), '');
    expect(textOf(await call)).toContain('found there');
    expect(linesOf('started').filter((file) => file === 'there')).toHaveLength(1);
  });

  test('R-operate: the level of log lines that was set at one process holds at the other', async () => {
    const { client } = await connect({ choose: (one) => (isCall(one) ? 0 : 1) });
    const lines: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, async ({ params }) => void lines.push(params.data));
    const call = () => client.callTool({ name: 'wait_for', arguments: { file: '.', cut: false } });
    await client.setLoggingLevel('info');
    await call();
    expect(lines).toEqual(['found .']);
    await client.setLoggingLevel('error');
    await new Promise((resolve) => setTimeout(resolve, 600));
    await call();
    expect(lines).toHaveLength(1);
  });

  test('R-operate: a change at one process is told to a client whose stream is at the other', async () => {
    let changes = 0;
    // The command line asks the process of its folder, which is the second one.
    const { client, sent } = await connect({ choose: ({ method }) => (method === 'GET' ? 0 : 1) });
    client.setNotificationHandler(ToolListChangedNotificationSchema, async () => void changes++);
    await expect.poll(() => sent.some(({ method }) => method === 'GET')).toBe(true);
    await helve('policies', 'set', 'none', '--effect', 'deny', '--tool', 'key_value_get');
    await expect.poll(() => changes).toBeGreaterThan(0);
  });

  test('R-operate R-task-mcp: who follows an issue at one process is told of its changes by the other', async () => {
    const { secret: token } = await helve('key', 'issues', '--role', 'admin');
    const choose: Choose = ({ method }) => (method === 'GET' ? 0 : 1);
    const { client, sent } = await connect({ at: 'tasks', token, choose });
    await expect.poll(() => sent.some(({ method }) => method === 'GET')).toBe(true);
    const issues = [await helve('task', 'create', 'Water the plants'), await helve('task', 'create', 'Feed the cat')];
    const [followed, other] = issues.map(({ id }) => ({ id, uri: `helve://issues/${id}` }));
    const told: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, async ({ params: { uri } }) => {
      const { contents } = await client.readResource({ uri });
      told.push(`${uri} ${JSON.parse((contents[0] as { text: string }).text).issue.state}`);
    });
    await client.subscribeResource({ uri: followed?.uri ?? '' });
    await helve('task', 'cancel', other?.id ?? '');
    await helve('task', 'cancel', followed?.id ?? '');
    await expect.poll(() => told).toContain(`${followed?.uri} cancelled`);
    expect(told.filter((line) => line.startsWith(other?.uri ?? ''))).toEqual([]);
  });

  test('R-operate: a stream of notices ends at the next notice after its credential was revoked', async () => {
    const [valid, revoked] = [await newToken('desk'), await newToken('desk')];
    const streams: Response[] = [];
    for (const token of [valid, revoked]) {
      const { session } = await connect({ token, choose: ({ method }) => (method === 'GET' ? undefined : 0) });
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': session };
      // The client has the one stream of the session at one of them, so this one is at the other.
      const answers = await Promise.all(servers.map(({ url }) => fetch(`${url}/mcp/desk`, { headers })));
      streams.push(...answers.filter(({ status }) => status === 200).slice(0, 1));
    }
    const [kept, ended] = streams;
    const listed: { id: string; createdAt: string }[] = await helve('credentials');
    const [newest] = listed.sort((one, two) => two.createdAt.localeCompare(one.createdAt));
    expect((await run(['revoke', newest?.id ?? '', '--data', folder], environment)).code).toBe(0);
    // What a process knows about a credential is at most a second old.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await helve('policies', 'set', 'none', '--effect', 'deny', '--tool', 'key_value_set');
    // Reading it to its end would not end otherwise.
    await ended?.text();
    const control = kept?.body?.getReader();
    expect(new TextDecoder().decode((await control?.read())?.value)).toContain('list_changed');
    expect(await Promise.race([control?.closed.then(() => 'ended'), 'open'])).toBe('open');
    await control?.cancel();
  });

  test('R-operate: it goes on when its process is killed, and it has its stream of notices at the other', async () => {
    let alive: number | undefined;
    const { client, sent } = await connect({ choose: () => alive ?? 0 });
    await expect.poll(() => sent.filter(({ method }) => method === 'GET')).toHaveLength(1);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, async () => void changes++);
    await client.callTool(calculate);
    alive = 1;
    await servers[0]?.stop('SIGKILL');
    expect((await client.callTool(calculate)).isError).toBeFalsy();
    expect(sent.filter(({ message }) => message.method === 'initialize')).toHaveLength(1);
    await expect.poll(() => sent.filter(({ method, to }) => method === 'GET' && to === 1)).not.toHaveLength(0);
    await helve('policies', 'remove', 'none');
    await expect.poll(() => changes).toBeGreaterThan(0);
  });
});
