/** Signing in to GitHub: the account, tokens of an App, scopes, and the servers that get the credentials. */
import { createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { exchangeAppToken } from './app-token.js';
import { githubService } from './service.js';
import { connectedTo } from './testing/connected.js';

let server: Scripted;
let keys: { publicKey: KeyObject; privateKey: KeyObject };
beforeAll(async () => {
  keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  server = await startScripted();
});
afterAll(() => server?.close());

let helve: TestHelve;
beforeEach(async () => {
  server.seen.length = 0;
  helve = await createTestHelve({ ...connectedTo(server.url), connections: [] });
});
afterEach(() => helve.close());

async function connect(scheme: string, credentials: Record<string, string>) {
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'github', name: 'Work GitHub', scheme });
  const { connection } = await helve.plane.connect(helve.admin, id, { credentials });
  const tools = await helve.plane.tools(helve.admin);
  const ours = tools.filter(({ connectionId }) => connectionId === id).map(({ tool }) => tool.id.name);
  await helve.plane.replaceGrants(helve.admin, 'tester', [
    { toolkit: 'github', connectionId: id, tools: ours, config: {}, limits: {} },
  ]);
  return connection;
}
const call = (tool: string, input: object) => helve.call(`work-github__${tool}`, input);
const requests = () => server.seen.map(({ method, url }) => `${method} ${url}`);

/** Every account is octocat. `every-tool.test.ts` checks what each tool sends. */
const asOctocat: Scripted['answer'] = ({ url }, response) =>
  sendJson(response, 200, {
    login: 'octocat',
    id: 1,
    state: 'success',
    sha: 'a',
    total_count: 0,
    statuses: [],
    incomplete_results: false,
    items: [],
    url,
  });

