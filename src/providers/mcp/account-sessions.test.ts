/** One session with a server carries the calls of many; each request is sent for the call that it belongs to. */
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createCallScrub } from '../../connections/index.js';
import type { BoundConnection } from '../../domain/connection.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, testTool } from '../../testing/index.js';
import { createMcpProvider } from './index.js';
import { callTool, echoTool, openTestServer } from './testing/servers.js';

/** The account that a list is read with, if the test is not about what the server repeats. */
const forList = (connection: BoundConnection) => ({ connection, clean: <T>(value: T) => value });

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('R-vault: no call gets the credentials of its account back from a server, whichever call has opened the session', async () => {
  const token = 'canary-of-this-account';
  const reveal = {
    ...echoTool,
    name: 'reveal',
    run: () => {
      const saw = server.requests.at(-1)?.headers.get('authorization') ?? 'nothing';
      return { content: [], structuredContent: { saw } };
    },
  };
  const server = await openTestServer([reveal]);
  const folder = await mkdtemp(join(tmpdir(), 'helve-sessions-'));
  ends.push(
    () => rm(folder, { recursive: true, force: true }),
    () => server.close(),
  );
  const configFile = join(folder, 'helve.yaml');
  const auth = { header: 'authorization', value: 'Bearer {token}' };
  await writeFile(configFile, JSON.stringify({ mcp_servers: { srv: { url: server.url, auth } } }));
  const connections = [{ toolkit: 'srv', name: 'Work', credentials: { token } }];
  const helve = await createTestHelve({ configFile, connections });
  ends.push(() => helve.close());
  // On a busy machine the list may have come too late for the agent to be granted everything.
  const tools = (await helve.plane.toolkitTools(helve.admin, 'srv')).map(({ tool }) => tool.id.name);
  const connectionId = (await helve.plane.connection(helve.admin, 'work')).id;
  await helve.plane.replaceGrants(helve.admin, 'tester', [
    { toolkit: 'srv', connectionId, tools, limits: {}, config: {} },
  ]);
  for (let call = 0; call < 2; call += 1) {
    const result = await helve.call('work__reveal');
    expect(result).toMatchObject({ ok: true, output: { saw: expect.stringContaining('removed') } });
    expect(JSON.stringify(result)).not.toContain(token);
  }
});

test('R-mcp-client: a list is read again when there is another account to read it with, and not for other changes', async () => {
  const server = await openTestServer([]);
  ends.push(() => server.close());
  const tokenOf = ({ headers }: { readonly headers: Headers }) => headers.get('authorization');
  server.list = () => ({ tools: [{ ...echoTool, name: `for_${tokenOf(server.requests.at(-1)!)}`, run: undefined }] });
  server.intercept = (request) => (tokenOf(request) === null ? new Response(null, { status: 401 }) : undefined);
  let account: string | undefined;
  let tell: () => void = () => undefined;
  const transport = { kind: 'http', url: server.url } as const;
  const provider = createMcpProvider({
    servers: [{ slug: 'test', transport, auth: { header: 'authorization', value: '{token}' } }],
    accountFor: async () =>
      account === undefined
        ? undefined
        : forList({ facts: { id: account }, fields: async () => ({ token: account }) } as never),
    onAccountsChange: (workspaceId, listener) => {
      expect(workspaceId).toBe('w');
      tell = listener;
      return () => {
        tell = () => expect.unreachable();
      };
    },
    firstRetryMs: 600_000,
  });
  ends.push(() => provider.close());
  let changes = 0;
  provider.onChange(() => {
    changes += 1;
  });
  const names = async () => (await provider.tools('test', 'w')).map(({ id }) => id.name);
  expect(await names()).toEqual([]);
  for (const [at, one] of ['ada', 'bob'].entries()) {
    account = one;
    tell();
    await vi.waitFor(() => expect(changes).toBe(at + 1), { timeout: 5_000 });
    expect(await names()).toEqual([`for_${one}`]);
  }
  const listed = () => server.requests.filter(({ method }) => method === 'tools/list').length;
  const before = listed();
  tell();
  account = 'cid';
  tell();
  await vi.waitFor(() => expect(changes).toBe(3), { timeout: 5_000 });
  expect(listed() - before).toBe(1);
});

