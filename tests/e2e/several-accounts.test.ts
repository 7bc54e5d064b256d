/**
 * Accounts, the catalogue and live events on two processes of `helve serve` on one PostgreSQL behind a plain balancer, with a real
 * authorisation server and a Composio beside them.
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Balancer, startBalancer } from '../../src/testing/balancer.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { createBrowser } from '../accounts/support/browser.js';
import { startIssuer, type TestIssuer } from '../accounts/support/oidc.js';
import { madeData, total } from '../composio/support.js';
import { type Composio, startComposio } from '../counterparts/composio/index.js';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, serve, temporaryFolder } from './support/server.js';

const toolkit = fileURLToPath(new URL('support/vendor-toolkit.js', import.meta.url));
const whoAmI = { tool: 'who_am_i', input: {} };
let postgres: TestPostgres;
let balancer: Balancer;
let issuer: TestIssuer;
let composio: Composio;
let folders: string[];
/** Where each process listens, and the key of its operator. */
let servers: { readonly url: string; readonly key: string }[];
let environment: Record<string, string>;
let token: string;
const streams: AbortController[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  balancer = await startBalancer();
  issuer = await startIssuer(`${balancer.address}/oauth/callback`);
  composio = await startComposio(madeData(40));
  environment = {
    HELVE_VAULT_KEYS: `test:${randomBytes(32).toString('base64')}`,
    HELVE_DATABASE_URL: await postgres.storeUrl(),
    HELVE_PUBLIC_URL: balancer.address,
    COMPOSIO_API_KEY: composio.apiKey,
    COMPOSIO_BASE_URL: composio.url,
  };
  folders = [];
  servers = [await startServer(), await startServer()];
  const agent = await operate(0, 'POST /api/agents', { slug: 'desk', name: 'Desk' });
  expect(agent.status, agent.text).toBeLessThan(300);
  const made = await run(['agents', 'token', 'desk', '--data', folders[0] ?? '', '--json'], environment);
  token = JSON.parse(made.stdout).secret;
}, 120_000);
afterEach(() => {
  for (const stream of streams.splice(0)) stream.abort();
});
afterAll(async () => {
  killChildren();
  await Promise.all([balancer.close(), issuer.close(), composio.close()]);
  await postgres.stop();
  await removeTemporaryFolders();
});

async function startServer(): Promise<(typeof servers)[number]> {
  const folder = await temporaryFolder('accounts');
  folders.push(folder);
  const settings = `limits: { per_ip: null }\ntoolkits:\n  vendor:\n    base_url: ${issuer.url}\n`;
  await writeFile(join(folder, 'helve.yaml'), `${settings}${issuer.config('vendor')}`);
  await serve(folder, ['--toolkit', toolkit], environment);
  // What it prints is the public address.
  const server = JSON.parse(await readFile(join(folder, 'cli.json'), 'utf8'));
  balancer.add(Number(new URL(server.url).port));
  return server;
}

/** A request to one of the two, as the operator. */
function operate(at: number, route: string, body?: unknown) {
  return ask(servers[at]?.url ?? '', route, servers[at]?.key, body);
}

/** Each request of the browser to Helve goes to the next process; returns which ones got the steps of the sign-in. */
async function signIn(name: string): Promise<{ id: string; steps: string[] }> {
  const begun = await operate(0, 'POST /api/tools/connect', { toolkit: 'vendor', name });
  expect(begun.status, begun.text).toBe(200);
  const { redirectUrl, connection } = begun.body;
  const steps: string[] = [];
  const browser = createBrowser((url) => {
    if (url.origin !== balancer.address) return fetch;
    const at = (steps.length + 1) % servers.length;
    steps.push(`${url.pathname.split('/').slice(0, 3).join('/')} at ${at}`);
    return (address, init) => {
      const headers = new Headers(init.headers);
      headers.delete('host');
      const target = new URL(address);
      return fetch(new URL(`${target.pathname}${target.search}`, servers[at]?.url), { ...init, headers });
    };
  });
  const { response } = await browser.go(redirectUrl);
  expect(response?.status, await response?.clone().text()).toBe(200);
  return { id: connection.id, steps };
}

const grant = (connectionId: string) =>
  operate(0, 'PUT /api/agents/desk/grants', {
    grants: [{ toolkit: 'vendor', connectionId, tools: ['who_am_i'], limits: {}, config: {} }],
  });

