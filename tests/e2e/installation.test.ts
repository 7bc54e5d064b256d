/** The life of an installation, with the shipped program: first start, later starts, stopping, and failures. */
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, test } from 'vitest';
import { overHttp } from './support/mcp.js';
import { ask } from './support/requests.js';
import { killChildren, program, removeTemporaryFolders, run, serve, temporaryFolder } from './support/server.js';

afterEach(async () => {
  killChildren();
  await removeTemporaryFolders();
});

const calculate = { tool: 'calculate', input: { expression: '6*7' } };

/** The button on the page of a one-time link. */
async function redeem(link: string): Promise<{ status: number; cookie: string }> {
  const { origin, searchParams } = new URL(link);
  const response = await fetch(`${origin}/admin/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }).toString(),
  });
  return { status: response.status, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

const adminStatus = async (url: string, cookie: string) =>
  (await fetch(`${url}/api/agents`, { headers: { cookie } })).status;

describe('the first start', () => {
  test('R-cli: prints the address, a one-time admin link, the MCP address, a token and ready snippets', async () => {
    const dataDir = await temporaryFolder('first');
    const { url, mcpUrl, token, adminLink, output } = await serve(dataDir);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(mcpUrl).toBe(`${url}/mcp/first`);
    expect(token).toMatch(/^helve_agent_[\w-]{43}$/);
    expect(adminLink).toMatch(new RegExp(`^${url}/admin/login\\?token=helve_link_[\\w-]{43}$`));
    const printed = output();
    const json = (client: string) => JSON.parse(new RegExp(`${client}.*\\n\\s+(\\{.*\\})`).exec(printed)?.[1] ?? '{}');
    const http = { url: mcpUrl, headers: { Authorization: `Bearer ${token}` } };
    expect(printed).toContain(
      `claude mcp add --transport http helve ${mcpUrl} --header "Authorization: Bearer ${token}"`,
    );
    expect(json('Cursor')).toEqual({ mcpServers: { helve: http } });
    expect(json('VS Code')).toEqual({ servers: { helve: { type: 'http', ...http } } });
    expect(json('Claude Desktop')).toEqual({
      mcpServers: {
        helve: { command: 'node', args: [program, 'serve', '--stdio', '--agent', 'first', '--data', dataDir] },
      },
    });
    const client = await overHttp(mcpUrl, token ?? '');
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('calculate');
    await client.close();
  });

  test('R-cli: the admin link signs in once, and never again', async () => {
    const { url, adminLink } = await serve(await temporaryFolder('link'));
    const first = await redeem(adminLink);
    expect(first.status).toBe(303);
    expect(await adminStatus(url, first.cookie)).toBe(200);
    const again = await redeem(adminLink);
    expect(again).toMatchObject({ status: 401, cookie: '' });
  });
});

describe('a second start', () => {
  test('R-cli: a later start is the same installation: nothing new, no token shown, the old one works, a new link', async () => {
    const dataDir = await temporaryFolder('second');
    const first = await serve(dataDir);
    const token = first.token ?? '';
    expect((await ask(first.url, 'POST /api/tools/execute', token, calculate)).status).toBe(200);
    await first.stop();

    const second = await serve(dataDir);
    expect(second.token).toBeUndefined();
    expect(second.output()).not.toMatch(/helve_agent_/);
    expect(second.output()).toContain('as shown at the first start; for another: helve agents token first');
    expect((await ask(second.url, 'POST /api/tools/execute', token, calculate)).body.output.result).toBe(42);
    expect(second.adminLink).not.toBe(first.adminLink);
    const { status, cookie } = await redeem(second.adminLink);
    expect(status).toBe(303);
    const get = async (path: string) => (await fetch(second.url + path, { headers: { cookie } })).json();
    const { agents } = (await get('/api/agents')) as { agents: { slug: string }[] };
    expect(agents.map(({ slug }) => slug)).toEqual(['first']);
    // One key for the command line however often it starts; the first token; no more.
    const { credentials } = (await get('/api/credentials')) as { credentials: { kind: string }[] };
    expect(credentials.filter(({ kind }) => kind === 'api_key')).toHaveLength(1);
    expect(credentials.filter(({ kind }) => kind === 'agent_token')).toHaveLength(1);
    const report = await get('/api/audit/verify');
    expect(report).toMatchObject({ ok: true });
    const created = (await get('/api/audit?types=workspace.created,agent.created')) as { events: unknown[] };
    expect(created.events).toHaveLength(2);
  });
});

describe('stopping', () => {
  test.each([
    'SIGTERM',
    'SIGINT',
  ] as const)('R-cli: %s stops cleanly and immediately, and leaves no open instance', async (signal) => {
    const dataDir = await temporaryFolder('stop');
    const server = await serve(dataDir);
    // A kept-alive connection and an open MCP session must not delay it.
    const client = await overHttp(server.mcpUrl, server.token ?? '');
    await client.callTool({ name: 'calculate', arguments: calculate.input });
    const count = () => {
      const database = new Database(join(dataDir, 'helve.db'), { readonly: true });
      const { n } = database.prepare('select count(*) as n from instances').get() as { n: number };
      database.close();
      return n;
    };
    expect(count()).toBe(1);
    const { code, milliseconds, stderr, stdout } = await server.stop(signal);
    await client.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(milliseconds).toBeLessThan(2_000);
    expect(stdout).toContain('Stopped.');
    expect(count()).toBe(0);
  });
});

describe('what goes wrong at the start', () => {
  test('R-cli: a port in use is said plainly, with exit code 1, and leaves no instance behind', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as { port: number };
    const dataDir = await temporaryFolder('port');
    const { code, stdout, stderr } = await run(['serve', '--port', String(port), '--data', dataDir]);
    await new Promise((resolve) => holder.close(resolve));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error: Port ${port} on 127.0.0.1 is in use by another program`);
    expect(stderr).toContain('hint:  Choose another port: HELVE_PORT=');
    expect(stderr).not.toMatch(/\n\s+at /);
    // The next start must still show the token of the first agent, because this one did not.
    expect((await serve(dataDir)).token).toMatch(/^helve_agent_/);
  });

  test('R-cli: a trusted proxy that is no address is said plainly, and ends the process before anything is created', async () => {
    const dataDir = await temporaryFolder('proxies');
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--data', dataDir], {
      HELVE_TRUSTED_PROXIES: 'proxy.example',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: The trusted proxy "proxy.example" is neither an address nor a network/);
    expect((await serve(dataDir)).token).toMatch(/^helve_agent_/);
  });

  test('R-cli: a start that fails at its end ends the process, and the next one can take over', async () => {
    const dataDir = await temporaryFolder('late-failure');
    // The file with the key of the command line cannot be written.
    await mkdir(join(dataDir, 'cli.json'));
    const { code, stderr } = await run(['serve', '--port', '0', '--data', dataDir]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: .*cli\.json.*it is a folder/);
    await rmdir(join(dataDir, 'cli.json'));
    expect((await serve(dataDir)).url).toMatch(/^http/);
  });

  test('R-cli: a data folder that cannot be written is said plainly, with exit code 1', async () => {
    const file = join(await temporaryFolder('unwritable'), 'file');
    await writeFile(file, '');
    const dataDir = join(file, 'data');
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--data', dataDir]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error: The store ${join(dataDir, 'helve.db')} cannot be opened for writing`);
    expect(stderr).toContain('part of its path is a file');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['an invalid port', ['--port', 'http'], 2, /It must be a whole number from 0 to 65535/],
    [
      'an agent that does not exist',
      ['--stdio', '--agent', 'nobody'],
      5,
      /No agent is named nobody[\s\S]*Agents: first/,
    ],
  ])('R-cli: %s is refused by name', async (_what, args, exit, said) => {
    const dataDir = await temporaryFolder('refused');
    const { code, stderr } = await run(['serve', '--port', '0', '--data', dataDir, ...args]);
    expect(code).toBe(exit);
    expect(stderr).toMatch(said);
  });

  test('R-tool-config: a mistake in helve.yaml stops the start, naming file, line and key', async () => {
    const dataDir = await temporaryFolder('config');
    const file = join(dataDir, 'helve.yaml');
    await writeFile(file, 'agents:\n  - name: scout\n    tools: [calculate]\n    tols: []\n');
    const { code, stderr } = await run(['serve', '--port', '0', '--data', dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file}:4: agents.0.tols: no such key`);
  });

  test('R-tool-config: a file that --config names and that is not there stops the start', async () => {
    const dataDir = await temporaryFolder('config');
    const file = join(dataDir, 'other.yaml');
    const { code, stderr } = await run(['serve', '--port', '0', '--data', dataDir, '--config', file]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: There is no .*other\.yaml/),
    });
  });

  test('R-cli: a bad setting in the environment is refused by name, without its value where that is a secret', async () => {
    const port = await run(['serve'], { HELVE_PORT: 'many' });
    expect(port).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: HELVE_PORT is "many"/) });
    const database = await run(['serve'], { HELVE_DATABASE_URL: 'mysql://u:hunter2@x/y' });
    expect(database).toMatchObject({ code: 1, stderr: expect.stringContaining('HELVE_DATABASE_URL') });
    expect(database.stderr).not.toContain('hunter2');
  });
});

describe('two processes on one data folder', () => {
  test('R-cli: a second serve reports that the folder is served, and the first server stays reachable', async () => {
    const dataDir = await temporaryFolder('served');
    const one = await serve(dataDir);
    const access = join(dataDir, 'cli.json');
    const [before, written] = [await readFile(access, 'utf8'), (await stat(access)).mtimeMs];
    const second = await run(['serve', '--port', '0', '--data', dataDir]);
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`error: The data folder ${dataDir} is already being served by process ${one.pid}`);
    expect(second.stderr).toContain(`at ${one.url}`);
    expect([await readFile(access, 'utf8'), (await stat(access)).mtimeMs]).toEqual([before, written]);
    expect((await run(['call', 'calculate', '{"expression":"6*7"}', '--data', dataDir])).code).toBe(0);

    // A second server that is to serve beside it prints that, and its end leaves the first unaffected.
    const beside = await serve(dataDir, ['--beside']);
    await beside.stop();
    expect(await readFile(access, 'utf8')).toBe(before);
    expect((await run(['call', 'calculate', '{"expression":"6*7"}', '--data', dataDir])).code).toBe(0);

    // A killed server leaves its claim behind, which must not block another.
    await one.stop('SIGKILL');
    const next = await serve(dataDir);
    expect((await stat(access)).mode & 0o777).toBe(0o600);
    expect((await next.stop()).code).toBe(0);
    expect(await readdir(dataDir)).not.toContain('served-by.json');
  });

  test('R-grants: both serve, and each sees the other’s change of grants, in lists and calls', async () => {
    const dataDir = await temporaryFolder('two');
    const one = await serve(dataDir);
    const token = one.token ?? '';
    const two = await serve(dataDir, ['--beside']);
    expect(two.token).toBeUndefined();
    const call = async (url: string) => (await ask(url, 'POST /api/tools/execute', token, calculate)).status;
    const sees = async (url: string) =>
      (await ask(url, 'GET /api/tools/workspace', token)).body.tools.some(
        (tool: { name: string }) => tool.name === 'calculate',
      );
    for (const { url } of [one, two]) expect([await call(url), await sees(url)]).toEqual([200, true]);

    // Whichever process makes the change, the other must learn of it from the store.
    const command = (name: string) =>
      run([name, 'first', 'calculate', '--data', dataDir, '--url', two.url, '--token', key]);
    const key = (
      await ask(two.url, 'POST /api/keys', await cliKey(dataDir), { permissions: ['grants:read', 'grants:write'] })
    ).body.secret as string;
    expect((await command('ungrant')).code).toBe(0);
    for (const { url } of [one, two]) expect([await call(url), await sees(url)]).toEqual([403, false]);
    expect((await command('grant')).code).toBe(0);
    for (const { url } of [one, two]) expect([await call(url), await sees(url)]).toEqual([200, true]);
    const report = await ask(one.url, 'GET /api/audit/verify', await cliKey(dataDir));
    expect(report.body.ok).toBe(true);
    // One stops; the other continues.
    expect((await one.stop()).code).toBe(0);
    expect(await call(two.url)).toBe(200);
  });
});

async function cliKey(dataDir: string): Promise<string> {
  return JSON.parse(await readFile(join(dataDir, 'cli.json'), 'utf8')).key as string;
}
