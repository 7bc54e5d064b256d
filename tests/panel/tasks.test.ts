/** Tasks by keyboard: filing an issue, what blocks it and what mends that, questions and approvals, and the board. */
import { afterEach, expect, test } from 'vitest';
import type { IssueView } from '../../src/domain/issue-acts.js';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { type TestHelveOptions, testTool } from '../../src/testing/index.js';
import { type Said, scriptedModel } from '../../src/testing/scripted-agent-model.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

async function start(script: readonly Said[], options: TestHelveOptions = {}) {
  ground = await startGround({ nativeToolkits: [], models: { language: scriptedModel(script) }, ...options });
  return ground.visit('admin');
}

/** Files an issue and gives it to the agent of the test. */
async function give(more: Partial<Parameters<Ground['helve']['plane']['createIssue']>[1]> = {}): Promise<string> {
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Save the cat', ...more });
  await plane.assignIssue(admin, id, { agent: 'tester' });
  return id;
}

const until = (id: string, fits: (issue: IssueView) => boolean) => untilIssue(ground.helve, id, fits);

test('R-panel: the overview shows what waits besides approvals: the question of an agent, and work to be judged', async () => {
  const question = 'Which shelf?';
  const visit = await start([
    { calls: [['ask_person', { question, choices: ['low', 'high'] }]] },
    { text: 'It was on the low shelf.' },
  ]);
  const { page } = visit;
  const id = await give({ checks: [{ kind: 'person', question: 'Is the cat safe?' }] });
  await until(id, ({ phase }) => phase === 'waiting_for_answer');
  await visit.open('');
  await page.getByRole('link', { name: question }).waitFor();
  await visit.use(question);
  await visit.use('low');
  await until(id, ({ state, waitsFor }) => state === 'verifying' && waitsFor !== undefined);
  await visit.open('');
  await page.getByRole('listitem').filter({ hasText: 'Is the cat safe?' }).waitFor();
  await page.getByRole('link', { name: question }).waitFor({ state: 'detached' });
  await visit.use('Save the cat');
  await page.getByRole('heading', { name: 'Save the cat' }).waitFor();
  await visit.use('Accept');
  await until(id, ({ state }) => state === 'done');
  await visit.end();
});

test('R-panel: from nothing an issue is filed, blocked, connected, granted, worked on, checked and done', {
  timeout: 120_000,
}, async () => {
  const visit = await start(
    [{ calls: [['safe__open_vault', { shelf: 'low' }]] }, { text: 'It was on the low shelf.' }],
    {
      toolkits: [vault],
      granted: [],
    },
  );
  const { page } = visit;
  await visit.open('tasks');
  await page.getByText('No issues yet.').waitFor();
  await page.getByText(/^An issue says what is to be done\./).waitFor();
  await visit.use('New issue');
  await visit.type('Title', 'Find the ring');
  await visit.type(/^What is to be done/, 'It is in the vault.');
  await visit.use('Add a check');
  await visit.choose('Kind of check', 'A tool answers');
  await visit.type('Tool, by the name that the agent sees', 'safe__open_vault');
  await visit.type('JSON Schema that it must match', 'not json');
  await visit.type(/^Apps without which/, 'vault');
  await visit.choose('Agent', 'tester');
  await visit.use('File the issue');
  await page.getByText('This is not valid JSON of the right kind.').waitFor();
  await visit.type(
    'JSON Schema that it must match',
    JSON.stringify({ type: 'object', properties: { vault: { const: 'Safe' } }, required: ['vault'] }),
  );
  await visit.use('File the issue');

  await page.getByRole('heading', { name: 'Find the ring' }).waitFor();
  const place = page.url();
  await page
    .getByText(/^No account of vault is connected/)
    .first()
    .waitFor();
  await visit.use('Connect Vault');
  await visit.type(/^Name/, 'Safe');
  await visit.type(/^Token/, 'canary');
  await visit.use('Connect');
  await page.getByText(/^It is connected/).waitFor();

  await page.goto(place);
  await page
    .getByText(/^The agent tester has no grant for an account of vault/)
    .first()
    .waitFor();
  await visit.use('Give tester tools');
  await visit.use(/^open_vault/);
  await visit.use(/^Review/);
  await visit.use('Save');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.goto(place);
  await page.getByText('done', { exact: true }).first().waitFor();
  await page.getByRole('heading', { name: 'Delivered' }).waitFor();
  await page.getByText('It was on the low shelf.').first().waitFor();
  await page.getByRole('listitem').filter({ hasText: 'tool safe__open_vault' }).getByText('passed').waitFor();
  await visit.use('Attempt 1');
  await page
    .getByRole('link', { name: /safe.*open_vault/ })
    .first()
    .waitFor();
  await visit.end();
});

