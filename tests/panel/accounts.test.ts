/** Connecting accounts: with a provider that cuts the opener off, with a wrong key, twice, again, and ending one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, defineToolkit } from '../../src/domain/tool.js';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { type GoogleEmulator, startGoogleEmulator } from '../../src/toolkits/google/testing/emulator.js';
import { type Ground, startGround, type Visit } from './ground.js';

/** How long a sign-in may take, in milliseconds. */
const signInMs = 10 * 60_000;
const people = { work: 'ada@work.example', home: 'ada@home.example' };
let google: GoogleEmulator;
let ground: Ground;
beforeAll(async () => {
  google = await startGoogleEmulator({ users: Object.values(people).map((email) => ({ email, name: email })) });
});
afterAll(() => google.close());
afterEach(() => ground.close());

const start = async () => {
  const config = [
    'toolkits:',
    `  google_gmail: { base_url: "${google.baseUrl}" }`,
    'oauth:',
    '  google:',
    '    client_id: the-client',
    '    client_secret: the-client-secret-0123456789',
    `    authorization_endpoint: ${google.baseUrl}/o/oauth2/v2/auth`,
    `    token_endpoint: ${google.baseUrl}/oauth2/token`,
    `    revocation_endpoint: ${google.baseUrl}/oauth2/revoke`,
    '',
  ].join('\n');
  ground = await startGround({ config, granted: [] });
  return ground.visit('admin');
};

/** Begins a sign-in, and opens the provider's page in another tab, which cannot reach the panel's. */
async function beginSignIn(visit: Visit, name: string) {
  await visit.open('connections/connect/google_gmail');
  await visit.type(/^Name/, name);
  await visit.use('Connect');
  const link = visit.page.getByRole('link', { name: 'Open the sign-in of the service' });
  await link.waitFor();
  expect(await link.getAttribute('rel')).toContain('noopener');
  const [tab] = await Promise.all([visit.context.waitForEvent('page'), link.press('Enter')]);
  // The provider's own pages are not ours: what they load is not the panel's doing.
  visit.tolerate(new RegExp(`request to ${new URL(google.baseUrl).origin}`));
  // Helve says first who asks for what, because the link may also be given to somebody else.
  await tab.getByRole('button', { name: /^Go on to/ }).press('Enter');
  await tab.waitForURL(`${google.baseUrl}/**`);
  expect(await tab.evaluate(() => opener)).toBeNull();
  return tab;
}

async function signIn(visit: Visit, name: string, email: string): Promise<void> {
  const tab = await beginSignIn(visit, name);
  await tab.getByText(email).first().click();
  await tab.waitForURL(`${ground.url}/**`);
  await tab.close();
  // The panel's own tab notices by itself.
  await visit.page.getByText('active', { exact: true }).waitFor();
}

