/** Signing in and out, what each role sees, and what pages of others cannot do. By keyboard, in Chromium. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { testTool } from '../../src/testing/index.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround({
    nativeToolkits: [],
    tools: [testTool({ name: 'echo' }), testTool({ name: 'pay', highRisk: true })],
    toolkits: [vault],
    connections: [{ toolkit: 'vault', name: 'Shared safe', credentials: { token: 'canary' }, visibility: 'workspace' }],
  });
  await ground.helve.call('echo', { greeting: 'hello' });
});
afterAll(() => ground.close());

/** The secret of the session is only in the cookie; everything else that a browser keeps or shows is looked through. */
async function expectNoSecret(visit: Awaited<ReturnType<Ground['visit']>>): Promise<void> {
  const cookies = await visit.context.cookies();
  const secret = cookies.find(({ name }) => name.endsWith('helve_session'))?.value ?? '';
  expect(secret).toMatch(/^helve_session_/);
  const kept = await visit.page.evaluate(() =>
    JSON.stringify([
      location.href,
      document.cookie,
      { ...localStorage },
      { ...sessionStorage },
      document.body.innerHTML,
    ]),
  );
  expect(kept).not.toContain(secret.slice(14));
}

describe('signing in', () => {
  test('R-panel R-people: a person signs in with a link, sees who they are, and signs out', async () => {
    const visit = await ground.visit('admin');
    const { page } = visit;
    await page.getByText('Latest calls').waitFor();
    await expectNoSecret(visit);
    visit.tolerate(/401/);
    await visit.use('Sign out');
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    expect(await page.getByText('echo').count()).toBe(0);
    await visit.end();
  });

  test('R-panel R-people: neither the token of an agent nor a key is a session', async () => {
    const { helve, url } = ground;
    const token = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    const key = await helve.plane.createApiKey(helve.admin, { permissions: ['tools:read', 'audit:read'] });
    for (const { secret } of [token, key]) {
      const visit = await ground.visitSignedOut();
      visit.tolerate(/401/);
      await visit.context.addCookies([{ name: 'helve_session', value: secret, url, httpOnly: true }]);
      await visit.open('calls');
      await visit.page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
      expect(await visit.page.getByText('echo').count()).toBe(0);
      await visit.end();
      // The control: the secret itself is good, as a bearer.
      expect(
        (await fetch(`${url}/api/tools/executions`, { headers: { authorization: `Bearer ${secret}` } })).status,
      ).toBe(200);
    }
  });

  test('R-panel: without JavaScript, the page leads to the plain pages', async () => {
    const visit = await ground.visitSignedOut({ javaScriptEnabled: false });
    await visit.page.goto(await ground.invite('admin'));
    await visit.page.getByRole('button', { name: 'Sign in' }).press('Enter');
    await visit.page.waitForURL('**/panel/');
    await visit.page.getByRole('link', { name: 'the plain pages' }).click();
    await visit.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await visit.context.close();
  });
});

