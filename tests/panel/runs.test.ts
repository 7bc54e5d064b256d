/** Programs and the work of agents, as the people who decide see them: who asks, what was asked, and the way back to it. */
import { afterEach, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { type TestHelveOptions, testTool } from '../../src/testing/index.js';
import { scriptedModel } from '../../src/testing/scripted-agent-model.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

async function start(options: TestHelveOptions = {}) {
  ground = await startGround({ nativeToolkits: [], tools: [testTool({ name: 'pay', highRisk: true })], ...options });
  return ground.visit('admin');
}

test('R-panel R-approval: the approval of a call that a program made leads to the program and back, and lets it go on', async () => {
  const visit = await start();
  const { page } = visit;
  const { plane, agent } = ground.helve;
  const intent = 'Pay what we owe';
  const { id } = await plane.runCode(agent, { code: 'await custom.pay({ to: "Ana" }); return "canary"', intent });
  await ground.helve.call('pay', { to: 'Ben' });
  await visit.open('approvals');
  await page.getByRole('listitem').filter({ hasText: 'Ben' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Approve once' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByText('Who waits for it').count()).toBe(0);
  await visit.open('approvals');
  await page.getByRole('listitem').filter({ hasText: 'Ana' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Who waits for it' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: intent }).getByText('call 1').waitFor();
  await visit.use('Program');
  await page.waitForURL(`**/panel/runs/${id}`);
  await visit.use(/pay$/);
  await visit.use('Approve once');
  await visit.use('The call');
  await visit.use('The program that made it');
  await page.waitForURL(`**/panel/runs/${id}`);
  await page.getByText('"canary"', { exact: true }).waitFor();
  await visit.end();
});

test('R-panel R-approval: a call that waits leads from its page to the approval', async () => {
  const visit = await start();
  const { executionId } = await ground.helve.call('pay', { to: 'Ana' });
  await visit.open(`calls/${executionId}`);
  await visit.page.getByText('A person must approve this', { exact: true }).waitFor();
  expect(await visit.page.getByRole('main').innerText()).not.toMatch(/grant:|approval_required/);
  await visit.use('Its approval');
  await visit.page.getByRole('button', { name: 'Approve once' }).waitFor();
  await visit.end();
});

test('R-panel R-approval: an approved call that is made while its approval is shown is linked there', async () => {
  const visit = await start();
  await ground.helve.call('pay', { to: 'Ana' });
  await visit.open('approvals');
  await visit.page.getByRole('listitem').filter({ hasText: 'Ana' }).getByRole('link').click();
  await visit.use('Approve once');
  await visit.page.getByText('Decided by').waitFor();
  await visit.page.waitForLoadState('networkidle');
  expect(await visit.page.getByRole('link', { name: 'The call' }).count()).toBe(0);
  const { executionId } = await ground.helve.call('pay', { to: 'Ana' });
  await visit.use('The call');
  await visit.page.waitForURL(`**/panel/calls/${executionId}`);
  await visit.end();
});

test('R-panel R-durable-runs: a plan waits on the overview until it is decided', async () => {
  const visit = await start();
  const { page } = visit;
  const { plane, agent, admin } = ground.helve;
  const plan = await plane.runCode(agent, { code: 'await custom.pay({}); await custom.pay({ to: 1 })', mode: 'plan' });
  await visit.open('runs');
  await page
    .getByRole('listbox')
    .getByText('waiting')
    .or(page.getByText('waiting', { exact: true }).last())
    .waitFor();
  await visit.open('');
  await visit.use('Plan with 2 effects');
  await visit.use('Approve all of these effects, once');
  await page.getByText('approved', { exact: true }).waitFor();
  expect((await plane.getRun(admin, plan.id)).planned?.status).toBe('approved');
  await visit.open('');
  await page.getByText(/^Nothing is waiting/).waitFor();
  await visit.end();
});

test('R-panel R-durable-runs: a plan with the private account of somebody else is shown without the buttons that would be refused', async () => {
  const act = testTool({ name: 'act', execute: async () => ({}) });
  const visit = await start({ tools: [], toolkits: [{ ...vault, load: async () => [act] }] });
  const { page } = visit;
  const { plane, admin } = ground.helve;
  const planWith = async (name: string, visibility: 'private' | 'workspace') => {
    const { id } = await plane.addConnection(admin, { toolkit: 'vault', name, visibility });
    await plane.connect(admin, id, { credentials: { token: 'first' } });
    return plane.runCode(admin, { code: `await ${name}.act({})`, mode: 'plan' });
  };
  const approve = page.getByRole('button', { name: 'Approve all of these effects, once' });
  await visit.open(`runs/${(await planWith('shared', 'workspace')).id}`);
  await approve.waitFor();
  // The name of the tool begins with that of the account, which is framed once.
  expect(await page.getByText('shared__act').count()).toBe(0);
  await visit.open(`runs/${(await planWith('own', 'private')).id}`);
  await page.getByText('It concerns an account of somebody else. Only they can decide.').waitFor();
  expect(await approve.count()).toBe(0);
  await visit.open('');
  await page.getByRole('link', { name: /^Plan with/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Plan with/ }).count()).toBe(1);
  await visit.end();
});

test('R-panel: the run of an attempt says in words what the agent was told and answered, and leads to its issue', async () => {
  const visit = await start({ models: { language: scriptedModel([{ text: 'It was on the <b>low</b> shelf.' }]) } });
  const { page } = visit;
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Find the ring', body: 'It is in the vault.' });
  await plane.assignIssue(admin, id, { agent: 'tester' });
  await untilIssue(ground.helve, id, ({ state }) => state === 'done');
  await visit.open(`tasks/issues/${id}`);
  await page.getByRole('heading', { name: 'Find the ring' }).waitFor();
  await expect.poll(() => page.title()).toBe('Find the ring · Helve');
  await visit.use('Attempt 1');
  await page.getByRole('heading', { name: 'What the agent was told' }).waitFor();
  const shown = await page.getByRole('main').innerText();
  expect(shown).toContain('It is in the vault.');
  expect(shown).toContain('It was on the <b>low</b> shelf.');
  expect(shown).not.toMatch(/"prompt"|"maxSteps"|"tokens"/);
  await visit.use('Find the ring');
  await page.waitForURL(`**/panel/tasks/issues/${id}`);
  await visit.end();
});

test('R-panel R-people: a member who may not read what an agent asks for somebody else is told so, and not that it does not exist', async () => {
  ground = await startGround({
    nativeToolkits: [],
    models: { language: scriptedModel([{ calls: [['ask_person', { question: 'Which shelf?' }]] }]) },
  });
  const { plane, admin } = ground.helve;
  const { id } = await plane.createIssue(admin, { title: 'Find the ring' });
  await plane.assignIssue(admin, id, { agent: 'tester' });
  await untilIssue(ground.helve, id, ({ phase }) => phase === 'waiting_for_answer');
  const visit = await ground.visit('member');
  visit.tolerate(/404/);
  await visit.open(`tasks/issues/${id}`);
  await visit.page.getByText('Your role may not read the record. An administrator can.').waitFor();
  expect(await visit.page.getByText('This does not exist').count()).toBe(0);
  await visit.use('Attempt 1');
  await visit.page.getByRole('heading', { name: 'Run', exact: true }).waitFor();
  await visit.page.getByText('Your role may not read the record. An administrator can.').waitFor();
  expect(await visit.page.getByText('This does not exist').count()).toBe(0);
  await visit.open('runs');
  await visit.page.getByText('Your role may not read those of others.').waitFor();
  await visit.end();
});
