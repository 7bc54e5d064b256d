/**
 * From a new installation to two mail accounts and GitHub, with the command line, a browser, and a real MCP client.
 * Google is `@emulators/google`; GitHub is prism with GitHub's own API description.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPrism } from '../../src/toolkits/github/testing/prism.js';
import { type GoogleEmulator, startGoogleEmulator } from '../../src/toolkits/google/testing/emulator.js';
import { overHttp, textOf } from '../e2e/support/mcp.js';
import {
  killChildren,
  removeTemporaryFolders,
  run,
  type Server,
  serve,
  temporaryFolder,
} from '../e2e/support/server.js';
import { createBrowser } from './support/browser.js';

const people = { work: 'ada@work.example', personal: 'ada@home.example' };
let google: GoogleEmulator;
let github: Awaited<ReturnType<typeof startPrism>>;
let server: Server;
let dataDir: string;

beforeAll(async () => {
  google = await startGoogleEmulator({ users: Object.values(people).map((email) => ({ email, name: email })) });
  github = await startPrism();
  dataDir = await temporaryFolder('from-nothing');
  await writeFile(
    join(dataDir, 'helve.yaml'),
    [
      'toolkits:',
      `  google_gmail: { base_url: "${google.baseUrl}" }`,
      `  github: { base_url: "${github.url}" }`,
      'oauth:',
      '  google:',
      '    client_id: the-client',
      '    client_secret: the-client-secret-0123456789',
      `    authorization_endpoint: ${google.baseUrl}/o/oauth2/v2/auth`,
      `    token_endpoint: ${google.baseUrl}/oauth2/token`,
      `    revocation_endpoint: ${google.baseUrl}/oauth2/revoke`,
      '',
    ].join('\n'),
  );
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  await Promise.all([google.close(), github.close()]);
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run([...args, '--data', dataDir]);
async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await helve(...args);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** As a person would: opens the link, chooses an account, and is sent back. */
async function signIn(link: string, email: string): Promise<string> {
  const browser = createBrowser();
  const { url, response } = await browser.go(link);
  expect(url.startsWith(`${google.baseUrl}/o/oauth2/v2/auth?`)).toBe(true);
  const form = ((await response?.text()) ?? '').split('<form').find((part) => part.includes(`value="${email}"`)) ?? '';
  const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    decode(value),
  ]);
  const end = await browser.submit(`${google.baseUrl}/o/oauth2/v2/auth/callback`, Object.fromEntries(fields));
  expect(end.url.startsWith(`${server.url}/oauth/callback?`)).toBe(true);
  return (await end.response?.text()) ?? '';
}

describe('two mail accounts and GitHub', () => {
  test('R-cli R-oauth: helve connect gives a link, the browser comes back, and the connection is there', async () => {
    for (const [name, email] of [
      ['Work Gmail', people.work],
      ['Personal Gmail', people.personal],
    ] as const) {
      const link = (await said('connect', 'google_gmail', '--name', name, '--no-wait')).trim();
      expect(await signIn(link, email)).toContain(`${name} is connected as <strong>${email}</strong>`);
    }
    await writeFile(join(dataDir, 'token'), 'ghp_0123456789abcdefghijABCDEFGHIJ012345\n');
    const connected = await said(
      'connect',
      'github',
      '--scheme',
      'token',
      '--secret-file',
      `token=${join(dataDir, 'token')}`,
    );
    expect(connected).toMatch(/^Connected github as /);
    const table = await said('connections');
    expect(table).toMatch(/work-gmail\s+Work Gmail\s+google_gmail\s+ada@work\.example\s+active/);
    expect(table).toMatch(/personal-gmail\s+Personal Gmail\s+google_gmail\s+ada@home\.example\s+active/);
    expect(table).toMatch(/github\s+GitHub\s+github\s+\S+\s+active/);
    for (const slug of ['work-gmail', 'github'])
      expect(await said('connections', 'check', slug)).toBe(`${slug} works.\n`);
    expect((await helve('connections', 'check', 'nothing')).code).toBe(5);
  });

  test('R-grants R-instances: an MCP client lists each account’s tools by its name, and each sends from its own', async () => {
    const send = ['work-gmail__send_gmail_message', 'personal-gmail__send_gmail_message'];
    await said('grant', 'first', ...send, 'github__create_issue');
    const client = await overHttp(server.mcpUrl, server.token ?? '');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...send, 'github__create_issue']));
    expect(tools.map(({ name }) => name)).not.toContain('work-gmail__list_drafts');
    for (const name of send) {
      const input = { to: ['bob@example.com'], subject: `From ${name}`, body: 'Hello' };
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError, textOf(result)).not.toBe(true);
    }
    const mails = google.store.messages.all();
    const senderOf = (subject: string) => mails.find((mail) => mail.subject === subject)?.user_email;
    expect(send.map((name) => senderOf(`From ${name}`))).toEqual([people.work, people.personal]);
    const issue = { owner: 'octocat', repo: 'hello-world', title: 'Found a bug' };
    const made = await client.callTool({ name: 'github__create_issue', arguments: issue });
    expect(made.isError, textOf(made)).not.toBe(true);
    const refused = await client.callTool({ name: 'work-gmail__list_drafts', arguments: {} });
    expect(refused.isError).toBe(true);
    await client.close();
  });

  test('R-visibility: a disconnected account’s tools disappear, and the other’s do not', async () => {
    expect(await said('disconnect', 'work-gmail')).toBe('Ended work-gmail here and at the service.\n');
    const client = await overHttp(server.mcpUrl, server.token ?? '');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('work-gmail__send_gmail_message');
    expect(names).toContain('personal-gmail__send_gmail_message');
    const result = await client.callTool({
      name: 'work-gmail__send_gmail_message',
      arguments: { to: ['b@example.com'], subject: 's', body: 't' },
    });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('Connection not accessible')]);
    await client.close();
  });

  test('R-oauth-kit: auth doctor says which clients to create where, with which redirect and scopes, and checks them', async () => {
    const good = await said('auth', 'doctor', 'google');
    expect(good).toContain('google  (for google_gmail, google_workspace)');
    expect(good).toContain('client:       in helve.yaml');
    expect(good).toContain(`redirect URI: ${server.url}/oauth/callback`);
    expect(good).toContain('https://www.googleapis.com/auth/gmail.send');
    expect(good).not.toContain('PROBLEM');
    const missing = await helve('auth', 'doctor', 'github');
    expect([missing.code, missing.stdout]).toEqual([
      1,
      expect.stringContaining('https://github.com/settings/developers'),
    ]);
    expect(missing.stdout).toContain('PROBLEM:      There is no OAuth client for GitHub');
  });

  test('R-vault: no token, secret or key is in the output', async () => {
    const printed = [server.output(), await said('audit'), await said('connections', '--json')].join('\n');
    for (const secret of ['ghp_0123456789', 'the-client-secret', 'google_refresh_', 'ya29'])
      expect(printed).not.toContain(secret);
  });
});
