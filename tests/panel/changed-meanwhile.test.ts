/** What a page holds while something else happens: another person signs in, somebody changes the same thing, an answer is late. */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { type TestHelveOptions, testTool } from '../../src/testing/index.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

const start = async (options: TestHelveOptions = {}) => {
  ground = await startGround({ nativeToolkits: [], ...options });
  return ground.visit('admin');
};

/** Keeps the answers to these requests back. Returns what lets them go. */
async function hold(page: Page, method: string, address: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    if (route.request().method() === method) await held;
    await route.continue();
  });
  return release;
}

describe('who is signed in', () => {
  test('R-panel R-people: after signing out nothing of the person stays in the page', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    visit.tolerate(/401/);
    await ground.helve.call('echo', {});
    await visit.open('calls');
    await visit.page.getByRole('link', { name: /echo/ }).waitFor();
    await visit.use('Sign out');
    await visit.page.getByRole('dialog', { name: 'You are signed out' }).waitFor();
    expect(await visit.page.getByRole('link', { name: /echo/ }).count()).toBe(0);
    await visit.end();
  });

  test('R-panel R-people: a sign-out that the server does not hear says so', async () => {
    const visit = await start();
    visit.tolerate(/ERR_FAILED/);
    await visit.page.route('**/api/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await visit.use('Sign out');
    await visit.page.getByRole('alert').getByText('Helve does not answer', { exact: true }).first().waitFor();
    await visit.end();
  });

  test('R-panel R-people: what one person has read is not shown to the next in the same tab', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { page, context } = visit;
    visit.tolerate(/40[13]/);
    await ground.helve.call('echo', {});
    await visit.open('calls');
    await page.getByRole('link', { name: /echo/ }).waitFor();
    const other = await context.newPage();
    await other.goto(await ground.invite('member'));
    // What the page asks for as the next person is kept back, so that only what it already had can be shown.
    const release = await hold(page, 'GET', '**/api/executions*');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.waitForURL('**/panel/');
    await page.bringToFront();
    // A browser without a window does not say this. With one, the page may be loading anew already.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))).catch(() => undefined);
    await page.getByText(/^member 2/).waitFor();
    expect(await page.getByRole('link', { name: /echo/ }).count()).toBe(0);
    release();
    await page.getByText('No calls yet').waitFor();
    await visit.end();
  });

  test('R-panel R-people: what a person may no longer read goes from the page', async () => {
    const visit = await start();
    const { page } = visit;
    visit.tolerate(/403/);
    const { plane, admin } = ground.helve;
    await visit.open('record');
    await page.locator('main summary').first().waitFor();
    const own = (await plane.users(admin)).find(({ name }) => name === 'admin 1');
    await plane.changeUser(admin, own?.id ?? '', { role: 'member' });
    await page.getByText(/· member$/i).waitFor();
    await page.locator('main summary').first().waitFor({ state: 'detached' });
    await visit.end();
  });
});