test('R-panel: the question of an agent is answered on the page of its issue, which changes by itself', async () => {
  const visit = await start([
    { calls: [['ask_person', { question: 'Which shelf?', choices: ['low', 'high'] }]] },
    { text: 'It was on the low shelf.' },
  ]);
  const { page } = visit;
  const id = await give();
  await visit.open(`tasks/issues/${id}`);
  await page.getByText('waits for an answer', { exact: true }).first().waitFor();
  await page.getByText('Which shelf?', { exact: true }).waitFor();
  await visit.type('Comment', 'I saw it <b>there</b>');
  await visit.use('Comment on it');
  await page.getByRole('listitem').filter({ hasText: 'I saw it <b>there</b>' }).waitFor();
  await visit.use('low');
  await page.getByRole('heading', { name: 'Delivered' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'all checks passed → done' }).waitFor();
  // Nothing can be done with it any more.
  expect(await page.getByRole('button', { name: /^(Cancel the issue|Take it from the agent|Assign.*)$/ }).count()).toBe(
    0,
  );
  await visit.end();
});

test('R-panel: work that a person judges is sent back and accepted on the page of its issue', async () => {
  const visit = await start([{ text: 'Swept.' }]);
  const { page } = visit;
  const id = await give({ checks: [{ kind: 'person', question: 'Is it <b>tidy</b>?' }] });
  await visit.open(`tasks/issues/${id}`);
  await page.getByText('Is it <b>tidy</b>?', { exact: true }).waitFor();
  await page.getByText('Swept.', { exact: true }).waitFor();
  await visit.type(/^What is missing/, 'The corners');
  await visit.use('Not yet');
  const again = await until(id, ({ attempts, waitsFor }) => attempts === 2 && waitsFor !== undefined);
  expect(again).toMatchObject({ lastError: { message: expect.stringContaining('The corners') } });
  await visit.use('Accept');
  await page.getByText('done', { exact: true }).first().waitFor();
  await visit.end();
});

test('R-panel R-approval: the call that an issue waits for is approved from its page, and made once', async () => {
  const paid: unknown[] = [];
  const pay = testTool({
    name: 'pay',
    highRisk: true,
    execute: async (input) => {
      paid.push(input);
      return {};
    },
  });
  const visit = await start([{ calls: [['pay', { to: 'ACME' }]] }, { text: 'Paid.' }], { tools: [pay] });
  const { page } = visit;
  const id = await give();
  await visit.open(`tasks/issues/${id}`);
  await page.getByText('waits for approval', { exact: true }).first().waitFor();
  await visit.use('See the call and decide');
  await visit.use('Approve once');
  await until(id, ({ state }) => state === 'done');
  await visit.open(`tasks/issues/${id}`);
  await page.getByText('done', { exact: true }).first().waitFor();
  expect(paid).toEqual([{ to: 'ACME' }]);
  await visit.end();
});

test('R-panel: an issue that failed says why, and begins again; one that works is cancelled and taken back', async () => {
  let isWell = false;
  const script = [{ calls: [['look', {}]] }, { text: 'I looked.' }] as const;
  const look = testTool({ name: 'look', execute: async () => ({ ok: isWell }) });
  const visit = await start(script, { tools: [look], toolkits: [vault] });
  const { page } = visit;
  const schema = { type: 'object', properties: { ok: { const: true } } };
  const checks = [{ kind: 'tool', tool: 'look', schema }] as const;
  const id = await give({ checks, limits: { maxAttempts: 1 } });
  await until(id, ({ state }) => state === 'failed');
  await visit.open(`tasks/issues/${id}`);
  await page.getByText('The work did not pass its checks', { exact: true }).waitFor();
  const check = page.getByRole('listitem').filter({ hasText: 'tool look' });
  await check.getByText('not passed').first().waitFor();
  await page
    .getByRole('row', { name: /^Attempt 1 a check did not pass tool look: The answer does not match/ })
    .waitFor();
  isWell = true;
  await visit.use('Begin again');
  await page.getByText('done', { exact: true }).first().waitFor();
  await check.getByText('passed', { exact: true }).first().waitFor();

  const { plane, admin } = ground.helve;
  const { id: other } = await plane.createIssue(admin, { title: 'Another', tools: { requiredApps: ['vault'] } });
  await visit.open(`tasks/issues/${other}`);
  await page.getByText(/^Nobody has this issue yet/).waitFor();
  await visit.choose('Agent', 'tester');
  await visit.use('Assign');
  await page.getByText('blocked', { exact: true }).first().waitFor();
  await visit.use('Cancel the issue');
  await page.getByText('cancelled', { exact: true }).first().waitFor();
  await visit.use('Take it from the agent');
  await page.getByText(/^Nobody has this issue yet/).waitFor();
  await visit.end();
});