describe('OAuth', () => {
  test('R-panel R-oauth: two Gmail accounts, each signed in at the provider in another tab, and one renamed', async () => {
    const visit = await start();
    await signIn(visit, 'Work mail', people.work);
    await signIn(visit, 'Home mail', people.home);
    await visit.open('connections');
    await visit.page.getByRole('link', { name: /Work mail.*ada@work\.example/s }).waitFor();
    await visit.page.getByRole('link', { name: /Home mail.*ada@home\.example/s }).press('Enter');
    await visit.page.getByText('The prefix of its tools, now home-mail, follows the name').waitFor();
    await visit.type('Name', 'Private mail');
    await visit.use('Save');
    await visit.page.getByRole('heading', { name: 'Private mail' }).waitFor();
    // The prefix of the tools follows the name, as the page said before.
    await visit.page.getByText('private-mail', { exact: true }).waitFor();
    await visit.end();
  });

  test('R-panel R-oauth: a sign-in that is abandoned or finished in another browser connects nothing', async () => {
    const visit = await start();
    const tab = await beginSignIn(visit, 'Mail');
    await tab.close();
    const address = await visit.page.getByLabel('Link for whoever owns the account').innerText();
    const other = await ground.visitSignedOut();
    other.tolerate(/./);
    await other.page.goto(address);
    await other.page.getByRole('button', { name: /^Go on to/ }).press('Enter');
    await other.page.getByText('This link was opened in another browser').waitFor();
    const [connection] = await ground.helve.plane.connections(ground.helve.admin);
    expect(connection?.status).not.toBe('active');
    await visit.page.getByText('pending', { exact: true }).waitFor();
    // The control: begun again, and finished in the same browser, it is connected.
    await signIn(visit, 'Mail again', people.work);
    await other.context.close();
    await visit.end();
  });

  test('R-panel R-oauth: a sign-in that is finished too late connects nothing, and says so', async () => {
    const visit = await start();
    const tab = await beginSignIn(visit, 'Mail');
    ground.helve.advance(signInMs + 1_000);
    visit.tolerate(/Failed to load resource/);
    await tab.getByText(people.work).first().click();
    await tab.getByText('took more than ten minutes').waitFor();
    await tab.close();
    const [connection] = await ground.helve.plane.connections(ground.helve.admin);
    expect(connection?.status).not.toBe('active');
    // The control: a little before the end it is in time.
    const second = await beginSignIn(visit, 'Mail again');
    ground.helve.advance(signInMs - 60_000);
    await second.getByText(people.work).first().click();
    await second.waitForURL(`${ground.url}/**`);
    await second.close();
    await visit.page.getByText('active', { exact: true }).waitFor();
    await visit.end();
  });

  test('R-panel R-oauth: a sign-in that the person denies says so', async () => {
    const visit = await start();
    const tab = await beginSignIn(visit, 'Mail');
    const asked = new URL(tab.url()).searchParams;
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '' }).toString();
    visit.tolerate(/Failed to load resource/);
    await tab.goto(back.href);
    await tab.close();
    await visit.page
      .getByText('error', { exact: true })
      .or(visit.page.getByText('added', { exact: true }))
      .waitFor();
    await visit.page
      .getByText(/denied/)
      .first()
      .waitFor();
    await visit.end();
  });
});

