/** Calls and approvals: what waits appears by itself, is decided once, and hostile text stays text. */
import { afterEach, describe, expect, test } from 'vitest';
import { fillRecord } from '../../bench/panel/fill.js';
import { type TestHelveOptions, testTool } from '../../src/testing/index.js';
import { rounds } from '../../src/testing/rounds.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

const start = async (options: TestHelveOptions = {}) => {
  ground = await startGround({ nativeToolkits: [], ...options });
  return ground.visit('admin');
};
const pay = (paid: unknown[]) =>
  testTool({
    name: 'pay',
    highRisk: true,
    execute: async (input) => {
      paid.push(input);
      return { paid: true };
    },
  });

describe('approvals', () => {
  test('R-panel R-approval: a call that waits appears by itself, within a second, and is approved once', async () => {
    const paid: unknown[] = [];
    const visit = await start({ tools: [pay(paid)] });
    const { page } = visit;
    const stream = page.waitForResponse(/\/api\/events$/);
    await visit.open('');
    await page.getByText('Nothing is waiting').waitFor();
    await stream;
    await ground.helve.call('pay', { sum: 12, to: 'Ana\u202e\u200b' });
    const asked = Date.now();
    const row = page.getByRole('link', { name: /pay/ }).first();
    await row.waitFor();
    // What a person feels; the bench measures it. Ten times the bar, because the machine of a test may be busy.
    expect(Date.now() - asked).toBeLessThan(10_000);
    await row.press('Enter');
    // The list shows the arguments too. The page of the call has the button, and its heading gets the focus first.
    await page.locator('h1:focus', { hasText: /^Approval$/ }).waitFor();
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    await page.getByText('Ana⟨U+202E⟩⟨U+200B⟩').waitFor();
    await page.keyboard.press('a');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Approve once');
    await page.keyboard.press('Enter');
    await page.getByText('approved', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0);
    expect(await ground.helve.call('pay', { sum: 12, to: 'Ana\u202e\u200b' })).toMatchObject({ ok: true });
    // Once: the next one asks again.
    expect(await ground.helve.call('pay', { sum: 12, to: 'Ana\u202e\u200b' })).toMatchObject({ ok: false });
    expect(paid).toHaveLength(1);
    await visit.end();
  });

  test('R-panel R-approval: a rejection has a note, which the agent gets', async () => {
    const paid: unknown[] = [];
    const visit = await start({ tools: [pay(paid)] });
    const { page } = visit;
    await ground.helve.call('pay', { sum: 1 });
    await visit.open('approvals');
    await page.getByRole('link', { name: /pay/ }).press('Enter');
    await visit.type('Note', 'Only with an invoice');
    await visit.use('Reject');
    await page.getByText('rejected', { exact: true }).waitFor();
    const again = await ground.helve.call('pay', { sum: 1 });
    expect(again).toMatchObject({ ok: false });
    expect(JSON.stringify(again)).toContain('Only with an invoice');
    expect(paid).toEqual([]);
    await visit.end();
  });

  test('R-panel R-approval: several of one kind are approved together; what differs from the last one is shown', async () => {
    const paid: unknown[] = [];
    const visit = await start({ tools: [pay(paid), testTool({ name: 'other', highRisk: true })] });
    const { page } = visit;
    for (const sum of [1, 2]) await ground.helve.call('pay', { sum, to: 'Ana' });
    await ground.helve.call('other', {});
    await visit.open('approvals');
    await page.getByRole('checkbox').nth(2).waitFor();
    for (const at of [0, 1, 2]) await page.getByRole('checkbox').nth(at).press('Space');
    expect(await page.getByRole('button', { name: 'Approve 3 once' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: /other/ }).press('Space');
    await visit.use('Approve 2 once');
    await page.getByRole('checkbox', { name: /pay/ }).first().waitFor({ state: 'detached' });
    for (const sum of [1, 2]) expect(await ground.helve.call('pay', { sum, to: 'Ana' })).toMatchObject({ ok: true });
    await ground.helve.call('pay', { sum: 2, to: 'Eve' });
    await page.getByRole('checkbox', { name: /pay/ }).waitFor();
    await page.getByRole('link', { name: /pay/ }).first().press('Enter');
    await page.getByRole('cell', { name: '"Eve"' }).waitFor();
    await page.getByRole('cell', { name: '"Ana"' }).waitFor();
    expect(paid).toHaveLength(2);
    await visit.end();
  });

  test('R-panel R-approval: one that has expired cannot be decided any more', async () => {
    const visit = await start({ tools: [pay([])], config: 'approvals: { lifetime_minutes: 0.2 }' });
    const { page } = visit;
    await ground.helve.call('pay', { sum: 1 });
    const [approval] = await ground.helve.plane.approvals(ground.helve.admin, { status: 'pending' });
    await visit.open(`approvals/${approval?.id}`);
    expect(await page.getByRole('button', { name: 'Approve once' }).isEnabled()).toBe(true);
    // While it is on screen, and nothing else happens.
    await page.getByText('expired', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve once' }).isDisabled()).toBe(true);
    await visit.end();
  });
});

describe('the list of calls', () => {
  test('R-panel: a filter is in the address, and the same link shows the same list to somebody else', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' }), testTool({ name: 'other' })], granted: ['echo'] });
    for (let count = 0; count < 250; count++) await ground.helve.call('echo', { count });
    await ground.helve.call('other', {});
    await visit.open('calls');
    await visit.page.getByText('200 calls so far').waitFor();
    await visit.use(/^refused/);
    await visit.page.getByText('1 call', { exact: true }).waitFor();
    const other = await ground.visit('auditor');
    await other.page.goto(visit.page.url());
    await other.page.getByText('1 call', { exact: true }).waitFor();
    await other.page.getByRole('link', { name: /other/ }).waitFor();
    await Promise.all([visit.end(), other.end()]);
  });

  const many = rounds(20_000, 100_000);
  test(`R-panel R-visibility: ${many} calls are filtered by agent and outcome, and the link shows the same elsewhere`, async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    const { storage, workspaceId } = ground.helve;
    await fillRecord({ storage, workspaceId, calls: many });
    await visit.open('calls');
    await visit.page.getByText('200 calls so far').waitFor();
    await visit.use(/^refused/);
    await visit.use(new RegExp(`^Agent 10\\n?${(many / 50).toLocaleString('en')}$`));
    const rows = visit.page.locator('a[data-at]');
    await rows.filter({ hasText: 'Agent 10' }).first().waitFor();
    const shown = await rows.allInnerTexts();
    expect(shown.every((row) => row.includes('Agent 10') && row.includes('refused'))).toBe(true);
    const other = await ground.visit('auditor');
    await other.page.goto(visit.page.url());
    await other.page.locator('a[data-at]').filter({ hasText: 'Agent 10' }).first().waitFor();
    expect(await other.page.locator('a[data-at]').allInnerTexts()).toEqual(shown);
    await Promise.all([visit.end(), other.end()]);
  });

  test('R-panel: the rows beyond the first page are read when the person gets there, by keyboard', async () => {
    const visit = await start({ tools: [testTool({ name: 'echo' })] });
    for (let count = 0; count < 450; count++) await ground.helve.call('echo', { count });
    await visit.open('calls');
    await visit.page.locator('[data-at="0"]').press('Enter');
    await visit.page.getByRole('heading', { name: 'Call', exact: true }).waitFor();
    await visit.page.goBack();
    await visit.page.getByText('200 calls so far').waitFor();
    await visit.page.locator('[data-at="0"]').focus();
    for (const shown of ['400 calls so far', '450 calls']) {
      await visit.page.keyboard.press('End');
      await visit.page.getByText(shown, { exact: true }).waitFor();
    }
    expect(await visit.page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000);
    await visit.end();
  });
});