describe('a token', () => {
  test('R-github: GitHub says whose token it is', async () => {
    server.answer = asOctocat;
    const connection = await connect('token', { token: 'ghp_secret0123456789' });
    expect(connection).toMatchObject({ status: 'active', account: { id: '1', name: 'octocat' } });
    expect(requests()).toEqual(['GET /user']);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer ghp_secret0123456789');
    expect(await call('get_authenticated_user', {})).toMatchObject({ ok: true, output: { login: 'octocat' } });
  });

  test('R-github: a token that GitHub refuses is not connected, and no message contains it', async () => {
    server.answer = ({ headers }, response) =>
      sendJson(response, 401, { message: `Bad credentials: ${headers.authorization}` });
    const failure = await connect('token', { token: 'ghp_secret0123456789' }).catch((error: unknown) => error);
    // GitHub's message is in the error and in the record, without the token.
    const record = JSON.stringify(await helve.audited());
    for (const said of [String(failure), record]) expect(said).toContain('Bad credentials: ');
    expect(JSON.stringify(failure) + String(failure) + record).not.toContain('ghp_secret0123456789');
  });

  test('R-github: a value that cannot be a token is not sent', async () => {
    await expect(connect('token', { token: 'ghp x\r\n' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(connect('token', {})).rejects.toMatchObject({ code: 'invalid_input' });
    expect(server.seen).toEqual([]);
  });

  test('R-github: a token that is refused later makes the connection unusable', async () => {
    server.answer = asOctocat;
    await connect('token', { token: 'ghp_secret0123456789' });
    server.answer = ({ headers }, response) =>
      sendJson(response, 401, { message: `Bad credentials: ${headers.authorization}` });
    const result = await call('get_authenticated_user', {});
    expect(result).toMatchObject({ error: { code: 'connection_inaccessible' } });
    const said = JSON.stringify([result, await helve.audited(), await helve.plane.connections(helve.admin)]);
    expect(said).toContain('Bad credentials: ');
    expect(said).not.toContain('ghp_secret0123456789');
  });
});

describe('an App', () => {
  /** Checks the App's JWT as GitHub's documentation says, and accepts the token that it issued. */
  function serveApp(lifetimeSeconds = 3_600) {
    let given = 0;
    server.answer = ({ url, headers }, response) => {
      if (url === '/app/installations/42/access_tokens') {
        const wrong = wrongAssertion(headers.authorization ?? '', keys.publicKey);
        if (wrong !== undefined) return sendJson(response, 401, { message: wrong });
        given += 1;
        const expires_at = new Date(Date.now() + lifetimeSeconds * 1_000).toISOString();
        return sendJson(response, 201, { token: `ghs_given${given}`, expires_at });
      }
      if (headers.authorization !== `Bearer ghs_given${given}`) return sendJson(response, 401, { message: 'Bad' });
      if (url === '/user') return sendJson(response, 403, { message: 'Resource not accessible by integration' });
      const owner = { login: 'octo-org', id: 5 };
      const repository = { id: 1, full_name: 'octo-org/x', html_url: 'https://x', description: null, owner };
      sendJson(response, 200, {
        total_count: 1,
        repositories: [{ ...repository, private: true, fork: false }],
      });
    };
  }
  const pem = (type: 'pkcs1' | 'pkcs8') => keys.privateKey.export({ type, format: 'pem' }).toString();
  const fields = (private_key: string) => ({ app_id: '7', installation_id: '42', private_key });

  test.each([
    ['as GitHub hands it out', () => pem('pkcs1')],
    ['as PKCS#8', () => pem('pkcs8')],
    ['with line breaks written out', () => pem('pkcs1').replaceAll('\n', '\\n')],
  ])('R-github: its key %s becomes a token for the installation', async (_how, key) => {
    serveApp();
    const connection = await connect('app', fields(key()));
    expect(connection).toMatchObject({ status: 'active', account: { id: '5', name: 'octo-org' } });
    expect(connection.settings).toEqual({ app_id: '7', installation_id: '42' });
    expect(requests()).toEqual([
      'POST /app/installations/42/access_tokens',
      'GET /user',
      'GET /installation/repositories?per_page=1',
    ]);
    expect(await call('list_repositories', {})).toMatchObject({
      ok: true,
      output: { repositories: [{ full_name: 'octo-org/x', private: true }] },
    });
    // The token is kept, and the list is that of the installation.
    expect(requests().slice(3)).toEqual(['GET /installation/repositories']);
  });

  test('R-github: a token is renewed when it has expired, and not before', async () => {
    serveApp();
    await connect('app', fields(pem('pkcs1')));
    helve.advance(50 * 60_000);
    expect(await call('list_repositories', {})).toMatchObject({ ok: true });
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    helve.advance(10 * 60_000);
    // The fake's clock did not move, so it would still accept the token.
    server.seen.length = 0;
    await call('list_repositories', {});
    expect(requests()[0]).toBe('POST /app/installations/42/access_tokens');
  });

  test.each([
    ['no key at all', 'hello'],
    ['a public key', ''],
    ['a key of another kind', 'ec'],
  ])('R-github: %s is refused before anything is sent', async (_what, kind) => {
    serveApp();
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const publicPem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const key = kind === 'ec' ? ec.toString() : kind === '' ? publicPem : kind;
    await expect(connect('app', fields(key))).rejects.toThrow(/does not take the credentials/);
    expect(server.seen).toEqual([]);
    const nobody = {
      request: () => Promise.reject(new Error('asked')),
      json: () => Promise.reject(new Error('asked')),
    };
    const context = { fields: fields(key), scopes: [], service: nobody, tokenEndpoint: undefined, now: new Date() };
    const failure = await exchangeAppToken(context).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_input', details: { field: 'private_key' } });
    expect(JSON.stringify(failure)).not.toContain(key.slice(0, 60));
  });

  test('R-github: a key that is not the App’s is not connected', async () => {
    serveApp();
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const key = other.export({ type: 'pkcs1', format: 'pem' }).toString();
    await expect(connect('app', fields(key))).rejects.toThrow(/does not take the credentials/);
    expect(requests()).toContain('POST /app/installations/42/access_tokens');
    expect(requests()).not.toContain('GET /user');
  });

  test('R-github: an installation without a repository is refused with the reason', async () => {
    serveApp();
    const { answer } = server;
    server.answer = (seen, response) =>
      seen.url.startsWith('/installation/')
        ? sendJson(response, 200, { total_count: 0, repositories: [] })
        : answer(seen, response);
    await expect(connect('app', fields(pem('pkcs1')))).rejects.toThrow(/no access to any repository/);
  });
});

describe('OAuth', () => {
  const scoped = (scope: string) => connect('oauth2', { access_token: 'gho_secret0123456789', scope });

  test('R-github: repo includes the narrower scopes', async () => {
    server.answer = asOctocat;
    expect(await scoped('repo')).toMatchObject({ status: 'active', account: { name: 'octocat' } });
    const status = { owner: 'octocat', repo: 'hello-world', ref: 'main' };
    expect(await call('get_combined_status', status)).toMatchObject({ ok: true });
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer gho_secret0123456789');
  });

  test('R-github: without the scope the tool is not called', async () => {
    server.answer = asOctocat;
    await scoped('read:user');
    const before = server.seen.length;
    const issue = { owner: 'octocat', repo: 'hello-world', title: 'x' };
    expect(await call('create_issue', issue)).toMatchObject({ ok: false });
    expect(server.seen).toHaveLength(before);
    // A tool that needs no scope is called.
    expect(await call('search_users', { query: 'tom' })).toMatchObject({ ok: true });
  });
});

describe('servers', () => {
  test('R-github: requests go to GitHub unless the operator names another server', () => {
    expect(githubService.servers({}, {})).toEqual({ default: { url: 'https://api.github.com' } });
    expect(githubService.servers({}, { base_url: 'https://evil.example' })).toEqual({
      default: { url: 'https://api.github.com' },
    });
    expect(githubService.servers({ base_url: 'https://ghe.example/api/v3' }, {})).toEqual({
      default: { url: 'https://ghe.example/api/v3', named: true },
    });
  });

  test.each([
    'ftp://x',
    'ghe.example',
    'https://x/?a=b',
    'https://x/#a',
    'https://a b',
  ])('R-github: the base URL %j is refused when Helve starts', async (url) => {
    const config = JSON.stringify({ toolkits: { github: { base_url: url } } });
    await expect(createTestHelve({ ...connectedTo(server.url), connections: [], config })).rejects.toMatchObject({
      code: 'invalid_config',
    });
  });

  test('R-github: the server may have a path, as that of GitHub Enterprise', async () => {
    await helve.close();
    helve = await createTestHelve({ ...connectedTo(`${server.url}/api/v3`), connections: [] });
    server.answer = (_, response) => sendJson(response, 200, { login: 'octocat', id: 1 });
    await connect('token', { token: 'ghp_secret0123456789' });
    expect(requests()).toEqual(['GET /api/v3/user']);
  });
});

/** What is wrong with an App's JWT according to GitHub's documentation; undefined if nothing is. */
function wrongAssertion(authorization: string, key: KeyObject): string | undefined {
  const [, token = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  if (read(head).alg !== 'RS256') return 'alg must be RS256';
  if (!createVerify('RSA-SHA256').update(`${head}.${body}`).verify(key, signature, 'base64url'))
    return 'the signature is wrong';
  const { iss, iat, exp } = read(body);
  // Both times are by the clock of the plane under test, which the tests move by up to an hour.
  const now = Date.now() / 1_000;
  if (iss !== '7') return 'iss must be the App';
  if (iat > now + 3_700 || exp - iat > 660) return 'iat or exp is out of bounds';
  return exp < now ? 'exp has passed' : undefined;
}
