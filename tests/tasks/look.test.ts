/** Pull requests of which GitHub has not told, or not yet, are read; on GitHub's own description (prism). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/domain/json.js';
import { lookMs, tellToLook } from '../../src/flows/tasks/look.js';
import { machines } from '../../src/tasks/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../src/testing/index.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { connectedTo } from '../../src/toolkits/github/testing/connected.js';
import { newId } from '../../src/util/hash.js';
import { type RememberingGitHub, startGitHub } from '../counterparts/github.js';

const repo = 'github:octocat/hello-world';
const pr = `${repo}#8`;
const [told, pushed] = ['a'.repeat(40), 'b'.repeat(40)];

/** The agent's own questions are never answered: the test says when its work is complete. */
const busy: NonNullable<NonNullable<TestHelveOptions['models']>['language']> = {
  modelId: 'busy',
  doGenerate: (question) =>
    new Promise((_, reject) => question.abortSignal?.addEventListener('abort', () => reject(new Error('aborted')))),
};

let github: RememberingGitHub;
let helve: TestHelve;
beforeAll(async () => {
  github = await startGitHub();
});
afterEach(() => helve?.close());
afterAll(() => github?.close());

const run = (conclusion?: string) => ({
  id: 4,
  name: 'ci',
  status: conclusion === undefined ? 'in_progress' : 'completed',
  conclusion: conclusion ?? null,
  started_at: '2026-11-26T10:00:00Z',
  completed_at: conclusion === undefined ? null : '2026-11-26T10:05:00Z',
});

async function tell(
  kind: 'issue' | 'pr',
  id: string,
  event: { readonly type: string; readonly [key: string]: JsonValue },
) {
  await helve.storage.workspace(helve.workspaceId).actors.send({ to: { kind, id }, id: newId(), event });
}

const contextOf = async (kind: 'issue' | 'pr', id: string) =>
  (await helve.plane.getActor(helve.admin, { kind, id })).snapshot.context;

/** An issue whose agent works, with the pull request, of whose first commit a green check was told. */
async function start({ hasSource = true, ...more }: Partial<TestHelveOptions> & { hasSource?: boolean } = {}) {
  helve = await createTestHelve({ ...connectedTo(github.url), models: { language: busy }, ...more });
  const { plane, admin } = helve;
  if (hasSource)
    await plane.createTaskSource(admin, { provider: 'github', scope: 'octocat', connection: 'work-github' });
  const { id } = await plane.createIssue(admin, { title: 'It breaks', checks: [{ kind: 'pull_request' }] });
  await plane.assignIssue(admin, id, { agent: 'tester' });
  await untilIssue(helve, id, ({ state }) => state === 'executing');
  const { actors } = helve.storage.workspace(helve.workspaceId);
  await actors.insert({ kind: 'pr', id: pr }, machines.pr.initial({ id: pr, repo, issue: id, head: told }));
  await tell('pr', pr, { type: 'CHECK_UPDATED', name: 'ci', state: 'success', head: told });
  await expect.poll(async () => (await contextOf('issue', id)).pullRequestChecks).toMatchObject({ state: 'success' });
  return id;
}

/** As the timer of a process does. Returns how many pull requests were told. */
async function tellAwaited(at: Date): Promise<number> {
  let count = 0;
  const { actors } = helve.storage.workspace(helve.workspaceId);
  type Host = Parameters<typeof tellToLook>[0]['actors'];
  const host: Pick<Host, 'list' | 'read' | 'send'> = {
    list: ({ workspaceId: _, ...query }) => actors.list(query),
    read: async (address) => helve.plane.getActor(helve.admin, address),
    async send(to, event, { id }) {
      const isNew = (await actors.send({ to, event, id })) === 'accepted';
      if (isNew) count += 1;
      return isNew;
    },
  };
  await tellToLook({ actors: host as Host, storage: helve.storage, now: () => at });
  return count;
}

const calls = async () => (await helve.audited()).filter(({ type }) => type === 'execution.finished');

describe('what was pushed and not told', () => {
  test('R-machines R-agent-worker: is not verified by the checks of the commit before', async () => {
    github.heads.set(8, pushed);
    github.runs.set(pushed, [run()]);
    const id = await start();
    await tell('issue', id, { type: 'COMPLETED', result: null });
    await expect.poll(async () => (await contextOf('pr', pr)).head).toBe(pushed);
    await expect.poll(async () => (await contextOf('issue', id)).pullRequestChecks).toMatchObject({ state: 'pending' });
    expect(await helve.plane.getIssue(helve.admin, id)).toMatchObject({ state: 'verifying', attempts: 1 });
    // No delivery comes: it is read again.
    github.runs.set(pushed, [run('success')]);
    const at = new Date('2030-01-01T00:00:00Z');
    expect([await tellAwaited(at), await tellAwaited(at)]).toEqual([1, 0]);
    expect(await untilIssue(helve, id, ({ state }) => state === 'done')).toMatchObject({
      delivered: { pullRequest: pr },
    });
    const read = await calls();
    expect(read[0]?.actor).toMatchObject({ id: helve.admin.id });
    // Once before it was verified, once when it was time, which two processes noticed, and once before it was verified again.
    expect(read.filter(({ tool }) => tool === 'GitHub.getPullRequest')).toHaveLength(3);
    // Nothing waits for it any more.
    expect(await tellAwaited(new Date(at.getTime() + lookMs))).toBe(0);
  });

  test('as a control, without a task source nobody can read it, and what was told decides', async () => {
    github.heads.set(8, pushed);
    github.runs.set(pushed, [run('failure')]);
    const id = await start({ hasSource: false });
    await tell('issue', id, { type: 'COMPLETED', result: null });
    await untilIssue(helve, id, ({ state }) => state === 'done');
    expect(await calls()).toEqual([]);
  });

  test('R-machines: a check that failed unheard is a reason for the next attempt', async () => {
    github.heads.set(8, told);
    github.runs.set(told, [run('failure')]);
    const id = await start();
    await tell('issue', id, { type: 'COMPLETED', result: null });
    const again = await untilIssue(helve, id, ({ attempts }) => attempts === 2);
    expect(again.lastError?.message).toBe(`pull_request: Checks of ${pr} have failed: ci`);
  });
});

test('R-machines R-approval: nobody is asked whether a pull request may be read every few minutes', async () => {
  github.heads.set(8, pushed);
  const policies = [{ id: 'ask', effect: 'require_approval', when: { tools: ['github.get_pull_request'] } }] as const;
  const id = await start({ policies });
  await tell('issue', id, { type: 'COMPLETED', result: null });
  await untilIssue(helve, id, ({ state }) => state === 'done');
  expect(await helve.plane.approvals(helve.admin, { status: 'pending' })).toEqual([]);
});
