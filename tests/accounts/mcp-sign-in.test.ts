/**
 * Signing in to MCP servers: the official conformance suite's `auth/*` client scenarios, run by the whole plane.
 * The suite starts a command with the address of its server; the command only notifies this process, which signs in
 * in a browser, as a person would, and calls the tool.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpApp } from '../../src/surfaces/http/index.js';
import { noSuite, readChecks, runSuite } from '../../src/testing/conformance-suite.js';
import { createTestHelve } from '../../src/testing/index.js';
import { createBrowser } from './support/browser.js';

const publicUrl = 'https://conformance-test.local';
let driver: Server;
let address: string;
let folder: string;

/** A client that the suite has registered beforehand. */
interface Registered {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  /** For a program: not a person's sign-in. */
  readonly name?: string;
}

/** What an operator and a person do: configure the server, connect, sign in, and call each tool; once more with more scopes. */
async function act(url: string, client: Registered): Promise<void> {
  const servers = await authorizationServers(url);
  const asProgram = client.name?.includes('client-credentials') ?? false;
  const registered = client.client_id === undefined ? '' : oauthConfig(client);
  const helve = await createTestHelve({
    publicUrl,
    nativeToolkits: [],
    config: `mcp_servers:\n  test: { url: "${url}", auth: ${asProgram ? 'client_credentials' : 'oauth'}, authorization_servers: ${JSON.stringify(servers)} }\n${registered}`,
    reportError: () => undefined,
  });
  const app = createHttpApp({ plane: helve.plane, publicUrl });
  const browser = createBrowser((to) => (to.origin === publicUrl ? (at, init) => app.request(at, init) : fetch));
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'test', name: 'Test' });
  const signIn = async (scopes: readonly string[]): Promise<void> => {
    if (asProgram) return void (await helve.plane.connect(helve.admin, id, { credentials: credentialsOf(client) }));
    const { redirectUrl = '' } = await helve.plane.connect(helve.admin, id, { scopes });
    const { response } = await browser.go(redirectUrl);
    if (response?.status !== 200) throw new Error(`The sign-in failed: ${await response?.text()}`);
  };
  try {
    await signIn([]);
    for (let attempt = 0; attempt < 3; attempt++) {
      const missing = await callAll(helve);
      if (missing.length === 0) return;
      await signIn(missing);
    }
  } finally {
    await helve.close();
  }
}

function credentialsOf(client: Registered): Record<string, string> {
  const { client_id = '', client_secret, private_key_pem, signing_algorithm } = client;
  return {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(private_key_pem === undefined ? {} : { private_key: private_key_pem }),
    ...(signing_algorithm === undefined ? {} : { algorithm: signing_algorithm }),
  };
}

/** On this machine every network is private, so the operator has to name where the server points to. */
async function authorizationServers(url: string): Promise<string[]> {
  const { origin, pathname } = new URL(url);
  const places = [pathname, ''].map((path) => `${origin}/.well-known/oauth-protected-resource${path}`);
  const refused = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  const named = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
  for (const place of [...(named === undefined ? [] : [named]), ...places]) {
    const found = await fetch(place).then(
      async (answer) =>
        (answer.ok ? await answer.json() : undefined) as { authorization_servers?: string[] } | undefined,
    );
    if (found?.authorization_servers) return found.authorization_servers;
  }
  return [];
}

function oauthConfig({ client_id, client_secret }: Registered): string {
  return `oauth:\n  "mcp:test": { client_id: ${client_id}, client_secret: ${client_secret} }\n`;
}

/** The scopes that a call reported as missing. */
async function callAll(helve: Awaited<ReturnType<typeof createTestHelve>>): Promise<readonly string[]> {
  for (let wait = 0; wait < 50; wait++) {
    const tools = await helve.plane.tools(helve.admin);
    if (tools.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    const missing = new Set<string>();
    for (const { name } of tools) {
      const result = await helve.execute({ principal: helve.admin, tool: name, input: {} });
      const scopes = result.ok ? undefined : result.error.details?.scopes;
      if (Array.isArray(scopes)) for (const scope of scopes) missing.add(String(scope));
    }
    return [...missing];
  }
  return [];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-auth-conformance-'));
  driver = createServer(async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://driver').searchParams;
    const scenario = asked.get('scenario') ?? '';
    const client = { ...JSON.parse(asked.get('context') || '{}'), name: scenario } as Registered;
    const problem = await act(asked.get('server') ?? '', client).then(
      () => '',
      (error: unknown) => String(error instanceof Error ? error.stack : error),
    );
    response.writeHead(problem === '' ? 200 : 500).end(problem);
  });
  await new Promise<void>((resolve) => driver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(driver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  driver.closeAllConnections();
  driver.close();
  await rm(folder, { recursive: true, force: true });
});

const scenarios = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'resource-mismatch',
  'pre-registration',
  '2025-03-26-oauth-metadata-backcompat',
  '2025-03-26-oauth-endpoint-fallback',
  'client-credentials-basic',
  'client-credentials-jwt',
];

test.skipIf(noSuite !== undefined).concurrent.each(scenarios)(
  'R-mcp-client R-oauth: conformance, signing in: %s',
  async (scenario) => {
    const place = join(folder, scenario);
    const script = `fetch('${address}?scenario=${scenario}&server='+encodeURIComponent(process.argv.at(-1))+'&context='+encodeURIComponent(process.env.MCP_CONFORMANCE_CONTEXT||'')).then(async r=>{if(!r.ok){console.error(await r.text());process.exit(1)}})`;
    const command = `${process.execPath} -e "${script}"`;
    const output = await runSuite([
      'client',
      '--command',
      command,
      '--scenario',
      `auth/${scenario}`,
      '--output-dir',
      place,
    ]);
    const checks = [...(await readChecks(place)).values()].flat();
    const wrong = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    expect(wrong, output).toEqual([]);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length, output).toBeGreaterThan(0);
  },
  60_000,
);