describe('roles', () => {
  test('R-panel R-people: a member sees their own account and its calls, and nothing of others', async () => {
    const visit = await ground.visit('member');
    const { page } = visit;
    await visit.open('connections/connect/vault');
    await visit.type(/^Name/, 'My own safe');
    await visit.type(/^Token/, 'canary-of-the-member');
    await visit.choose(/^Who sees it/, 'only its owner');
    await page.getByText('an administrator does not see this one').waitFor();
    await visit.use('Connect');
    await page.getByText('active', { exact: true }).waitFor();
    await visit.open('connections');
    await page.getByRole('link', { name: /My own safe/ }).waitFor();
    expect(await page.getByText('Shared safe').count()).toBe(0);
    await visit.use(/My own safe/);
    // A screen reader begins at the heading, which is given its name when the account has been read.
    await page.locator('h1:focus', { hasText: 'My own safe' }).waitFor();
    await visit.open('calls');
    await page.getByText('No calls yet').waitFor();
    await visit.end();
    // The control: an administrator sees the shared account, and the call.
    const admin = await ground.visit('admin');
    await admin.open('connections');
    await admin.page.getByRole('link', { name: /Shared safe/ }).waitFor();
    expect(await admin.page.getByText('My own safe').count()).toBe(0);
    await admin.open('calls');
    await admin.page.getByRole('link', { name: /echo/ }).waitFor();
    await admin.end();
  });

  test('R-panel R-people: what a member connects, an administrator can give to an agent, unless the member chose otherwise', async () => {
    const visit = await ground.visit('member');
    const { page } = visit;
    await visit.open('connections/connect/vault');
    await page.getByRole('heading', { name: 'Connect Vault' }).waitFor();
    await visit.type(/^Name/, 'Safe for the agent');
    await visit.type(/^Token/, 'canary-of-the-member');
    await visit.use('Connect');
    await page.getByText('An administrator can let agents use it').waitFor();
    await visit.end();
    const { plane, admin } = ground.helve;
    await plane.changeGrants(admin, 'tester', { add: [{ tools: ['safe-for-the-agent__open_vault'] }] });
    expect(await ground.helve.call('safe-for-the-agent__open_vault', {})).toMatchObject({ ok: true });
  });

  test('R-panel R-people: a member is offered nothing that is then refused, and learns that their role may not read agents', async () => {
    const visit = await ground.visit('member');
    const { page } = visit;
    await visit.open('settings');
    const client = page.getByRole('button', { name: 'Set an OAuth client' });
    await client.waitFor();
    expect(await client.getAttribute('title')).toContain('only accounts of your own');
    await visit.open('tasks');
    expect(await page.getByRole('button', { name: 'New issue' }).isDisabled()).toBe(true);
    for (const place of ['find?q=pay', 'agents/tester/calls']) {
      await visit.open(place);
      await page.getByText('Your role may not read agents. An administrator can.').waitFor();
    }
    await visit.end();
  });

  test('R-panel R-people: an auditor reads, and every button that changes something is disabled and says why', async () => {
    await ground.helve.call('pay', { sum: 3 });
    const { plane, agent } = ground.helve;
    const run = await plane.runCode(agent, { code: 'await custom.pay({ sum: 4 })' });
    const issue = await ground.helve.plane.createIssue(ground.helve.admin, { title: 'It breaks' });
    const visit = await ground.visit('auditor');
    const { page } = visit;
    const before = (await ground.helve.audited()).length;
    const expectDisabled = async (place: string, name: string | RegExp) => {
      await visit.open(place);
      const button = page.getByRole('button', { name }).first();
      await button.waitFor();
      expect(await button.isDisabled()).toBe(true);
      expect(await button.getAttribute('title')).toMatch(/^Your role may not .*\. An administrator can\.$/);
    };
    /** What cannot be sent cannot be typed either. */
    const expectShut = async (place: string) => {
      await visit.open(place);
      const form = page.getByRole('main').locator('form');
      await form.first().waitFor();
      const fields = await form.locator('input, textarea, select').all();
      expect(fields.length, place).toBeGreaterThan(0);
      for (const field of fields) expect(await field.isDisabled(), place).toBe(true);
    };
    const shut = ['agents', 'agents/tester/settings', 'settings/people', 'settings/credentials', 'tasks/new'];
    for (const place of [...shut, `tasks/issues/${issue.id}`]) await expectShut(place);
    await expectDisabled('agents', 'Add');
    await expectDisabled('connections', 'Connect an account');
    await expectDisabled('tasks', 'New issue');
    await expectDisabled('agents/tester/settings', 'Save');
    await expectDisabled('settings', 'Rotate the key');
    await expectDisabled('settings/policies', 'Save');
    await expectDisabled('settings/people', 'Invite');
    const [approval] = await ground.helve.plane.approvals(ground.helve.admin, { status: 'pending' });
    await expectDisabled(`approvals/${approval?.id}`, 'Approve once');
    expect(await page.getByRole('link', { name: 'Make a rule from this' }).count()).toBe(0);
    await expectDisabled(`runs/${run.id}`, 'Stop');
    await visit.open('agents/tester/tools');
    await page.getByRole('checkbox').first().waitFor();
    for (const box of await page.getByRole('checkbox').all()) expect(await box.isDisabled()).toBe(true);
    expect((await ground.helve.audited()).length).toBe(before);
    await visit.end();
  });
});