describe('a call that runs', () => {
  test('R-panel: it is in the list, and stopping it ends it', async () => {
    let isStopped = false;
    const wait = testTool({
      name: 'wait',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            isStopped = true;
            reject(signal.reason);
          }),
        ),
    });
    const visit = await start({ tools: [wait] });
    const { page } = visit;
    await visit.open('calls');
    const ending = ground.helve.call('wait', {});
    await page.getByRole('link', { name: /running.*wait/ }).press('Enter');
    await visit.use('Stop');
    // A tool that has begun to act may have acted.
    expect(await ending).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
    expect(isStopped).toBe(true);
    await page.getByText('It was interrupted; it may have happened', { exact: true }).first().waitFor();
    await visit.end();
  });
});

describe('text of others', () => {
  const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>\u202e{{7*7}}';

  test('R-panel: attack: hostile names, descriptions, arguments, results and errors are shown as text everywhere', async () => {
    const bad = testTool({
      name: 'bad',
      title: hostile,
      description: hostile,
      execute: async () => ({ [hostile]: hostile, html: hostile, rows: [{ [hostile]: hostile }] }),
    });
    const table = testTool({ name: 'table', execute: async () => [{ [hostile]: hostile }, { [hostile]: hostile }] });
    const throws = testTool({
      name: 'throws',
      execute: async () => {
        throw new Error(hostile);
      },
    });
    const guarded = testTool({ name: 'guarded', highRisk: true, description: hostile });
    const visit = await start({ tools: [bad, table, throws, guarded] });
    const { page } = visit;
    const { helve } = ground;
    await helve.plane.changeAgent(helve.admin, 'tester', { name: hostile.slice(0, 90) });
    for (const name of ['bad', 'table', 'throws', 'guarded'])
      await helve.call(name, { [hostile]: hostile }, { intent: hostile });
    await helve.plane.createUser(helve.admin, { name: hostile.slice(0, 90), role: 'member' });
    const executions = await helve.plane.executions(helve.admin, { limit: 10 });
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    const places = [
      '',
      'calls',
      ...executions.map(({ executionId }) => `calls/${executionId}`),
      'approvals',
      `approvals/${approval?.id}`,
      'agents',
      'agents/tester/tools',
      'agents/tester/can',
      'agents/tester/access',
      'agents/tester/calls',
      'agents/tester/settings',
      'catalogue',
      'catalogue/apps/custom',
      'find?q=bad&agent=tester',
      'find/explain?agent=tester&tool=bad',
      'record',
      'settings/people',
      'settings/policies',
    ];
    for (const place of places) {
      await visit.open(place);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await page.title(), place).not.toBe('owned');
      expect(await page.evaluate(() => document.querySelectorAll('img[src="x"], main script').length), place).toBe(0);
    }
    // The control: the text is there, as text.
    await visit.open(`approvals/${approval?.id}`);
    await page.getByText('onerror=').first().waitFor();
    await visit.end();
  });
});