describe('forms', () => {
  test('R-panel R-instances: renaming an account does not make it visible again to those from whom it was hidden meanwhile', async () => {
    const visit = await start({ toolkits: [vault] });
    const { page } = visit;
    await visit.open('connections/connect/vault');
    await visit.type(/^Name/, 'Diary');
    await visit.choose('Who sees it', 'everyone');
    await page.getByLabel('Token').fill('canary');
    await visit.use('Connect');
    await page.getByText('active', { exact: true }).waitFor();
    await visit.open('connections');
    await page.getByRole('link', { name: /Diary/ }).press('Enter');
    const name = page.getByLabel('Name', { exact: true }).or(page.locator('form input')).first();
    await name.waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    // The same person, in another tab.
    const changed = await page.evaluate(
      async (address) =>
        (
          await fetch(address, {
            method: 'PUT',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ visibility: 'private' }),
          })
        ).status,
      `/api/connections/${id}`,
    );
    expect(changed).toBe(200);
    await page.waitForResponse((response) => response.url().endsWith(`/api/connections/${id}`));
    await name.fill('Renamed');
    await visit.use('Save');
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    const shown = await page.evaluate(async (address) => (await fetch(address)).json(), `/api/connections/${id}`);
    expect(shown).toMatchObject({ name: 'Renamed', visibility: 'private' });
    await visit.end();
  });

  test('R-panel: what is typed while an agent is saved is saved by the next click', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { page } = visit;
    await visit.open('agents/tester/settings');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('First');
    const release = await hold(page, 'PATCH', '**/api/agents/tester');
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await visit.use('Save');
    await asked;
    await name.fill('Second');
    release();
    await page.getByText('Saved.').waitFor();
    await visit.use('Save');
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await visit.end();
  });

  test('R-panel: a filter that is chosen right after words were typed stays', async () => {
    const visit = await start();
    const { page } = visit;
    await visit.open('record');
    // Both in one turn, so that the words are still on their way when the kind is chosen.
    await page.evaluate(() => {
      const change = (element: Element | null, value: string, event: string) => {
        const { prototype } = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
        element?.dispatchEvent(new Event(event, { bubbles: true }));
      };
      change(document.querySelector('main input[type="search"]'), 'tester', 'input');
      change(document.querySelector('main select'), 'grants', 'change');
    });
    await page.waitForURL((url) => url.searchParams.get('q') === 'tester');
    expect(new URL(page.url()).searchParams.get('type')).toBe('grants');
    await visit.end();
  });

  test('R-panel R-inheritance: what is typed while the tools of a level are saved is kept', async () => {
    const visit = await start({ tools: [testTool({ name: 'look' })], toolkits: [vault] });
    const { page } = visit;
    await visit.open('tasks/tools?level=org&id=own');
    const field = page.getByLabel('Never these apps, separated by commas');
    await field.fill('vault');
    const release = await hold(page, 'PUT', '**/api/tool-config/org/own');
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await visit.use('Save');
    await asked;
    await field.fill('vault, custom');
    release();
    await page.getByText('Saved.').waitFor();
    expect(await field.inputValue()).toBe('vault, custom');
    await visit.use('Save');
    const { plane, admin } = ground.helve;
    await expect
      .poll(async () => (await plane.getToolConfig(admin, { level: 'org', id: 'own' })).disabled)
      .toEqual(['vault', 'custom']);
    await visit.end();
  });

  test('R-panel R-explain: rules that are changed while others are tried cannot be saved untried', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { page } = visit;
    await visit.open('settings/policies');
    const editor = page.getByRole('textbox', { name: /JSON/ });
    await editor.fill('[{"id":"tried","effect":"deny","when":{}}]');
    const release = await hold(page, 'POST', '**/api/policies/preview');
    const asked = page.waitForRequest('**/api/policies/preview');
    await visit.use('What would it have done?');
    await asked;
    await editor.fill('[{"id":"untried","effect":"allow","when":{}}]');
    release();
    await page.getByText(/^Newly refused/).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await visit.end();
  });

  test('R-panel R-explain: rules that are written while others are saved are kept', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { page } = visit;
    await visit.open('settings/policies');
    const editor = page.getByRole('textbox', { name: /JSON/ });
    await editor.fill('[{"id":"saved","effect":"deny","when":{}}]');
    await visit.use('What would it have done?');
    await page.getByText(/^Newly refused/).waitFor();
    const release = await hold(page, 'PUT', '**/api/policies');
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await visit.use('Save');
    await asked;
    await editor.fill('[{"id":"later","effect":"deny","when":{}}]');
    release();
    await page.getByRole('listitem').filter({ hasText: 'saved' }).first().waitFor();
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    expect(await editor.inputValue()).toContain('later');
    await visit.end();
  });
});

test('R-panel: attack: the command that repeats a call runs nothing else, whatever tool was asked for', async () => {
  const visit = await start({ tools: [testTool({ name: 'echo' })] });
  const { page } = visit;
  const name = "echo; printf owned; echo '";
  await ground.helve.call(name, {});
  const [call] = await ground.helve.plane.executions(ground.helve.admin, { limit: 1 });
  await visit.open(`calls/${call?.executionId}`);
  await visit.use('Command line');
  const shown = await page.locator('main pre').first().innerText();
  const printed = execFileSync('sh', ['-c', `helve() { printf '%s|' "$@"; }\n${shown}`], { encoding: 'utf8' });
  expect(printed).toBe(`call|${name}|{}|`);
  await visit.end();
});