test('R-panel R-machines: the drawing has the states and the transitions of the machine, and marks the present one', async () => {
  const visit = await start([{ text: 'Done.' }]);
  const { page } = visit;
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Save the cat' });
  const [machine] = (await plane.listActorMachines(admin)).filter(({ kind }) => kind === 'issue');
  await visit.open(`tasks/issues/${id}`);
  const drawing = page.getByRole('img', { name: /^Now: not assigned\. All states: not assigned, preparing, / });
  await drawing.waitFor();
  expect(await drawing.locator('text').count()).toBe(machine?.states.length);
  const pairs = new Set(machine?.transitions.flatMap(({ from, to }) => (from === to ? [] : [`${from} ${to}`])));
  expect(await drawing.locator('path[marker-end]').count()).toBe(pairs.size);
  await page.getByRole('listitem').filter({ hasText: '→ preparing' }).getByText('given to an agent').waitFor();
  await visit.use('As a table');
  const rows = page.getByRole('region', { name: 'Its machine' }).getByRole('row');
  expect(await rows.count()).toBe(new Set(machine?.transitions.map(({ from, to }) => `${from} ${to}`)).size + 1);
  await plane.cancelIssue(admin, id);
  await page.getByRole('img', { name: /^Now: cancelled\./ }).waitFor();
  await visit.end();
});

test('R-panel: list and board show issues by state, and follow them', async () => {
  const visit = await start([{ text: 'Done.' }]);
  const { page } = visit;
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Save the cat' });
  await plane.createIssue(admin, { title: 'Feed the dog' });
  await visit.open('tasks?view=board');
  const column = (name: string) => page.locator('section', { has: page.getByRole('heading', { name }) });
  await column('not assigned').getByRole('link', { name: 'Save the cat' }).waitFor();
  await plane.assignIssue(admin, id, { agent: 'tester' });
  await column('done').getByRole('link', { name: 'Save the cat' }).waitFor();
  await column('not assigned').getByRole('link', { name: 'Feed the dog' }).waitFor();
  await visit.use('List');
  await page.getByRole('link', { name: /Feed the dog/ }).waitFor();
  await visit.choose('Status', 'done');
  await page.getByRole('link', { name: /Feed the dog/ }).waitFor({ state: 'detached' });
  expect(page.url()).toContain('state=done');
  await visit.use(/Save the cat/);
  await page.getByRole('heading', { name: 'Save the cat' }).waitFor();
  await visit.end();
});

test('R-panel R-machines: the board of a project shows its columns, moves cards, and its filter is in the address', async () => {
  const visit = await start([{ text: 'Done.' }]);
  const { page } = visit;
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Save the cat', project: 'zoo' });
  await plane.createIssue(admin, { title: 'Feed the dog', project: 'zoo' });
  await plane.createIssue(admin, { title: 'Wash the bird', project: 'home' });
  const rule = { column: 'In progress', do: 'assign', agent: 'tester' } as const;
  await plane.updatePlace(admin, { kind: 'project', id: 'zoo' }, { automation: [rule], maxRunning: 3 });
  await visit.open('tasks?view=board');
  await page.getByRole('link', { name: 'Wash the bird' }).waitFor();
  await visit.choose('Project', 'zoo');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = (name: string) => page.getByRole('link', { name, exact: true });
  await column('To do').getByRole('link', { name: 'Save the cat' }).waitFor();
  await expect.poll(() => card('Wash the bird').count()).toBe(0);
  await page.getByText('0 of 3 issues that may be worked on at once').waitFor();
  // The column assigns an agent, and the machine moves the card on until it leaves the board.
  await visit.choose('Column of Save the cat', 'In progress');
  await visit.use('Move: Save the cat');
  await until(id, ({ state }) => state === 'done');
  await page.getByText(/1 issue has left the board/).waitFor();
  await card('Save the cat').waitFor({ state: 'detached' });
  // A person moves a card where no rule is: only the card moves.
  await visit.choose('Column of Feed the dog', 'Blocked');
  await visit.use('Move: Feed the dog');
  await column('Blocked').getByRole('link', { name: 'Feed the dog' }).waitFor();
  await visit.type('Filter', 'nothing like this');
  await card('Feed the dog').waitFor({ state: 'detached' });
  expect(page.url()).toMatch(/project=zoo/);
  await visit.use('List');
  await page.getByText('No issue fits the filter.').waitFor();
  await visit.type('Filter', 'THE');
  await page.getByRole('link', { name: /Feed the dog/ }).waitFor();
  await visit.choose('Agent', 'tester');
  await page.getByRole('link', { name: /Feed the dog/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Save the cat/ }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: /Save the cat/ }).waitFor();
  expect(await page.getByRole('link', { name: /Feed the dog/ }).count()).toBe(0);
  await visit.end();
});

