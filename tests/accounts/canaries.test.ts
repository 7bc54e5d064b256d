/**
 * Secrets are planted in every kind of credential, at a service that repeats all its input in every form and location.
 * Afterwards the test searches for them in everything that Helve stores, outputs or starts, through all its doors. A control
 * shows that the search finds them where they are.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres } from '../../src/testing/postgres.js';
import { overHttp, textOf } from '../e2e/support/mcp.js';
import { cleanEnvironment, run } from '../e2e/support/server.js';
import { type Echo, harmless, startEcho } from './support/echo.js';
import { formsOf, hitsIn } from './support/encodings.js';

const script = fileURLToPath(new URL('support/canary-server.js', import.meta.url));
const ways = ['header', 'query', 'path', 'cookie', 'basic', 'bot', 'patterned', 'mail', 'account', 'app', 'oauth'];
const postgres = await startPostgres();
afterAll(() => postgres.stop());

const pem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
/** Letters that each form writes differently, except where the credential's format forbids them. */
const canary = (name: string): string => `canary ${name}/+=&%"'<\\>é7Qx`.replaceAll(' ', '~');
const tame = (name: string): string => `canary-${name}-7QxZk2/9+Lm=pR4tW8`;

interface Rig {
  readonly secrets: Record<string, string>;
  readonly echo: Echo;
  readonly server: { readonly url: string; readonly key: string; readonly adminLink: string };
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly database: string;
  /** All output, by location. */
  readonly said: { readonly place: string; readonly text: string }[];
  output(): string;
  stop(): Promise<void>;
}