describe('keys', () => {
  /** A service that knows one key, until it is changed. */
  async function startKeyedService() {
    const service = {
      key: 'right-key-0123456789',
      url: '',
      close: () => new Promise<void>((resolve) => server.close(() => resolve())),
    };
    const server = createServer(({ headers }, response) => {
      const isRight = headers.authorization === `Bearer ${service.key}`;
      response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
      response.end(isRight ? '{"id":"ana"}' : '{"error":"no such key"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return service;
  }
  const settingsSchema = z.strictObject({ base_url: z.string() });
  const keyed = defineToolkit({
    slug: 'keyed',
    title: 'Keyed',
    description: 'For tests',
    category: 'tests',
    auth: {
      schemes: [
        {
          id: 'api_key',
          kind: 'api_key',
          title: 'Key',
          fields: [{ name: 'key', title: 'Key', secret: true }],
          placement: [{ in: 'header', name: 'authorization', value: 'Bearer {key}' }],
        },
      ],
      identify: (service) => service.json<{ id: string }>({ path: '/me' }),
    },
    service: { servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }) },
    load: async () => [
      defineTool({
        name: 'who_am_i',
        title: 'Who am I',
        description: 'Whose account this is',
        capabilities: ['get account'],
        inputSchema: z.strictObject({}),
        settingsSchema,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
        execute: async (_, { service }) => service.json({ path: '/me' }),
      }),
    ],
  });

  test('R-panel R-instances: a wrong key is refused in place, and the right one connects; a key that ends is replaced', async () => {
    const service = await startKeyedService();
    const config = `toolkits:\n  keyed: { base_url: "${service.url}" }`;
    ground = await startGround({ nativeToolkits: [], toolkits: [keyed], config });
    const { helve } = ground;
    const visit = await ground.visit('admin');
    visit.tolerate(/Failed to load resource/);
    const { page } = visit;
    await visit.open('connections/connect/keyed');
    await visit.type(/^Name/, 'Keys');
    await visit.choose('Who sees it', 'everyone');
    await visit.type('Key (required)', 'wrong-key-0123456789');
    await visit.use('Connect');
    await page
      .getByRole('alert')
      .or(page.getByText('error', { exact: true }))
      .first()
      .waitFor();
    expect((await helve.plane.connections(helve.admin)).filter(({ status }) => status === 'active')).toEqual([]);
    expect(await page.content()).not.toContain('wrong-key-0123456789');
    await visit.open('connections/connect/keyed');
    await visit.type(/^Name/, 'Keys that work');
    await visit.choose('Who sees it', 'everyone');
    await visit.type('Key (required)', service.key);
    await visit.use('Connect');
    await page.getByText('active', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(service.key);
    const connection = (await helve.plane.connections(helve.admin)).find(({ status }) => status === 'active');
    const grants = [
      { toolkit: 'keyed', connectionId: connection?.id ?? '', tools: ['who_am_i'], limits: {}, config: {} },
    ];
    await helve.plane.replaceGrants(helve.admin, 'tester', grants);
    const tool = `${connection?.slug}__who_am_i`;
    expect(await helve.call(tool, {})).toMatchObject({ ok: true });
    await visit.open(`connections/${connection?.id}`);
    await visit.use('Check now');
    await page.getByText(/^It works\./).waitFor();
    // The service gives the person another key: the account expires, and the overview says that it needs them.
    service.key = 'second-key-0123456789';
    await visit.use('Check now');
    await page.getByText('The service refuses it.').waitFor();
    expect(await helve.call(tool, {})).toMatchObject({ ok: false });
    await visit.open('');
    await page.getByText('Accounts that need you').waitFor();
    await visit.use('Keys that work');
    await visit.use('Sign in again');
    await visit.type('Key (required)', service.key);
    await visit.use('Connect');
    await page.getByText('active', { exact: true }).waitFor();
    expect(await helve.call(tool, {})).toMatchObject({ ok: true });
    await visit.end();
    await service.close();
  });

  test('R-panel: an answer from before a sign-in that arrives after it is not shown', async () => {
    const service = await startKeyedService();
    const config = `toolkits:\n  keyed: { base_url: "${service.url}" }`;
    const connections = [{ toolkit: 'keyed', name: 'Keys', credentials: { key: 'ended-key-0123456789' } }];
    ground = await startGround({ nativeToolkits: [], toolkits: [keyed], config, connections });
    const visit = await ground.visit('admin');
    const { page } = visit;
    // With a stream that tells nothing, only the sign-in itself makes the page ask again.
    await page.addInitScript(() => {
      window.EventSource = class extends EventTarget {
        close(): void {}
      } as unknown as typeof EventSource;
    });
    const [connection] = await ground.helve.plane.connections(ground.helve.admin);
    await visit.open(`connections/${connection?.id}`);
    await visit.use('Check now');
    await page.getByText('The service refuses it.').waitFor();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      const hold = async (route: Route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      };
      void page.route(/\/api\/connections\/[^/]+$/, hold, { times: 1 });
    });
    await visit.use('Check now');
    await answered;
    await visit.use('Sign in again');
    await visit.type('Key (required)', service.key);
    await visit.use('Connect');
    await page.locator('main [role=status]').waitFor();
    release();
    await page.getByText('active', { exact: true }).waitFor();
    await visit.end();
    await service.close();
  });

  test('R-panel R-instances: ending an account shows who loses it, and they lose it', async () => {
    ground = await startGround({
      nativeToolkits: [],
      toolkits: [vault],
      connections: [{ toolkit: 'vault', name: 'Safe', credentials: { token: 'canary' }, visibility: 'workspace' }],
    });
    const { helve } = ground;
    const visit = await ground.visit('admin');
    const { page } = visit;
    expect(await helve.call('safe__open_vault', {})).toMatchObject({ ok: true });
    await visit.open('connections');
    await page.getByRole('link', { name: /Safe/ }).press('Enter');
    await visit.use('End');
    const dialog = page.getByRole('dialog', { name: 'End Safe?' });
    await dialog.getByRole('link', { name: 'tester' }).waitFor();
    // Nothing has happened yet, and Escape leaves it so.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await helve.call('safe__open_vault', {})).toMatchObject({ ok: true });
    await visit.use('End');
    await visit.use('End');
    await page.getByText('ended', { exact: true }).waitFor();
    expect(await helve.call('safe__open_vault', {})).toMatchObject({ ok: false });
    // Signing in again brings it back, under the same name.
    await visit.use('Sign in again');
    await visit.type(/^Token/, 'canary');
    await visit.use('Connect');
    await page.getByText('active', { exact: true }).waitFor();
    expect(await helve.call('safe__open_vault', {})).toMatchObject({ ok: true });
    await visit.end();
  });
});
