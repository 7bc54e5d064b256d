/** A pull request is merged on GitHub's own description (prism), and with the faults that it does not have on demand. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PullRequestView } from '../../src/domain/place-acts.js';
import { allPermissions } from '../../src/domain/principal.js';
import { machines } from '../../src/tasks/index.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { connectedTo } from '../../src/toolkits/github/testing/connected.js';
import { startPrism } from '../../src/toolkits/github/testing/prism.js';
import { newId } from '../../src/util/hash.js';
import type { Counterpart } from '../counterparts/child.js';
import { type Scripted, sendJson, startScripted } from '../counterparts/scripted.js';

const id = 'github:octocat/hello-world#8';
const ready = [
  { type: 'CONFLICTS_CHECKED', mergeable: true },
  { type: 'REVIEW_SUBMITTED', reviewer: 'ann', verdict: 'approved' },
];
const headers = { authorization: 'Bearer x' };
let helve: TestHelve;
afterEach(() => helve?.close());

async function open(url: string, more: Partial<Parameters<typeof createTestHelve>[0]> = {}) {
  helve = await createTestHelve({ ...connectedTo(url), ...more });
  const { actors } = helve.storage.workspace(helve.workspaceId);
  await actors.insert({ kind: 'pr', id }, machines.pr.initial({ id, repo: 'github:octocat/hello-world' }));
}

async function tell(...events: readonly { readonly type: string }[]): Promise<void> {
  const { actors } = helve.storage.workspace(helve.workspaceId);
  for (const event of events) await actors.send({ to: { kind: 'pr', id }, id: newId(), event: { ...event } });
}

async function until(fits: (view: PullRequestView) => boolean): Promise<PullRequestView> {
  const stop = AbortSignal.timeout(20_000);
  for await (const _ of helve.plane.followActor(helve.admin, { kind: 'pr', id }, stop)) {
    const view = await helve.plane.getPlace(helve.admin, 'pr', id);
    if (fits(view)) return view;
  }
  throw new Error(`It never came: ${JSON.stringify(await helve.plane.getPlace(helve.admin, 'pr', id))}`);
}

const calls = async () =>
  (await helve.audited())
    .filter(({ type }) => type === 'execution.finished' || type === 'execution.refused')
    .map(({ tool, actor }) => [tool, actor.name]);

let prism: Counterpart;
beforeAll(async () => {
  prism = await startPrism();
});
afterAll(() => prism?.close());

describe('on the description of GitHub', () => {
  test('R-machines: a pull request is merged as whoever told it to, through the tool and the pipeline', async () => {
    await open(prism.url);
    await expect(helve.plane.mergePullRequest(helve.admin, id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'It cannot be merged: Whether it has conflicts is not known yet; Approvals missing: 1',
    });
    const told = await helve.plane.mergePullRequest(helve.admin, id, { whenReady: true });
    expect(told).toMatchObject({ state: 'open', mergeability: { told: true }, mergedFor: { id: helve.admin.id } });
    expect((await helve.plane.callOffMerge(helve.admin, id)).mergeability.told).toBe(false);
    await expect(helve.plane.callOffMerge(helve.admin, id)).rejects.toMatchObject({ code: 'conflict' });
    await tell(...ready);
    await until(({ mergeability }) => mergeability.can);
    // A control: nothing merges by itself.
    expect(await calls()).toEqual([]);
    await helve.plane.mergePullRequest(helve.admin, id);
    expect(await until(({ state }) => state === 'merged')).toMatchObject({ mergeability: { why: ['It is merged'] } });
    expect(await calls()).toEqual([['GitHub.mergePullRequest', helve.admin.name]]);
    const ordered = (await helve.audited()).filter(({ type }) => type.startsWith('merge.'));
    expect(ordered.map(({ type, actor }) => [type, actor.id])).toEqual([
      ['merge.ordered', helve.admin.id],
      ['merge.called_off', helve.admin.id],
      ['merge.ordered', helve.admin.id],
    ]);
  });

  test('R-levels: autoMerge merges for whoever set it, with the rights that this one has then', async () => {
    await open(prism.url);
    const { credential, secret } = await helve.plane.createApiKey(helve.admin, {
      permissions: allPermissions,
      name: 'k',
    });
    const key = await helve.plane.authenticate(secret);
    const place = { kind: 'pr', id } as const;
    await expect(helve.plane.updatePlace(key, place, { autoMerge: true, account: 'work-githb' })).rejects.toMatchObject(
      {
        code: 'not_found',
        hint: 'Did you mean work-github?',
      },
    );
    await expect(helve.plane.updatePlace(key, place, { account: 'work-github' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const set = await helve.plane.updatePlace(key, place, { autoMerge: true, account: 'work-github' });
    expect(set.mergedFor).toMatchObject({ id: key.id });
    await helve.plane.revokeCredential(helve.admin, credential.id);
    await tell(...ready);
    const failed = await until(({ mergeability }) => mergeability.error !== undefined);
    expect(failed.mergeability.error).toBe('k, who ordered it, no longer has access');
    expect(await calls()).toEqual([]);
    await helve.plane.updatePlace(helve.admin, place, { autoMerge: true });
    await tell({ type: 'COMMITS_PUSHED' }, ...ready);
    await until(({ state }) => state === 'merged');
    expect(await calls()).toEqual([['GitHub.mergePullRequest', helve.admin.name]]);
  });

  test('attack: an agent does not merge for a key that was revoked since', async () => {
    await open(prism.url);
    const { plane, admin } = helve;
    const [account] = await plane.connections(admin);
    const grant = {
      toolkit: 'github',
      tools: ['merge_pull_request', 'get_pull_request'],
      connectionId: account?.id ?? '',
    };
    await plane.replaceGrants(admin, 'tester', [grant]);
    const { credential, secret } = await plane.createApiKey(admin, { permissions: allPermissions, name: 'k' });
    const acting = await plane.actAs(await plane.authenticate(secret), 'tester');
    await plane.mergePullRequest(acting, id, { whenReady: true });
    await plane.revokeCredential(admin, credential.id);
    await tell(...ready);
    const failed = await until(({ state, mergeability }) => state === 'merged' || mergeability.error !== undefined);
    expect(failed).toMatchObject({ mergeability: { error: 'k, who ordered it, no longer has access' } });
    expect(await calls()).toEqual([]);
  });

  test('R-machines: a policy decides about the merge as about every call, and an agent merges only with a grant', async () => {
    await open(prism.url, {
      policies: [{ id: 'ask', effect: 'require_approval', when: { tools: ['github.merge_pull_request'] } }],
    });
    await tell(...ready);
    await until(({ mergeability }) => mergeability.can);
    await helve.plane.mergePullRequest(helve.admin, id);
    const failed = await until(({ mergeability }) => mergeability.error !== undefined);
    expect(failed.mergeability.error).toMatch(/^approval_required: merge_pull_request /);
    const [waiting] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    await helve.plane.decideApproval(helve.admin, waiting?.id ?? '', 'approved', 'api');
    await helve.plane.createAgent(helve.admin, { slug: 'rival' });
    const rival = await helve.plane.actAs(helve.admin, 'rival');
    await expect(helve.plane.mergePullRequest(rival, id)).rejects.toMatchObject({ code: 'not_found' });
    await helve.plane.mergePullRequest(helve.admin, id);
    await until(({ state }) => state === 'merged');
  });
});

describe('faults', () => {
  let server: Scripted;
  let merged = false;
  let answers: 'lost' | 'fine' = 'fine';
  beforeAll(async () => {
    server = await startScripted();
    const example = (await (
      await fetch(`${prism.url}/repos/octocat/hello-world/pulls/8`, { headers })
    ).json()) as object;
    server.answer = ({ method }, response) => {
      if (method === 'GET') return sendJson(response, 200, { ...example, merged });
      if (merged) return sendJson(response, 405, { message: 'Pull Request is not mergeable' });
      merged = true;
      if (answers === 'lost') return void response.destroy();
      return sendJson(response, 200, { merged: true, sha: 'a'.repeat(40), message: 'Merged' });
    };
  });
  afterAll(() => server?.close());

  test('R-machines: what is merged already, by somebody else or before a lost answer, is not merged again', async () => {
    for (const [fault, isMerged] of [
      ['fine', true],
      ['lost', false],
    ] as const) {
      [merged, answers] = [isMerged, fault];
      server.seen.length = 0;
      await open(server.url);
      await tell(...ready);
      await until(({ mergeability }) => mergeability.can);
      await helve.plane.mergePullRequest(helve.admin, id);
      expect((await until(({ state }) => state === 'merged')).mergeability.error).toBeUndefined();
      expect(server.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
      await helve.close();
    }
  });
});