test('R-oauth: a sign-in that began at one process is finished at another, and the account works at both', async () => {
  issuer.account = 'ada';
  const { id, steps } = await signIn('Work');
  expect(new Set(steps.map((step) => step.at(-1)))).toEqual(new Set(['0', '1']));
  expect(steps.at(-1)).toMatch(/^\/oauth\/callback/);
  expect((await grant(id)).status).toBeLessThan(300);
  for (const { url } of servers) {
    const reply = await ask(url, 'POST /api/tools/execute', token, whoAmI);
    expect(reply.body, reply.text).toMatchObject({ ok: true, output: { sub: 'ada' } });
  }
});

test('R-oauth: an expired token is renewed once, however many calls at both processes wait for it', async () => {
  issuer.tokenSeconds = 1;
  const { id } = await signIn('Short');
  issuer.tokenSeconds = 3_600;
  expect((await grant(id)).status).toBeLessThan(300);
  issuer.tokenRequests.length = 0;
  issuer.tokenDelayMs = 3_000;
  await new Promise((resume) => setTimeout(resume, 1_100));
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) => ask(servers[n % 2]?.url ?? '', 'POST /api/tools/execute', token, whoAmI)),
  );
  issuer.tokenDelayMs = 0;
  expect(replies.map(({ body }) => body?.ok)).toEqual(replies.map(() => true));
  expect(issuer.tokenRequests).toEqual([{ grant: 'refresh_token', status: 200 }]);
});

test('R-sync: two processes that are told to synchronise at the same moment do it once', async () => {
  const synchronise = async (ats: readonly number[]) => {
    composio.forgetCalls();
    const begun = await Promise.all(ats.map((at) => operate(at, 'POST /api/tools/sync', { kind: 'full' })));
    for (const { status, text } of begun) expect([202, 409], text).toContain(status);
    const ids = new Set(begun.map(({ body }) => body.id).filter((id) => id !== undefined));
    expect(ids.size).toBe(1);
    const [id] = ids;
    await expect
      .poll(
        async () =>
          (await operate(0, 'GET /api/tools/sync-history')).body.jobs.find((job: { id: string }) => job.id === id)
            ?.status,
        { timeout: 30_000 },
      )
      .toBe('done');
    return { calls: total(composio.calls), jobs: (await operate(1, 'GET /api/tools/sync-history')).body.jobs.length };
  };
  const together = await synchronise([0, 1]);
  // The control: one alone needs as many requests, and a job of its own.
  const alone = await synchronise([0]);
  expect(together.calls).toBeGreaterThan(2);
  expect(alone.calls).toBe(together.calls);
  expect(alone.jobs).toBe(together.jobs + 1);
  for (const at of [0, 1])
    expect((await operate(at, 'GET /api/tools/marketplace?search=app7')).text).toContain('"app7"');
});

test('R-operate: what happens at one process is in the live events of both', async () => {
  const waiting = servers.map(async ({ url, key }) => {
    const stream = new AbortController();
    streams.push(stream);
    const response = await fetch(`${url}/api/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal: stream.signal,
    });
    const reader = response.body?.getReader();
    let text = '';
    const until = async (word: string) => {
      while (!text.includes(word)) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) throw new Error(`The stream ended without ${word}`);
        text += new TextDecoder().decode(value);
      }
    };
    // From here on it shows everything.
    await until('"position"');
    return until;
  });
  const [atFirst, atSecond] = await Promise.all(waiting);
  const made = await operate(0, 'POST /api/agents', { slug: 'newcomer', name: 'Newcomer' });
  expect(made.status, made.text).toBeLessThan(300);
  const from = performance.now();
  await Promise.all([atFirst?.('agent.created'), atSecond?.('agent.created')]);
  expect(performance.now() - from).toBeLessThan(3_000);
});

test('R-operate: a grant that was taken away at one process holds at neither', async () => {
  for (const { url } of servers) expect((await ask(url, 'POST /api/tools/execute', token, whoAmI)).body.ok).toBe(true);
  const taken = await operate(0, 'PUT /api/agents/desk/grants', { grants: [] });
  expect(taken.status, taken.text).toBeLessThan(300);
  for (const { url } of servers.toReversed()) {
    const reply = await ask(url, 'POST /api/tools/execute', token, whoAmI);
    expect(reply.body.error?.code ?? reply.body.code, reply.text).toBe('not_granted');
  }
});
