/**
 * The whole story: an issue of GitHub is delivered and given to an agent by a comment; it is blocked because an app is missing, and goes
 * on once that is connected. The agent, in code mode, makes a branch, a file and a pull request; it is rejected because a check
 * is red, works again, and is done when the check is green. The deliveries are recorded ones, and prism checks every request.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueView } from '../../src/domain/issue-acts.js';
import { hookSecret, recorded, repository, signed } from '../../src/flows/tasks/webhooks/testing/github.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { type RememberingGitHub, startGitHub } from '../counterparts/github.js';

const ref = `github:${repository}#1`;
const pushed = 'b'.repeat(40);
const [owner, repo] = repository.split('/');

const place = JSON.stringify({ owner, repo });

/** The program that the agent runs in each attempt. */
const programs = [
  `const place = ${place};
  await hub.createBranch({ ...place, branch: 'fix', from: 'master' });
  await hub.createFile({ ...place, path: 'a.txt', content: 'fixed', message: 'Fix', branch: 'fix' });
  const pull = await hub.createPullRequest({ ...place, title: 'Fix', head: 'fix', base: 'master', body: 'Fixes #1' });
  return pull.number`,
  `const place = ${place};
  await hub.createFile({ ...place, path: 'b.txt', content: 'linted', message: 'Lint', branch: 'fix' });`,
];

interface Asked {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
}
const asked: Asked[] = [];

const model = {
  modelId: 'scripted',
  async doGenerate(question: unknown) {
    const { prompt } = question as Asked;
    asked.push(structuredClone({ prompt }));
    const attempt = JSON.stringify(prompt).includes('This is attempt 2') ? 2 : 1;
    if (!prompt.some(({ role }) => role === 'assistant')) {
      const input = JSON.stringify({ code: programs[attempt - 1] });
      return {
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'run_code', input }],
        finishReason: 'tool-calls',
      };
    }
    // GitHub tells of the push before the agent has said that it is done.
    if (attempt === 2) await push();
    return { content: [{ type: 'text', text: `The typo is gone (attempt ${attempt}).` }], finishReason: 'stop' };
  },
};

let github: RememberingGitHub;
let helve: TestHelve;
beforeAll(async () => {
  github = await startGitHub();
  const account = { toolkit: 'github', name: 'Hub', scheme: 'token', credentials: { token: 'ghp_0123456789abcdef' } };
  helve = await createTestHelve({
    config: `toolkits:\n  github:\n    base_url: ${github.url}\n`,
    publicUrl: 'http://localhost',
    models: { language: model },
    connections: [account],
  });
});
afterAll(async () => {
  await helve?.close();
  await github?.close();
});

const deliver = async (body: unknown) => helve.plane.receiveWebhook('github', await signed(body));

const until = (fits: (issue: IssueView) => boolean) => untilIssue(helve, ref, fits);

const check = (conclusion: string, head_sha?: string) =>
  recorded('check_run', 'completed', {
    check_run: { conclusion, status: 'completed', ...(head_sha === undefined ? {} : { head_sha }) },
  });

async function push(): Promise<void> {
  const pull_request = { head: { sha: pushed }, updated_at: '2019-05-15T16:00:00Z' };
  await deliver(recorded('pull_request', 'synchronize', { pull_request }));
  const checks = async () => (await helve.plane.getActor(helve.admin, { kind: 'issue', id: ref })).snapshot.context;
  await expect.poll(async () => (await checks()).pullRequestChecks).toMatchObject({ state: 'pending' });
}

test('R-task-mcp R-machines: from a webhook of GitHub over a missing app and a red check to one comment that it is done', async () => {
  const { plane, admin } = helve;
  await plane.changeAgent(admin, 'tester', { toolMode: 'code' });
  const source = { provider: 'github', scope: repository, connection: 'hub', secret: hookSecret } as const;
  await plane.createTaskSource(admin, { ...source, checks: [{ kind: 'pull_request' }] });
  await plane.putToolConfig(admin, { level: 'repo', id: `github:${repository}` }, { requiredApps: ['Linear'] });

  await deliver(recorded('issues', 'opened'));
  await deliver(recorded('issue_comment', 'created', { comment: { body: '/helve assign tester' } }));
  await until(({ state }) => state === 'blocked');
  await expect.poll(() => github.effects, { timeout: 20_000 }).toEqual(['comment 1', 'label 1 helve:blocked']);
  expect(github.comments[0]?.body).toContain('[connect it](http://localhost/panel/connections/connect/linear)');

  const { id } = await plane.addConnection(admin, { toolkit: 'linear', name: 'Team', scheme: 'api_key' });
  // The grant comes first: an issue that has the account and not the grant is blocked again, and says so.
  await plane.changeGrants(admin, 'tester', { add: [{ tools: ['*'] }] });
  await plane.connect(admin, id, { credentials: { key: 'lin_api_0123456789abcdef' }, check: false });

  await until(({ state }) => state === 'verifying');
  expect(github.pulls).toMatchObject([{ number: 2, title: 'Fix' }]);
  await deliver(recorded('pull_request', 'opened', { pull_request: { body: 'Fixes #1' } }));
  await deliver(check('failure'));
  const again = await until(({ attempts, state }) => attempts === 2 && state === 'verifying');
  expect(again).toMatchObject({ lastError: { code: 'rejected' } });
  expect(JSON.stringify(asked.at(-1)?.prompt)).toContain('Octocoders-linter');
  // Late, and about the commit before.
  await deliver(check('failure'));
  await deliver(check('success', pushed));
  const done = await until(({ state }) => state === 'done' || state === 'failed');
  expect(done).toMatchObject({ state: 'done', attempts: 2, delivered: { pullRequest: `github:${repository}#2` } });
  await expect
    .poll(() => github.effects, { timeout: 20_000 })
    .toEqual([
      'comment 1',
      'label 1 helve:blocked',
      'branch fix',
      'file fix:a.txt',
      'pull 2',
      'file fix:b.txt',
      'comment 1',
      'unlabel 1 helve:blocked',
      'label 1 helve:done',
    ]);
  expect(github.comments[1]?.body).toMatch(/^\*\*Done\*\*.*The typo is gone \(attempt 2\).*Codertocat\/Hello-World#2/s);
});
