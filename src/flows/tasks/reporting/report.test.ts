/** What became of an issue is written where it was filed: once, whatever gets lost. GitHub is a counterpart that prism checks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RememberingGitHub, startGitHub } from '../../../../tests/counterparts/github.js';
import type { Seen } from '../../../../tests/counterparts/scripted.js';
import type { IssueView } from '../../../domain/issue-acts.js';
import { createHelve, type Helve } from '../../../helve.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../../testing/index.js';
import { untilIssue } from '../../../testing/until-issue.js';
import { github as toolkit } from '../../../toolkits/github/toolkit.js';
import { slack } from '../../../toolkits/slack/toolkit.js';
import { hookSecret, recorded, repository, signed } from '../webhooks/testing/github.js';

let github: RememberingGitHub;
beforeAll(async () => {
  github = await startGitHub();
});
afterAll(() => github.close());

const opened: Pick<Helve, 'close'>[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  github.loses = () => false;
  github.holds = async () => undefined;
});

/** Each test has an issue of its own at the counterpart. */
let number = 100;
const ref = () => `github:${repository}#${number}`;

const says = (text: string) => ({
  modelId: 'scripted',
  doGenerate: async () => ({ content: [{ type: 'text' as const, text }], finishReason: 'stop' }),
});

const optionsWith = (more: TestHelveOptions): TestHelveOptions => ({
  nativeToolkits: [toolkit, slack],
  config: `toolkits:\n  github:\n    base_url: ${github.url}\n`,
  publicUrl: 'http://localhost',
  ...more,
});

async function open(more: TestHelveOptions = {}): Promise<TestHelve> {
  number += 1;
  const account = { toolkit: 'github', name: 'Hub', scheme: 'token', credentials: { token: 'ghp_0123456789abcdef' } };
  const helve = await createTestHelve(optionsWith({ connections: [account], ...more }));
  opened.push(helve);
  const source = { provider: 'github', scope: repository, connection: 'hub', secret: hookSecret } as const;
  await helve.plane.createTaskSource(helve.admin, source);
  await helve.plane.receiveWebhook('github', await signed(recorded('issues', 'opened', { issue: { number } })));
  return helve;
}

const until = (helve: Pick<TestHelve, 'plane' | 'admin'>, fits: (issue: IssueView) => boolean) =>
  untilIssue(helve, ref(), fits);

/** Once nothing is left to report. */
async function reported({ plane, admin }: Pick<TestHelve, 'plane' | 'admin'>): Promise<readonly string[]> {
  const address = { kind: 'issue', id: ref() } as const;
  await expect.poll(async () => (await plane.getActor(admin, address)).work, { timeout: 20_000 }).toEqual([]);
  return github.comments.filter(({ issue }) => issue === number).map(({ body }) => body);
}

/** Every blocked issue of the workspace looks again when a tool config changes, also that of another organisation. */
const lookAgain = ({ plane, admin }: TestHelve, disabled: readonly string[]) =>
  plane.putToolConfig(admin, { level: 'org', id: 'own' }, { disabled });

const effects = () => github.effects.filter((one) => one.includes(` ${number}`));
const labels = () => [...(github.labels.get(number) ?? [])];

