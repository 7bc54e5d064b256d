import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdapterGround, awkward, openGround, same } from '../../tests/examples/ground.js';
import { allPermissions } from '../domain/principal.js';
import { createHttpApp, type Listening, listen } from '../surfaces/http/index.js';
import { toolsFor } from './ai-sdk.js';
import { remote } from './remote.js';

let helve: AdapterGround;
let server: Listening;
let token: string;
beforeAll(async () => {
  helve = await openGround();
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
});
afterAll(() => server.close());

const run = (tools: any, name: string, input: unknown, abortSignal?: AbortSignal): Promise<string> =>
  tools[name].execute(input, { abortSignal });

describe('R-sdk: tools of a Helve that is served elsewhere', () => {
  test('R-sdk: the token’s tools, with their schemas byte for byte', async () => {
    const listed = await remote({ url: server.url, token }).tools();
    expect(same(listed.find(({ name }) => name === 'awkward')?.tool.inputSchema, awkward)).toBe(true);
  });

  test('R-sdk: calls and refusals are results; the signal ends the call', async () => {
    helve.reached.length = 0;
    const tools = await toolsFor(remote({ url: server.url, token }));
    expect(await run(tools, 'awkward', { count: 5, runId: 'r' })).toBe('{"counted":5}');
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    expect(await run(tools, 'awkward', { count: 'five' })).toMatch(/^invalid_input: awkward: \/count must be integer/);
    const stop = new AbortController();
    const answer = run(tools, 'slow', {}, stop.signal);
    await helve.slowRuns();
    stop.abort();
    expect(await answer).toMatch(/^outcome_unknown: The caller cancelled the call, and the tool may/);
    // Nothing was sent.
    const early = AbortSignal.abort();
    expect(await run(tools, 'slow', {}, early)).toBe('cancelled: The caller cancelled the call');
  });

  test('R-sdk: a key that may act as agents names the agent', async () => {
    const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
    const source = remote({ url: server.url, token: secret });
    const tools = await toolsFor(source, { principal: { agent: 'tester' }, tools: ['awkward'] });
    expect(await run(tools, 'awkward', { count: 2 })).toBe('{"counted":2}');
    await expect(source.tools({ principal: { agent: 'nobody' } })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('R-sdk: without a credential, or if the server does not respond, the list throws and a call is a result', async () => {
    const nobody = remote({ url: server.url });
    await expect(nobody.tools({ principal: undefined })).rejects.toMatchObject({ code: 'unauthenticated' });
    const closed = await listen({ fetch: () => new Response(), host: '127.0.0.1', port: 0 });
    await closed.close();
    const away = remote({ url: closed.url, token });
    await expect(away.tools({ principal: undefined })).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining(closed.url),
    });
    const source = { tools: remote({ url: server.url, token }).tools, execute: away.execute };
    expect(await run(await toolsFor(source, {}), 'awkward', { count: 1 })).toMatch(/^upstream_failed: Helve at /);
  });

  test('R-sdk: a call with effects whose answer is lost on the way is of unknown outcome', async () => {
    let received = 0;
    const lossy = createServer((request) => {
      received += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => lossy.listen(0, '127.0.0.1', resolve));
    const { port } = lossy.address() as AddressInfo;
    const { execute } = remote({ url: `http://127.0.0.1:${port}`, token });
    const tools = await toolsFor({ tools: remote({ url: server.url, token }).tools, execute }, {});
    expect(await run(tools, 'slow', {})).toMatch(/^outcome_unknown: Helve at .* may have run/);
    expect(received).toBeGreaterThan(0);
    lossy.close();
  });
});