test('R-panel R-machines: an actor is found by kind and state, and followed; a member may not look', async () => {
  const visit = await start([{ text: 'Done.' }]);
  const { page } = visit;
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Save the cat' });
  await visit.open('tasks/actors');
  await page.getByRole('link', { name: /organisation.*own/s }).waitFor();
  await visit.choose('Kind', 'issue');
  await page.getByRole('link', { name: /organisation/ }).waitFor({ state: 'detached' });
  await visit.choose('Status', 'done');
  await page.getByText('No actor matches the filter.').waitFor();
  await visit.open('tasks/actors?kind=issue&state=idle');
  await visit.use(new RegExp(id));
  await page.getByRole('heading', { name: id }).waitFor();
  await page.getByText('It has not received any event yet.').waitFor();
  await plane.assignIssue(admin, id, { agent: 'tester' });
  await page.getByRole('listitem').filter({ hasText: 'given to an agent → preparing' }).waitFor();
  await page.getByRole('img', { name: /^Now: done\./ }).waitFor();
  await visit.end();
  const member = await ground.visit('member');
  await member.open('tasks/actors');
  await member.page.getByText('Your role may not read the record. An administrator can.').waitFor();
  await member.open(`tasks/issues/${id}`);
  await member.page.getByRole('heading', { name: 'Save the cat' }).waitFor();
  expect(await member.page.getByRole('link', { name: 'Its actor' }).count()).toBe(0);
  await member.page.getByRole('button', { name: 'Comment on it', disabled: true }).waitFor();
  await member.end();
});

test('R-panel R-inheritance: a level that excludes what another requires is found from the issue, and mended', async () => {
  const visit = await start([{ text: 'Done.' }], {
    tools: [testTool({ name: 'look' })],
    toolkits: [vault],
    granted: ['look'],
  });
  const { page } = visit;
  const { plane, admin } = ground.helve;
  await plane.putToolConfig(admin, { level: 'org', id: 'own' }, { disabled: ['custom'], includeDefaults: false });
  const id = await give({ tools: { requiredApps: ['custom'] } });
  // The name of an app that is none, below.
  visit.tolerate(/400.*\/api\/tool-config\/org\/own/);
  await visit.open(`tasks/issues/${id}`);
  await page.getByText('custom is required by the issue and excluded by the org').first().waitFor();
  await visit.use('Which tools it may use');
  await page.getByText('Required and excluded at once: custom. No issue can start this way.').waitFor();
  await page.getByText('switched off by the organisation').waitFor();
  await page
    .getByRole('row', { name: /^custom .*excluded disabled by the organisation; required by the issue$/ })
    .waitFor();
  await visit.use('organisation own');
  await visit.type('Never these apps, separated by commas', '');
  await visit.type('Apps without which it does not start, separated by commas', '!!!');
  await visit.use('Save');
  await page.getByRole('alert').waitFor();
  await visit.type('Apps without which it does not start, separated by commas', '');
  await visit.use('No tools that need no account');
  await visit.use('Save');
  await page.getByText('No level names an app.').waitFor();
  expect(await plane.getToolConfig(admin, { level: 'org', id: 'own' })).toEqual({ version: expect.any(String) });
  await until(id, ({ state }) => state === 'done');

  // What somebody else saves meanwhile is not overwritten.
  await visit.type('Never these apps, separated by commas', 'custom');
  await plane.putToolConfig(admin, { level: 'org', id: 'own' }, { disabled: ['vault'] });
  await page.getByText('Someone else changed this meanwhile').waitFor();
  await page.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await visit.use('Reload');
  await page.getByRole('row', { name: /^vault .*excluded disabled by the organisation$/ }).waitFor();
  expect(await page.getByLabel('Never these apps, separated by commas').inputValue()).toBe('vault');
  await visit.end();
});