describe('R-task-mcp: outcomes are written back', () => {
  it('what is done is commented once, with the result and a link, and labelled', async () => {
    const helve = await open({ models: { language: says('The typo is gone.') } });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'done');
    const [comment, ...others] = await reported(helve);
    expect(others).toEqual([]);
    expect(comment).toMatch(
      /^\*\*Done\*\* by the agent `tester`\.\n\nThe typo is gone\.\n\n\[Details\]\(http:\/\/localhost\/panel/,
    );
    expect(labels()).toEqual(['helve:done']);
    // As the person of the source, and in the record like every call.
    const calls = (await helve.audited()).filter(({ type }) => type === 'execution.finished');
    expect(calls.map(({ actor, tool }) => [actor.id, tool])).toEqual([
      // When the source was added.
      [helve.admin.id, 'GitHub.getRepository'],
      [helve.admin.id, 'GitHub.getIssue'],
      [helve.admin.id, 'GitHub.createIssueComment'],
      [helve.admin.id, 'GitHub.addIssueLabels'],
    ]);
  });

  it('what is blocked says so once with the link that connects the account, also when the issue looks again', async () => {
    const required = { requiredApps: ['slack'] };
    const helve = await open({ models: { language: says('Done.') } });
    await helve.plane.updateIssue(helve.admin, ref(), { tools: required });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    const { version } = await until(helve, ({ state }) => state === 'blocked');
    await reported(helve);
    for (const disabled of [['github'], []]) await lookAgain(helve, disabled);
    await until(helve, (issue) => issue.state === 'blocked' && issue.version > version + 1);
    const [comment, ...others] = await reported(helve);
    expect(others).toEqual([]);
    expect(comment).toMatch(
      /An account of slack has to be connected: \[connect it\]\(http:\/\/localhost\/panel\/connections\/connect\/slack\)/,
    );
    expect(labels()).toEqual(['helve:blocked']);
    await helve.plane.updateIssue(helve.admin, ref(), { tools: {} });
    await until(helve, ({ state }) => state === 'done');
    expect(await reported(helve)).toHaveLength(2);
    expect(labels()).toEqual(['helve:done']);
  });

  it('what is blocked is said although the issue looks again meanwhile, and its report is replaced', async () => {
    const helve = await open({ models: { language: says('Done.') } });
    const { plane, admin } = helve;
    const address = { kind: 'issue', id: ref() } as const;
    const reports = async () => (await plane.getActor(admin, address)).work.filter(({ name }) => name === 'report');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isComment = ({ method, url }: Seen) => method === 'POST' && url.endsWith(`/${number}/comments`);
    github.holds = async (seen) => void (isComment(seen) && (await held));
    await plane.updateIssue(admin, ref(), { tools: { requiredApps: ['slack'] } });
    await plane.assignIssue(admin, ref(), { agent: 'tester' });
    await expect.poll(effects).toEqual([`comment ${number}`]);
    const [first] = await reports();
    await lookAgain(helve, ['github']);
    // The second one follows the run of the first.
    await expect
      .poll(async () => (await reports()).filter((one) => one.id !== first?.id && one.progress))
      .toHaveLength(1);
    release();
    expect(await reported(helve)).toHaveLength(1);
    expect(effects()).toEqual([`comment ${number}`, `label ${number} helve:blocked`]);
  });

  it('a label of an earlier outcome goes although it could not be read at first', async () => {
    const helve = await open({ models: { language: says('Done.') } });
    await helve.plane.updateIssue(helve.admin, ref(), { tools: { requiredApps: ['slack'] } });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'blocked');
    await reported(helve);
    expect(labels()).toEqual(['helve:blocked']);
    let lost = 0;
    // A read that fails is repeated by the client of GitHub: all its attempts are lost.
    github.loses = ({ method, url }) => method === 'GET' && url.endsWith(`/issues/${number}`) && lost++ < 6;
    await helve.plane.updateIssue(helve.admin, ref(), { tools: {} });
    await expect.poll(labels, { timeout: 25_000 }).toEqual(['helve:done']);
    expect(lost).toBeGreaterThan(6);
  });

  it('what failed is not written after a later success, although its report still waits for a person', async () => {
    const policy = { id: 'ask', effect: 'require_approval', when: { tools: ['github.create_issue_comment'] } } as const;
    const helve = await open({ models: { language: says('Done.') }, policies: [policy] });
    const { plane, admin } = helve;
    const checks = [{ kind: 'output', schema: { type: 'object', required: ['fixed'] } }] as const;
    await plane.updateIssue(admin, ref(), { checks, limits: { maxAttempts: 1, maxSteps: 1 } });
    await plane.assignIssue(admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'failed');
    const pending = () => plane.approvals(admin, { status: 'pending' });
    await expect.poll(async () => (await pending()).length, { timeout: 20_000 }).toBe(1);
    const [earlier] = await pending();
    await plane.updateIssue(admin, ref(), { checks: [] });
    await plane.retryIssue(admin, ref());
    await until(helve, ({ state }) => state === 'done');
    // The approval of the earlier report is withdrawn with its run.
    const later = async () => (await pending()).filter(({ id }) => id !== earlier?.id);
    await expect.poll(async () => (await later()).length, { timeout: 20_000 }).toBe(1);
    await reported(helve);
    for (const { id } of await pending()) await plane.decideApproval(admin, id, 'approved', 'api');
    await expect.poll(labels, { timeout: 20_000 }).toContain('helve:done');
    await expect.poll(async () => (await plane.listRuns(admin, { status: 'waiting' })).length).toBe(0);
    await expect.poll(async () => (await plane.listRuns(admin, { status: 'running' })).length).toBe(0);
    expect(effects()).toEqual([`comment ${number}`, `label ${number} helve:done`]);
  });

  it('a label of an earlier outcome goes although the labels may not be read', async () => {
    const helve = await open({ models: { language: says('Done.') } });
    await helve.plane.updateIssue(helve.admin, ref(), { tools: { requiredApps: ['slack'] } });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'blocked');
    await expect.poll(labels, { timeout: 20_000 }).toEqual(['helve:blocked']);
    const policy = { id: 'no-reading', effect: 'deny', when: { tools: ['github.get_issue'] } } as const;
    await helve.plane.replacePolicies(helve.admin, [policy]);
    await helve.plane.updateIssue(helve.admin, ref(), { tools: {} });
    await until(helve, ({ state }) => state === 'done');
    await expect.poll(labels, { timeout: 20_000 }).toEqual(['helve:done']);
  });

  it('what has failed says why', async () => {
    const models = { language: says('I could not do it.') };
    const helve = await open({ models });
    const checks = [{ kind: 'output', schema: { type: 'object', required: ['fixed'] } }] as const;
    await helve.plane.updateIssue(helve.admin, ref(), { checks, limits: { maxAttempts: 1, maxSteps: 1 } });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'failed');
    const [comment, ...others] = await reported(helve);
    expect(others).toEqual([]);
    expect(comment).toMatch(/^\*\*Failed:\*\* the agent `tester` has stopped/);
    expect(comment).toMatch(/> The work has used/);
    expect(labels()).toEqual(['helve:failed']);
  });

  it('attack: a secret in what the agent said is not published', async () => {
    const secret = `ghp_${'A1b2C3d4'.repeat(4)}abcd`;
    const helve = await open({ models: { language: says(`The token is ${secret}, as you asked.`) } });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'done');
    const [comment] = await reported(helve);
    expect(comment).toContain('The token is');
    expect(comment).not.toContain(secret);
  });

  it('reports nothing of an issue that was filed here, or whose source is gone', async () => {
    const helve = await open({ models: { language: says('Done.') } });
    const [source] = await helve.plane.listTaskSources(helve.admin);
    const before = github.effects.length;
    const { id } = await helve.plane.createIssue(helve.admin, { title: 'Here', repo: `github:${repository}` });
    await helve.plane.deleteTaskSource(helve.admin, source?.id ?? '');
    for (const one of [id, ref()]) {
      await helve.plane.assignIssue(helve.admin, one, { agent: 'tester' });
      await untilIssue(helve, one, ({ state }) => state === 'done');
    }
    await reported(helve);
    expect(github.effects.length).toBe(before);
  });

  it('a comment whose answer was lost is found, and not written again', async () => {
    const helve = await open({ models: { language: says('Done.') } });
    let lost = 0;
    github.loses = ({ method, url }) => method === 'POST' && url.endsWith('/comments') && lost++ === 0;
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'done');
    await expect.poll(() => lost).toBeGreaterThan(0);
    await expect.poll(labels).toEqual(['helve:done']);
    expect(github.comments.filter(({ issue }) => issue === number)).toHaveLength(1);
  });

  it('another process finishes a report of one that ended, without a second comment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helve-report-'));
    folders.push(folder);
    const models = { language: says('Done.') };
    const database = join(folder, 'helve.db');
    const first = await open({ models, database });
    // The comment arrives, and its answer only after the process has ended.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    github.holds = async ({ method, url }) => {
      if (isHeld || method !== 'POST' || !url.endsWith('/comments')) return;
      isHeld = true;
      await held;
    };
    await first.plane.assignIssue(first.admin, ref(), { agent: 'tester' });
    await expect.poll(() => isHeld, { timeout: 20_000 }).toBe(true);
    expect(effects()).toEqual([`comment ${number}`]);
    await Promise.all([opened.pop()?.close(), release()]);
    const second = await createHelve(optionsWith({ models, database }));
    opened.push(second);
    await expect.poll(labels, { timeout: 20_000 }).toEqual(['helve:done']);
    expect(effects()).toEqual([`comment ${number}`, `label ${number} helve:done`]);
  });

  it('R-approval: waits for a person where the policies ask for one, and is written after the yes', async () => {
    const policy = { id: 'ask', effect: 'require_approval', when: { tools: ['github.create_issue_comment'] } } as const;
    const helve = await open({ models: { language: says('Done.') }, policies: [policy] });
    await helve.plane.assignIssue(helve.admin, ref(), { agent: 'tester' });
    await until(helve, ({ state }) => state === 'done');
    await expect.poll(async () => (await helve.plane.approvals(helve.admin, { status: 'pending' })).length).toBe(1);
    expect(effects()).toEqual([]);
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    await helve.plane.decideApproval(helve.admin, approval?.id ?? '', 'approved', 'api');
    await expect.poll(effects, { timeout: 20_000 }).toEqual([`comment ${number}`, `label ${number} helve:done`]);
  });
});
