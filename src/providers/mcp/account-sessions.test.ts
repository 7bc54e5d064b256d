/** One session with a server carries the calls of many; each request is sent for the call that it belongs to. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';
import { createMcpProvider } from './index.js';
import { callTool, echoTool, openTestServer } from './testing/servers.js';

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
  for (let call = 0; call < 2; call += 1) {
    const result = await helve.call('work__reveal');
    expect(result).toMatchObject({ ok: true, output: { saw: expect.stringContaining('removed') } });
    expect(JSON.stringify(result)).not.toContain(token);
  }
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
  const accountFor = async () => bind('first', stop.signal);
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