async function openRig(database?: string): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-canary-'));
  const echo = await startEcho();
  const account = pem();
  const secrets: Record<string, string> = {
    ...Object.fromEntries(ways.slice(0, 5).map((way) => [way, tame(way)])),
    bot: tame('bot'),
    patterned: tame('patterned'),
    mail: canary('mail'),
    app: pem().trimEnd(),
    account: account.trimEnd(),
    client: tame('client-secret'),
    'client of the workspace': tame('own-client'),
    code: tame('code'),
    'imported access': tame('imported'),
    'imported refresh': tame('refresh-imported'),
  };
  const vaultKey = Buffer.from('the canary of the vault is 32 b!').toString('base64');
  Object.assign(echo.secrets, secrets);
  const config = [
    'oauth:',
    '  vendor:',
    '    client_id: id',
    `    client_secret: ${JSON.stringify(secrets.client)}`,
    `    authorization_endpoint: ${echo.url}/authorize`,
    `    token_endpoint: ${echo.url}/oauth/token`,
    `    revocation_endpoint: ${echo.url}/revoke/failing`,
    '',
  ].join('\n');
  const location = database ?? join(dataDir, 'helve.db');
  const settings = JSON.stringify({ database: location, dataDir, config, echo: echo.url });
  const child = fork(script, [], {
    env: cleanEnvironment({ CANARY_SETTINGS: settings, HELVE_VAULT_KEYS: `canary:${vaultKey}` }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const server = await new Promise<Rig['server']>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Rig['server']));
    child.once('exit', () => reject(new Error(`It did not start: ${output}`)));
  });
  Object.assign(secrets, { 'vault key': vaultKey, 'API key': server.key, 'admin link': server.adminLink });
  return {
    secrets,
    echo,
    server,
    child,
    dataDir,
    database: location,
    said: [],
    output: () => output,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.send('stop');
      await ended;
      await echo.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** One request; its answer is recorded with all its headers. */
async function ask(rig: Rig, method: string, path: string, body?: unknown, more: RequestInit = {}): Promise<unknown> {
  const { url, key } = rig.server;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    ...more,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(more.headers as object) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const place = `${method} ${path} ${JSON.stringify(body ?? '').slice(0, 80)}`;
  rig.said.push({ place, text: `${JSON.stringify([...response.headers])} ${text}` });
  return /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

const credentialsOf = (rig: Rig, way: string): Record<string, string> => {
  const key = rig.secrets[way] ?? '';
  if (way === 'oauth')
    return { access_token: rig.secrets['imported access'] ?? '', refresh_token: rig.secrets['imported refresh'] ?? '' };
  if (way === 'basic') return { user: 'ada', key };
  return {
    key: way === 'account' ? JSON.stringify({ type: 'service_account', client_email: 'a@b.c', private_key: key }) : key,
  };
};

async function connectAll(rig: Rig): Promise<void> {
  await ask(rig, 'POST', '/api/agents', { slug: 'singer' });
  const grants = [];
  for (const way of ways) {
    const body = { toolkit: way, name: way, credentials: credentialsOf(rig, way) };
    const { connection } = (await ask(rig, 'POST', '/api/tools/connect', body)) as {
      connection?: { id: string; status: string };
    };
    expect([way, connection?.status]).toEqual([way, 'active']);
    grants.push({ toolkit: way, connectionId: connection?.id, tools: ['ask'] });
  }
  await ask(rig, 'PUT', '/api/agents/singer/grants', { grants });
}

const say = (rig: Rig, way: string, mode: string, more: object = {}): Promise<unknown> =>
  ask(rig, 'POST', '/api/tools/execute', { tool: `${way}__ask`, input: { mode }, agent: 'singer' }, more);

/** Every way of signing in meets every kind of answer, through REST; some of them through a stream, MCP and the command line. */
async function talk(rig: Rig, modes: readonly string[], some: readonly string[]): Promise<void> {
  for (const way of some) {
    for (const mode of modes) {
      const result = await say(rig, way, mode);
      expect([way, mode, typeof (result as { executionId?: string }).executionId]).toEqual([way, mode, 'string']);
    }
    await say(rig, way, 'ok', { headers: { accept: 'text/event-stream' } });
  }
  const { secret } = (await ask(rig, 'POST', '/api/agents/singer/tokens', { name: 't' })) as { secret: string };
  // Shown once, to its owner.
  rig.said.pop();
  rig.secrets['agent token'] = secret;
  const client = await overHttp(`${rig.server.url}/mcp/singer`, secret);
  for (const way of some) {
    for (const mode of ['ok', 'bad', 'headers', 'huge']) {
      const result = await client.callTool({ name: `${way}__ask`, arguments: { mode } });
      rig.said.push({ place: `MCP ${way} ${mode}`, text: `${textOf(result)} ${JSON.stringify(result)}` });
    }
  }
  rig.said.push({ place: 'MCP list', text: JSON.stringify(await client.listTools()) });
  await client.close();
  for (const way of ['header', 'app', 'oauth']) {
    for (const mode of ['ok', 'failing']) {
      const call = ['call', `${way}__ask`, JSON.stringify({ mode }), '--agent', 'singer', '--data', rig.dataDir];
      const { stdout, stderr } = await run(call);
      expect(stdout + stderr).not.toMatch(/does not answer|fetch failed/);
      rig.said.push({ place: `CLI ${call.join(' ')}`, text: stdout + stderr });
    }
  }
}

/** In a browser: link, state, cookie, code and verifier; then a code that the provider refuses with an echo of everything. */
async function signIn(rig: Rig): Promise<void> {
  await ask(rig, 'PUT', '/api/auth-clients/vendor', {
    clientId: 'own',
    clientSecret: rig.secrets['client of the workspace'],
  });
  for (const tokens of ['give', 'refuse'] as const) {
    rig.echo.tokens = tokens;
    const name = `signed in ${tokens}`;
    const { redirectUrl } = (await ask(rig, 'POST', '/api/tools/connect', { toolkit: 'oauth', name })) as {
      redirectUrl: string;
    };
    // The link is for the caller that requested it.
    rig.said.pop();
    const origin = new URL(redirectUrl).origin;
    const start = await fetch(redirectUrl, { method: 'POST', headers: { origin }, redirect: 'manual' });
    const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    Object.assign(rig.secrets, { [`link ${tokens}`]: redirectUrl.split('/').at(-1), [`state ${tokens}`]: state });
    rig.secrets[`state cookie ${tokens}`] = cookie.split('=')[1] ?? '';
    Object.assign(rig.echo.secrets, { [`state ${tokens}`]: state });
    const query = new URLSearchParams({ code: rig.secrets.code ?? '', state });
    await ask(rig, 'GET', `/oauth/callback?${query}`, undefined, { headers: { cookie, authorization: '' } });
    // The address of the request is not part of the answer.
    Object.assign(rig.said.at(-1) ?? {}, { place: `callback ${tokens}` });
  }
  rig.echo.tokens = 'give';
  await ask(rig, 'DELETE', '/api/auth-clients/vendor');
  Object.assign(rig.secrets, rig.echo.secrets);
}

async function logIn(rig: Rig): Promise<void> {
  const response = await fetch(`${rig.server.url}/admin/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: rig.server.adminLink }),
    headers: { origin: rig.server.url },
  });
  rig.secrets.session = response.headers.getSetCookie()[0]?.split(';')[0]?.split('=')[1] ?? '';
  expect(rig.secrets.session.length).toBeGreaterThan(20);
  await ask(rig, 'GET', '/admin', undefined, {
    headers: { cookie: `helve_session=${rig.secrets.session}`, authorization: '' },
  });
}

/** The service stops accepting them, or rate-limits; then they are removed. */
async function fallOut(rig: Rig): Promise<void> {
  for (const way of ways) {
    await say(rig, way, 'limited');
    rig.echo.tokens = 'refuse';
    await say(rig, way, 'unauthorised');
    rig.echo.tokens = 'give';
  }
  for (const way of ways) {
    const body = { connection: way, credentials: credentialsOf(rig, way) };
    await ask(rig, 'POST', '/api/tools/connect', body);
  }
  for (const path of [
    '/api/tools/connected',
    '/api/audit?limit=200',
    '/api/audit/export',
    '/api/tools/executions?limit=100',
  ])
    await ask(rig, 'GET', path);
  for (const path of ['/api/auth-checks', '/api/credentials', '/api/tools/export', '/api/openapi.json'])
    await ask(rig, 'GET', path);
  for (const args of [['connections'], ['audit', '--limit', '200'], ['auth', 'doctor']]) {
    const { stdout, stderr } = await run([...args, '--data', rig.dataDir]);
    rig.said.push({ place: `CLI ${args.join(' ')}`, text: stdout + stderr });
  }
  await ask(rig, 'POST', '/api/connections/disconnect-all');
}

/** Everything on disk, or in the tables of the database. */
async function kept(rig: Rig): Promise<{ place: string; text: string }[]> {
  const own = new Set(['cli.json', 'helve.yaml']);
  const files = (await readdir(rig.dataDir)).filter((name) => !own.has(name));
  const found = await Promise.all(
    files.map(async (name) => ({ place: name, text: await readFile(join(rig.dataDir, name), 'latin1') })),
  );
  if (!rig.database.startsWith('postgres')) return found;
  const client = new pg.Client({ connectionString: rig.database });
  await client.connect();
  const { rows } = await client.query(`select tablename as name from pg_tables where schemaname = 'helve'`);
  for (const { name } of rows as { name: string }[]) {
    const table = await client.query(`select * from helve.${name}`);
    found.push({
      place: `table ${name}`,
      text: table.rows.map((row) => Object.values(row as object).join(' ')).join('\n'),
    });
  }
  await client.end();
  return found;
}

/** Command lines of Helve and of its child processes, and the environment of the child processes. */
async function processes(rig: Rig): Promise<{ place: string; text: string }[]> {
  const found: { place: string; text: string }[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
    const parent = /^PPid:\s+(\d+)/m.exec(await read('status'))?.[1];
    const own = Number(pid) === rig.child.pid;
    if (!own && Number(parent) !== rig.child.pid) continue;
    found.push({ place: `/proc/${pid}/cmdline`, text: await read('cmdline') });
    if (!own) found.push({ place: `/proc/${pid}/environ`, text: await read('environ') });
  }
  return found;
}

describe.each(['SQLite', 'PostgreSQL'])('canaries on %s', (store) => {
  let rig: Rig;
  const everywhere: { place: string; text: string }[] = [];

  beforeAll(async () => {
    rig = await openRig(store === 'SQLite' ? undefined : await postgres.storeUrl());
    await connectAll(rig);
    // On the second store only the tables matter, not the output.
    if (store === 'SQLite') await talk(rig, harmless, ways);
    else await talk(rig, ['ok', 'bad', 'huge', 'failing'], ['header', 'basic', 'mail', 'account', 'oauth']);
    everywhere.push(...(await processes(rig)));
    await signIn(rig);
    await logIn(rig);
    everywhere.push(...(await kept(rig)));
    await fallOut(rig);
    everywhere.push(...(await kept(rig)), ...(await processes(rig)), ...rig.said);
    everywhere.push({ place: 'standard output and error', text: rig.output() });
  }, 120_000);
  afterAll(() => rig.stop());

  test('R-vault: the service did hear them, every kind that is sent to it', () => {
    const wanted = [
      ...ways.slice(0, -1),
      'imported access',
      'client',
      'client of the workspace',
      'code',
      'verifier',
      'refresh token 1',
    ];
    const heard = [...rig.echo.arrived];
    expect(wanted.filter((name) => !heard.includes(name) && name !== 'refresh token 1')).toEqual([]);
    expect(heard.filter((name) => name.startsWith('access token')).length).toBeGreaterThan(0);
  });

  test('R-vault: none of them is anywhere, in any form', () => {
    const { length } = Object.keys(rig.secrets);
    expect(length).toBeGreaterThanOrEqual(22);
    for (const [name, value] of Object.entries(rig.secrets)) expect([name, value.length >= 20]).toEqual([name, true]);
    const hits = everywhere.flatMap(({ place, text }) => hitsIn(place, text, rig.secrets));
    expect(hits.slice(0, 20)).toEqual([]);
    expect(
      everywhere
        .map(({ text }) => text)
        .join()
        .includes('[credential removed]'),
    ).toBe(true);
  });

  test('R-vault: the search covered everything', () => {
    const places = everywhere.map(({ place }) => place);
    expect(places.filter((place) => place.startsWith('POST /api/tools/execute')).length).toBeGreaterThan(40);
    expect(places.filter((place) => place.startsWith('MCP')).length).toBeGreaterThan(20);
    expect(places.some((place) => place.endsWith('cmdline'))).toBe(true);
    const results = store === 'SQLite' ? 'helve.db' : 'table results';
    expect(everywhere.filter(({ place }) => place.startsWith(results)).some(({ text }) => text.length > 1_000)).toBe(
      true,
    );
    expect(everywhere.find(({ place }) => place.includes('output and error'))?.text).toContain('serving');
    const callback = everywhere.find(({ place }) => place === 'callback give');
    expect(callback?.text).toContain('is connected');
  });

  test('R-vault: the control: each of them in each form is seen where it is', () => {
    for (const [name, value] of Object.entries(rig.secrets)) {
      for (const { name: form, text } of formsOf(value)) {
        const hits = hitsIn('control', `x${text}y`, { [name]: value });
        expect(hits.map((hit) => hit.form)).toContain(form);
      }
    }
    expect(hitsIn('control', 'nothing of it', rig.secrets)).toEqual([]);
  });
});
