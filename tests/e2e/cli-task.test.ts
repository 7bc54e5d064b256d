/** `helve task` against a real server: filing, assigning, following, ending. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;
beforeAll(async () => {
  dataDir = await temporaryFolder('cli-task');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run(['task', ...args, '--data', dataDir]);

test('R-cli: an issue is filed, blocked, shown, cancelled and followed to its end', async () => {
  expect((await helve('list')).stdout).toMatch(/There are no issues/);
  const filed = await helve('create', 'It \u001b[31mbreaks', '--require', 'GitHub', '--label', 'bug', '--json');
  const { id } = JSON.parse(filed.stdout) as { id: string };
  expect(JSON.parse(filed.stdout)).toMatchObject({
    state: 'idle',
    labels: ['bug'],
    tools: { requiredApps: ['GitHub'] },
  });
  const assigned = await helve('assign', id, 'first');
  expect(assigned.stdout).toContain(id);
  // What an issue says may come from strangers, and does not reach the terminal as it is.
  expect(assigned.stdout).not.toContain('\u001b');
  await expect.poll(async () => (await helve('list', '--state', 'blocked')).stdout).toContain(id);
  const shown = await helve('show', id);
  expect(shown.stdout).toMatch(
    /blocked, first\n {2}No account of github is connected that .* may use: http.*connect\/github/,
  );
  expect(shown.stdout).toMatch(/filed by .*\n.*ASSIGN_AGENT → preparing\n.*TOOLS_MISSING → blocked/);
  expect((await helve('cancel', id)).stdout).toMatch(/cancelled/);
  const followed = await helve('follow', id);
  expect(followed).toMatchObject({ code: 1, stdout: expect.stringContaining('cancelled') });
  expect((await helve('retry', id)).stdout).toMatch(/preparing|blocked/);
  const refused = await helve('unassign', 'iss_none');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/There is no issue/);
});

test('R-cli: accepting work of which nobody is asked is refused with what to do', async () => {
  const { id } = JSON.parse((await helve('create', 'Paint it', '--json')).stdout) as { id: string };
  const refused = await helve('accept', id);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/The check 0 of the issue does not ask a person.*waitsFor/s);
  expect((await helve('reject', id)).stderr).toMatch(/--reason/);
});

test('R-cli: a source is added with an account of its service, listed, and removed', async () => {
  expect((await helve('source', 'list')).stdout).toMatch(/There are no task sources/);
  const refused = await helve('source', 'add', 'github', 'acme/shop', '--connection', 'hub');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/There is no connection "hub"/);
  const token = join(dataDir, 'token');
  await writeFile(token, 'ghp_0123456789abcdef');
  const account = ['connect', 'github', '--name', 'Hub', '--scheme', 'token', '--secret-file', `token=${token}`];
  const connected = await run([...account, '--no-check', '--data', dataDir]);
  expect([connected.code, connected.stderr]).toEqual([0, '']);
  const added = await helve('source', 'add', 'github', 'acme/shop', '--connection', 'hub', '--pull-request');
  expect(added.stdout).toMatch(/github acme\/shop\n.*http.*\/api\/webhooks\/github\n.*helve_hook_/);
  const listed = JSON.parse((await helve('source', 'list', '--json')).stdout) as { id: string; checks: unknown }[];
  expect(listed).toMatchObject([{ scope: 'acme/shop', connection: 'hub', checks: [{ kind: 'pull_request' }] }]);
  expect(JSON.stringify(listed)).not.toContain('helve_hook_');
  expect((await helve('source', 'remove', listed[0]?.id ?? '')).stdout).toMatch(/is removed/);
  expect((await helve('source')).stdout).toMatch(/There are no task sources/);
});

test('R-cli: a board shows its columns with the titles of their issues', async () => {
  const filed = await helve('create', 'It \u001b[31mbreaks', '--project', 'board', '--json');
  const { id } = JSON.parse(filed.stdout) as { id: string };
  await expect.poll(async () => (await helve('board', 'board')).stdout).toContain(`To do\n  ${id}  It `);
  const { stdout } = await helve('board', 'board');
  expect(stdout).toMatch(/In progress\n/);
  expect(stdout).not.toContain('\u001b');
  expect((await helve('board', 'none')).stderr).toMatch(/There is no project "none"/);
});

test('R-cli: what an attempt and an organisation may use is set and shown, and what is no number is refused', async () => {
  const filed = await helve('create', 'Count it', '--max-cents', '2.5', '--max-tokens', '900', '--json');
  const { id } = JSON.parse(filed.stdout) as { id: string };
  expect(JSON.parse(filed.stdout)).toMatchObject({ limits: { maxCents: 2.5, maxTokens: 900 } });
  expect((await helve('show', id)).stdout).not.toContain('used:');
  expect((await helve('budget', 'own', '--max-cents', '250')).stdout).toMatch(
    /own {2}open.*\n.*\n.*tokens\n {2}0 of 250 US cents/,
  );
  expect(JSON.parse((await helve('budget', 'own', '--json')).stdout)).toMatchObject({ limits: { maxCents: 250 } });
  expect((await helve('budget', 'own', '--max-cents', 'none')).stdout).toContain('  0 US cents');
  const refused = await helve('budget', 'own', '--max-cents', 'two');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/--max-cents must be a number from 0, not two/),
  ]);
});

test('R-cli R-levels: a recipe is set from a file, shown, given to an issue, and removed', async () => {
  const recipe = (...args: string[]) => run(['recipe', ...args, '--data', dataDir]);
  expect((await recipe()).stdout).toMatch(/There are no recipes/);
  const file = join(dataDir, 'recipe.yaml');
  await writeFile(file, 'title: Triage\nsteps:\n  - prompt: Look\n    tools: [calculat]\n');
  const refused = await recipe('set', 'triage', '--file', file);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/steps\/0\/tools\/0: there is no tool "calculat".*Did you mean calculate\?/s);
  await writeFile(file, 'title: Triage\nsteps:\n  - prompt: Look\n    tools: [calculate]\n');
  const set = await recipe('set', 'triage', '--file', file, '--json');
  const { version } = JSON.parse(set.stdout) as { version: string };
  expect((await recipe('show', 'triage')).stdout).toMatch(/^triage {2}Triage\n.*\n1\. Look\n {3}calculate/);
  const stale = await recipe('set', 'triage', '--file', file, '--if-version', 'other');
  expect(stale.code).not.toBe(0);
  expect((await recipe('set', 'triage', '--file', file, '--if-version', version)).code).toBe(0);
  const filed = await helve('create', 'It breaks', '--recipe', 'triage', '--json');
  expect(JSON.parse(filed.stdout)).toMatchObject({ recipe: 'triage' });
  const unknown = await helve('create', 'It breaks', '--recipe', 'triag');
  expect(unknown.stderr).toMatch(/there is no recipe "triag".*Did you mean triage\?/s);
  expect((await recipe('remove', 'triage')).stdout).toMatch(/triage is removed/);
  expect((await recipe('show', 'triage')).stderr).toMatch(/There is no recipe "triage"/);
});