test('R-mcp-client: behind OAuth a call that was stopped does not stop the later calls with its account', async () => {
  const server = await openTestServer([echoTool]);
  ends.push(() => server.close());
  const sent: string[] = [];
  /** The account `c1`, bound to a call. */
  const bind = (call: string, signal?: AbortSignal) => {
    const request = async ({ method, path, headers, body }: Record<string, string>) => {
      signal?.throwIfAborted();
      sent.push(call);
      const answer = await fetch(new URL(path ?? '', server.url), {
        method: method!,
        headers: headers as never,
        body: body!,
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes };
    };
    return {
      facts: { id: 'c1' },
      service: () => ({ request }),
      fields: () => Promise.reject(new Error('not used')),
    } as never;
  };
  const transport = { kind: 'http', url: server.url } as const;
  const stop = new AbortController();
  const accountFor = async () => forList(bind('first', stop.signal));
  const provider = createMcpProvider({ servers: [{ slug: 'test', transport, auth: 'oauth' }], accountFor });
  ends.push(() => provider.close());
  await provider.tools('test', 'w');
  expect(new Set(sent)).toEqual(new Set(['first']));
  const calls = ['second', 'third'].map((call) => callTool(provider, 'test', 'echo', { connection: bind(call) }));
  await Promise.all(calls);
  stop.abort();
  sent.length = 0;
  await callTool(provider, 'test', 'echo', { connection: bind('fourth') });
  expect(new Set(sent)).toEqual(new Set(['fourth']));
});

test('R-mcp-client: behind OAuth a server may set several cookies, as load balancers do', async () => {
  const server = await openTestServer([echoTool]);
  server.intercept = async (_, seen) => {
    if (seen.method !== 'tools/call') return undefined;
    const { id } = (await _.clone().json()) as { id: number };
    const result = { content: [], structuredContent: { echoed: {} } };
    const headers = [
      ['set-cookie', 'lb=1'],
      ['set-cookie', 'lb-cors=1'],
    ] as [string, string][];
    return Response.json({ jsonrpc: '2.0', id, result }, { headers });
  };
  const folder = await mkdtemp(join(tmpdir(), 'helve-cookies-'));
  ends.push(
    () => rm(folder, { recursive: true, force: true }),
    () => server.close(),
  );
  const configFile = join(folder, 'helve.yaml');
  await writeFile(configFile, JSON.stringify({ mcp_servers: { srv: { url: server.url, auth: 'oauth' } } }));
  const connections = [{ toolkit: 'srv', name: 'Work', credentials: { access_token: 'a-token' } }];
  const helve = await createTestHelve({ configFile, connections });
  ends.push(() => helve.close());
  const connectionId = (await helve.plane.connection(helve.admin, 'work')).id;
  await helve.plane.toolkitTools(helve.admin, 'srv');
  await helve.plane.replaceGrants(helve.admin, 'tester', [
    { toolkit: 'srv', connectionId, tools: ['echo'], limits: {}, config: {} },
  ]);
  expect(await helve.call('work__echo')).toMatchObject({ ok: true, output: { echoed: {} } });
});

test('R-mcp-client: whoever signs in next with a connection does not go on with the session of whoever did before', async () => {
  const server = await openTestServer([echoTool]);
  ends.push(() => server.close());
  const transport = { kind: 'http', url: server.url } as const;
  const signedIn = (token: string, connectedAt: string) =>
    ({ facts: { id: 'c1', connectedAt }, fields: async () => ({ token }) }) as never;
  const [ada, bob] = [signedIn('ada', '2026-01-01T00:00:00.000Z'), signedIn('bob', '2026-01-02T00:00:00.000Z')];
  const auth = { header: 'authorization', value: '{token}' };
  const provider = createMcpProvider({
    servers: [{ slug: 'test', transport, auth }],
    accountFor: async () => forList(ada),
  });
  ends.push(() => provider.close());
  await provider.tools('test', 'w');
  for (const connection of [ada, bob, ada]) await callTool(provider, 'test', 'echo', { connection });
  const sessionsOf = (token: string) => {
    const own = server.requests.filter(({ headers }) => headers.get('authorization') === token);
    return new Set(own.flatMap(({ headers }) => headers.get('mcp-session-id') ?? []));
  };
  expect(sessionsOf('ada').size).toBe(1);
  expect(sessionsOf('bob').size).toBe(1);
  expect(sessionsOf('bob')).not.toEqual(sessionsOf('ada'));
});

test('R-vault: a list of tools that repeats the credential of its account is not shown, nor is a tool of it called', async () => {
  const server = await openTestServer([echoTool]);
  ends.push(() => server.close());
  const token = 'canary-of-this-account';
  const account = { facts: { id: 'c1' }, fields: async () => ({ token }) } as never;
  const scrub = createCallScrub();
  scrub.see([token]);
  const accountFor = async () => ({ connection: account, clean: scrub.value });
  const transport = { kind: 'http', url: server.url } as const;
  const auth = { header: 'authorization', value: 'Bearer {token}' };
  const provider = createMcpProvider({ servers: [{ slug: 'test', transport, auth }], accountFor });
  ends.push(() => provider.close());
  const [tool] = await provider.tools('test', 'w');
  const encoded = Buffer.from(token).toString('base64');
  server.tools = [{ ...echoTool, description: `You are signed in with ${encoded}` }];
  await expect(callTool(provider, 'test', tool!, { connection: account })).rejects.toMatchObject({ code: 'conflict' });
  expect(server.ran).toEqual([]);
  const reported: string[] = [];
  const open = () => {
    const servers = [{ slug: 'test', transport, auth }];
    const reportError = (_: string, error: unknown) => void reported.push(JSON.stringify(error));
    const other = createMcpProvider({ servers, accountFor, reportError });
    ends.push(() => other.close());
    return other;
  };
  const other = open();
  expect(await other.tools('test', 'w')).toEqual([]);
  expect(await other.unoffered?.('test', 'w')).toMatchObject([
    { name: '*', reason: expect.stringContaining('credential') },
  ]);
  server.list = () => Promise.reject(new Error(`I do not know ${token}`));
  const third = open();
  await third.tools('test', 'w');
  expect(await third.unoffered?.('test', 'w')).toMatchObject([{ reason: expect.stringContaining('I do not know [') }]);
  expect(reported).toHaveLength(2);
  expect(reported.join()).not.toContain(token);
});

test.each([
  'none',
  'oauth',
  { header: 'authorization', value: 'Bearer {token}' },
])('R-mcp-client: with %o a server on a host that the operator has blocked is not asked', async (auth) => {
  const server = await openTestServer([echoTool]);
  ends.push(() => server.close());
  const credentials: Record<string, string> = auth === 'oauth' ? { access_token: 'a-token' } : { token: 'a-token' };
  const connections = auth === 'none' ? [] : [{ toolkit: 'srv', name: 'Work', credentials }];
  const open = async (blockedDomains: readonly string[]) => {
    const config = JSON.stringify({ mcp_servers: { srv: { url: server.url, auth } } });
    const helve = await createTestHelve({ nativeToolkits: [], config, connections, egress: { blockedDomains } });
    ends.push(() => helve.close());
    return (await helve.plane.toolkitTools(helve.admin, 'srv')).map(({ tool }) => tool.id.name);
  };
  expect(await open(['127.0.0.1'])).toEqual([]);
  expect(server.requests).toEqual([]);
  expect(await open([])).toEqual(['echo']);
});

test('R-mcp-client: a session is ended at its server when Helve stops', async () => {
  const server = await openTestServer([echoTool]);
  ends.push(() => server.close());
  const config = JSON.stringify({ mcp_servers: { srv: { url: server.url, auth: 'none' } } });
  const helve = await createTestHelve({ nativeToolkits: [], config });
  expect(await helve.plane.toolkitTools(helve.admin, 'srv')).toHaveLength(1);
  await helve.close();
  expect(server.requests.at(-1)).toMatchObject({ http: 'DELETE' });
});

test('R-mcp-client: a call that takes long is not cut off because tools with other hosts are called meanwhile', async () => {
  const signs = new EventEmitter();
  const [entered, finished] = [once(signs, 'entered'), once(signs, 'finished')];
  const run = async () => {
    signs.emit('entered');
    await finished;
    return { content: [{ type: 'text' as const, text: 'done' }] };
  };
  const server = await openTestServer([{ ...echoTool, name: 'wait', run }]);
  ends.push(() => server.close());
  const config = JSON.stringify({ mcp_servers: { srv: { url: server.url, auth: 'none' } } });
  const others = Array.from({ length: 101 }, (_, number) =>
    testTool({
      name: `look_${number}`,
      egress: () => ({ allowedDomains: [`host-${number}.example`] }),
      execute: (_input, { http }) => http.fetch({ url: 'https://elsewhere.example/' }),
    }),
  );
  const toolkit = defineToolkit({
    slug: 'hosts',
    title: 'Hosts',
    description: 'Many hosts',
    category: 'tests',
    load: async () => others,
  });
  const helve = await createTestHelve({ toolkits: [toolkit], config });
  ends.push(() => helve.close());
  const waiting = helve.call('srv__wait');
  await entered;
  for (const { name } of others) expect(await helve.call(name)).toMatchObject({ error: { code: 'egress_blocked' } });
  signs.emit('finished');
  expect(await waiting).toMatchObject({ ok: true });
});
