/** A double click, and what else people press twice, does a thing once. */
import { afterEach, expect, test } from 'vitest';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

test('R-panel: a double click files one issue, issues one token and comments once', async () => {
  ground = await startGround({ nativeToolkits: [] });
  const { plane, admin } = ground.helve;
  const visit = await ground.visit('admin');
  const { page } = visit;
  await visit.open('tasks/new');
  await page.getByLabel('Title').fill('Tidy up');
  await page.getByRole('button', { name: 'File the issue' }).dblclick();
  await page.getByRole('heading', { name: 'Tidy up' }).waitFor();
  await page.getByLabel('Comment').fill('At noon');
  await page.getByRole('button', { name: 'Comment on it' }).dblclick();
  await page.getByRole('listitem').filter({ hasText: 'At noon' }).first().waitFor();
  await visit.open('agents/tester/access');
  await page.getByRole('button', { name: 'Issue a token' }).dblclick();
  await page.getByText(/^This is shown only once/).waitFor();
  await page.waitForLoadState('networkidle');
  const { issues } = await plane.listIssues(admin, {});
  expect(issues.map(({ title }) => title)).toEqual(['Tidy up']);
  const entries = await plane.getIssueTimeline(admin, issues[0]?.id ?? '');
  expect(JSON.stringify(entries).split('At noon')).toHaveLength(2);
  const tokens = (await plane.credentials(admin)).filter(({ kind }) => kind === 'agent_token');
  expect(tokens).toHaveLength(1);
  await visit.end();
});