describe('pages of others', () => {
  test('attack: the panel cannot be framed, and a request from another origin changes nothing', async () => {
    const { url, helve } = ground;
    const visit = await ground.visit('admin');
    const agents = async () => (await helve.plane.agents(helve.admin)).length;
    const before = await agents();
    const body = `<iframe id="frame" src="${url}/panel/"></iframe>
<form id="form" method="post" action="${url}/api/agents" enctype="text/plain"><input name='{"slug":"stolen","x":"' value='"}'></form>
<script>fetch('${url}/api/agents', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"slug":"stolen"}' }).catch(() => {}).finally(() => { document.title = 'sent'; });</script>`;
    const foreign = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body));
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const address = `http://localhost:${(foreign.address() as AddressInfo).port}`;
    const page = await visit.context.newPage();
    await page.goto(address);
    await page.waitForFunction(() => document.title === 'sent');
    const [, frame] = page.frames();
    await frame?.waitForLoadState();
    expect(await frame?.content()).not.toContain('<div id="root">');
    expect(await visit.page.content()).toContain('<div id="root">');
    await page.evaluate(() => (document.querySelector('#form') as HTMLFormElement).submit());
    await page.waitForURL(`${url}/**`);
    expect(await agents()).toBe(before);
    // The control: the same request from the panel's own page is made.
    const own = await visit.page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/api/agents', { method: 'POST', headers, body: '{"slug":"own"}' })).status;
    });
    expect([own, await agents()]).toEqual([201, before + 1]);
    await new Promise((resolve) => foreign.close(resolve));
    await visit.context.close();
  });
});

describe('when the server is away', () => {
  test('R-panel: what was typed survives a restart of the server; meanwhile nothing can be done', async () => {
    const visit = await ground.visit('admin');
    const { page } = visit;
    visit.tolerate(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|Failed to load|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/,
    );
    await visit.open('agents');
    await visit.type('Short name', 'helper');
    await ground.stopServing();
    await page.getByText(/^Helve does not answer\. What you see is from/).waitFor();
    expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    await ground.startServing();
    await page.getByText(/^Helve does not answer\. What you see is from/).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Short name').inputValue()).toBe('helper');
    await visit.use('Add');
    await page.getByRole('heading', { name: 'helper' }).waitFor();
    await visit.end();
  });

  test('R-panel: eight tabs share one stream, all load, and all see what happens', async () => {
    const visit = await ground.visit('admin');
    const { context } = visit;
    const streams = new Set<Request>();
    context.on('request', (request) => {
      if (request.url().includes('/api/events')) streams.add(request);
    });
    context.on('requestfinished', (request) => void streams.delete(request));
    context.on('requestfailed', (request) => void streams.delete(request));
    const tabs = [visit.page];
    for (let count = 1; count < 8; count++) tabs.push(await context.newPage());
    for (const tab of tabs) {
      await tab.goto(`${ground.url}/panel/calls?q=everywhere`);
      await tab.getByText('No call matches').waitFor();
    }
    expect(streams.size).toBe(1);
    await ground.helve.call('echo', { where: 'everywhere' });
    for (const tab of tabs) await tab.getByRole('link', { name: /echo/ }).waitFor();
    await visit.end();
  });

  test('R-panel: eight tabs whose stream is cut for a minute say how old they are, and miss nothing afterwards', async () => {
    const visit = await ground.visit('admin');
    visit.tolerate(/ERR_|Failed to load/);
    const { context } = visit;
    await context.clock.install();
    const tabs = [visit.page];
    for (let count = 1; count < 8; count++) tabs.push(await context.newPage());
    for (const tab of tabs) {
      await tab.goto(`${ground.url}/panel/calls?q=meanwhile`);
      await tab.getByText('No call matches').waitFor();
    }
    await ground.stopServing();
    const said = /^Helve does not answer\. What you see is from/;
    for (const tab of tabs) await tab.getByText(said).waitFor();
    const since = await visit.page.getByText(said).innerText();
    await context.clock.fastForward(60_000);
    for (const count of [1, 2, 3]) await ground.helve.call('echo', { note: `meanwhile ${count}` });
    for (const tab of tabs) {
      // Still the time of the cut, although the browser has tried again and again.
      expect(await tab.getByText(said).innerText()).toBe(since);
      expect(await tab.getByRole('link', { name: /meanwhile/ }).count()).toBe(0);
    }
    await ground.startServing();
    for (const tab of tabs)
      for (const count of [1, 2, 3]) await tab.getByRole('link', { name: new RegExp(`meanwhile ${count}`) }).waitFor();
    await visit.end();
  });
});
