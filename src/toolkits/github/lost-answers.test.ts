/**
 * The answer to each write is lost, and the call is made again as the next owner of its run makes it. The server is a fake
 * that keeps what was written, refuses what GitHub refuses, and counts effects.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Act, namesWithEffects, repeatAfterLoss } from '../../../tests/counterparts/lost-answers.js';
import { type Scripted, startScripted } from '../../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { blobSha } from './shapes/file.js';
import { connectedTo, named } from './testing/connected.js';
import { githubTools } from './tools/index.js';

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  let server: Scripted;
  let helve: TestHelve;
  beforeAll(async () => {
    server = await startScripted();
    helve = await createTestHelve({ ...connectedTo(server.url), ...(await store()) });
  });
  afterAll(async () => {
    await helve?.close();
    await server?.close();
  });

  type Stored = Record<string, unknown>;

  let effects: string[];
  /** What exists, by its address. */
  let things: Map<string, Stored>;
  let lists: Map<string, Stored[]>;
  let merged: boolean;

  const here = { owner: 'octocat', repo: 'hello-world' };
  const at = '/repos/octocat/hello-world';
  const sha = 'a'.repeat(40);
  const time = '2026-01-31T00:00:00Z';
  const user = { login: 'octocat' };
  const side = { ref: 'x', sha };

  beforeEach(() => {
    effects = [];
    merged = false;
    things = new Map<string, Stored>([
      [`${at}/issues/7`, issue({ number: 7, title: 'Old' })],
      [`${at}/pulls/7`, issue({ number: 7, title: 'Old' })],
      [`${at}/issues/comments/9`, issue({ id: 9, body: 'Old' })],
      [`${at}/git/ref/heads%2Fold`, { object: { sha } }],
      [`${at}/contents/old`, { sha, type: 'file' }],
    ]);
    lists = new Map<string, Stored[]>([[`${at}/issues/7/labels`, [{ name: 'bug', color: 'ffffff' }]]]);
  });

  /** Has every member that the tools read. */
  const issue = (more: object): Stored => ({
    id: 1,
    number: 1,
    title: 'x',
    name: 'x',
    state: 'open',
    user,
    author: user,
    labels: [],
    assignees: [],
    comments: 0,
    html_url: 'https://github.com/x',
    full_name: 'octocat/x',
    private: true,
    fork: false,
    draft: false,
    prerelease: false,
    tag_name: 'v1',
    color: 'ffffff',
    context: 'default',
    status: 'completed',
    head_sha: sha,
    requested_reviewers: [],
    requested_teams: [],
    head: side,
    base: side,
    path: 'a',
    diff_hunk: '@@',
    merged,
    created_at: new Date().toISOString(),
    updated_at: time,
    ...more,
  });

  const missing = { status: 404, body: { message: 'Not Found' } };
  const refused = { status: 422, body: { message: 'Validation Failed', errors: [{ code: 'already_exists' }] } };

  /** Where what is posted to an address can be read one by one: names are given once. */
  function ownAddress(path: string, sent: Stored): string | undefined {
    if (path === `${at}/labels`) return `${path}/${sent.name}`;
    if (path === `${at}/git/refs`) return `${at}/git/ref/${encodeURIComponent(String(sent.ref).replace('refs/', ''))}`;
    if (path === '/user/repos') return `/repos/octocat/${sent.name}`;
    return undefined;
  }

  function post(path: string, sent: Stored) {
    const address = ownAddress(path, sent);
    if (address !== undefined && things.has(address)) return refused;
    const made = issue({ ...sent, head: side, base: side, object: { sha: sent.sha } });
    effects.push(path);
    if (address !== undefined) things.set(address, made);
    const list = path.replace(/\/comments\/\d+\/replies$/, '/comments').replace('/statuses/', '/commits/');
    lists.set(list, [made, ...(lists.get(list) ?? [])]);
    return { status: 201, body: made };
  }

  /** Sets that grow: labels of an issue, requested reviewers. */
  function add(path: string, names: readonly string[]) {
    const before = lists.get(path) ?? [];
    const added = names.filter((name) => !before.some((one) => one.name === name));
    if (added.length > 0) effects.push(path);
    const after = [...before, ...added.map((name) => ({ name, color: 'ffffff', login: name }))];
    lists.set(path, after);
    return { body: path.endsWith('/labels') ? after : issue({ requested_reviewers: after }) };
  }

  function put(path: string, sent: Stored) {
    if (path.endsWith('/merge')) {
      if (merged) return { status: 405, body: { message: 'Pull Request is not mergeable' } };
      merged = true;
      effects.push(path);
      return { body: { merged: true, sha, message: 'Merged' } };
    }
    const before = things.get(path);
    if (before && before.sha !== sent.sha) return { status: 409, body: { message: 'does not match' } };
    const content = { sha: blobSha(Buffer.from(String(sent.content), 'base64')), type: 'file', path: 'a' };
    things.set(path, content);
    effects.push(path);
    return { body: { content, commit: { sha } } };
  }

  function patch(path: string, sent: Stored) {
    const before = things.get(path) ?? {};
    const after = { ...before, ...sent };
    if (JSON.stringify(after) !== JSON.stringify(before)) effects.push(path);
    things.set(path, after);
    return { body: after };
  }

  function remove(path: string) {
    const [, list = '', label] = /^(.*\/labels)\/(\w+)$/.exec(path) ?? [];
    if (label !== undefined) {
      const before = lists.get(list) ?? [];
      if (!before.some(({ name }) => name === label)) return missing;
      lists.set(
        list,
        before.filter(({ name }) => name !== label),
      );
      effects.push(path);
      return { body: lists.get(list) };
    }
    if (!things.delete(path.replace('/git/refs/', '/git/ref/'))) return missing;
    effects.push(path);
    return path.includes('/contents/') ? { body: { content: null, commit: { sha } } } : { status: 204 };
  }

  function get(path: string) {
    if (path === '/user') return { body: user };
    if (/\/pulls\/7$/.test(path)) return { body: issue({ number: 7, merged, merge_commit_sha: sha }) };
    if (path.endsWith('/check-runs')) return { body: { check_runs: lists.get(`${at}/check-runs`) ?? [] } };
    const list = lists.get(path.replace(/\/statuses$/, ''));
    const thing = things.get(path);
    if (list) return { body: list };
    if (thing) return { body: thing };
    return /\/(?:issues|pulls|comments|reviews|releases|statuses)$/.test(path) ? { body: [] } : missing;
  }

  const github: Act = ({ method, url, body }) => {
    const [path = ''] = url.split('?');
    const sent = body === '' ? {} : (JSON.parse(body) as Stored);
    if (method === 'GET') return get(path);
    if (method === 'PUT') return put(path, sent);
    if (method === 'PATCH') return patch(path, sent);
    if (method === 'DELETE') return remove(path);
    if (path.endsWith('/7/labels')) return add(path, sent.labels as string[]);
    if (path.endsWith('/requested_reviewers')) return add(path, sent.reviewers as string[]);
    return post(path, sent);
  };

  // biome-ignore format: a table
  const rows: readonly (readonly [tool: string, input: object, output: object])[] = [
  ['create_repository', { name: 'new' }, { full_name: 'octocat/x' }],
  ['create_branch', { ...here, branch: 'new', from: sha }, { name: 'new', sha }],
  ['delete_branch', { ...here, branch: 'old' }, { deleted: true, branch: 'old' }],
  ['create_file', { ...here, path: 'a', message: 'm', content: 'new\n' }, { path: 'a', sha: blobSha(Buffer.from('new\n')) }],
  ['update_file', { ...here, path: 'old', message: 'm', content: 'new\n', sha }, { path: 'old', sha: blobSha(Buffer.from('new\n')) }],
  ['delete_file', { ...here, path: 'old', message: 'm', sha }, { path: 'old' }],
  ['create_issue', { ...here, title: 'x', body: 'Text' }, { title: 'x', body: 'Text' }],
  ['update_issue', { ...here, issue_number: 7, title: 'New' }, { title: 'New' }],
  ['create_issue_comment', { ...here, issue_number: 7, body: 'Text' }, { body: 'Text' }],
  ['update_issue_comment', { ...here, comment_id: 9, body: 'New' }, { body: 'New' }],
  ['delete_issue_comment', { ...here, comment_id: 9 }, { deleted: true }],
  ['create_label', { ...here, name: 'new', color: 'FFFFFF' }, { name: 'new' }],
  ['add_issue_labels', { ...here, issue_number: 7, labels: ['new'] }, { labels: [{ name: 'bug' }, { name: 'new' }] }],
  ['remove_issue_label', { ...here, issue_number: 7, label: 'bug' }, { labels: [] }],
  ['create_pull_request', { ...here, title: 'x', head: 'a', base: 'b' }, { title: 'x' }],
  ['update_pull_request', { ...here, pull_number: 7, title: 'New' }, { title: 'New' }],
  ['merge_pull_request', { ...here, pull_number: 7 }, { merged: true, sha }],
  ['create_review', { ...here, pull_number: 7, event: 'APPROVE' }, { body: '' }],
  ['request_reviewers', { ...here, pull_number: 7, reviewers: ['ada'] }, { requested_reviewers: ['ada'] }],
  ['create_review_comment_reply', { ...here, pull_number: 7, comment_id: 9, body: 'Text' }, { body: 'Text' }],
  ['create_commit_status', { ...here, sha, state: 'success', context: 'ci/lint' }, { state: 'success', context: 'ci/lint' }],
  ['create_check_run', { ...here, name: 'lint', head_sha: sha, conclusion: 'failure' }, { name: 'lint' }],
  ['create_release', { ...here, tag_name: 'v1', draft: true }, { tag: 'v1' }],
];

  test('R-durable-runs: every tool of GitHub with effects has a row here', () => {
    expect(rows.map(([tool]) => tool).sort()).toEqual(namesWithEffects(githubTools).sort());
  });

  describe.each(['after', 'before'] as const)('the answer is lost %s GitHub acted', (lost) => {
    test.each(rows)('R-durable-runs: %s happens once', async (tool, input, output) => {
      const { result } = await repeatAfterLoss({ helve, tool: named(tool), input }, { server, act: github }, lost);
      expect(result).toMatchObject({ ok: true, output });
      expect(effects).toHaveLength(1);
      expect(JSON.stringify(result)).not.toContain('helve:');
    });
  });

  test.each([
    'create_issue',
    'create_pull_request',
    'create_check_run',
    'create_commit_status',
  ])('R-durable-runs: %s happens twice if its probe sees nothing', async (tool) => {
    const blind: Act = async (seen) =>
      seen.method !== 'GET' ? github(seen) : { body: seen.url.includes('check-runs') ? { check_runs: [] } : [] };
    const input = rows.find(([name]) => name === tool)?.[1] ?? {};
    await repeatAfterLoss({ helve, tool: named(tool), input }, { server, act: blind }, 'after');
    expect(effects).toHaveLength(2);
  });

  describe('what a probe does not take for the effect', () => {
    const call = (tool: string, input: object) => ({ helve, tool: named(tool), input: { ...here, ...input } });

    test('R-durable-runs: the same issue by another call is not it', async () => {
      server.answer = async (seen, response) => {
        const { status = 200, body } = await github(seen);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      await helve.call(named('create_issue'), { ...here, title: 'x', body: 'Text' });
      await repeatAfterLoss(call('create_issue', { title: 'x', body: 'Text' }), { server, act: github }, 'before');
      expect(effects).toHaveLength(2);
    });

    test('R-durable-runs: an older repository of the same name is not it', async () => {
      things.set('/repos/octocat/new', issue({ created_at: time }));
      const own = { helve, tool: named('create_repository'), input: { name: 'new' } };
      const { result } = await repeatAfterLoss(own, { server, act: github }, 'before');
      expect(result).toMatchObject({ ok: false, error: { code: 'conflict' } });
      expect(effects).toEqual([]);
    });

    test('R-durable-runs: a branch at another commit is left to a person, and so is a check with an id of the caller', async () => {
      const move = () => things.set(`${at}/git/ref/heads%2Fnew`, { object: { sha: 'b'.repeat(40) } });
      const moved: Act = (seen) => {
        if (seen.method === 'GET') move();
        return github(seen);
      };
      const branch = call('create_branch', { branch: 'new', from: sha });
      const check = call('create_check_run', { name: 'lint', head_sha: sha, external_id: 'mine' });
      for (const one of [branch, check]) {
        const { result } = await repeatAfterLoss(one, { server, act: moved }, 'after');
        expect(result).toMatchObject({
          ok: false,
          error: { code: 'outcome_unknown', details: { reason: 'in_doubt' } },
        });
      }
      expect(effects).toHaveLength(2);
    });

    test('R-durable-runs: an endless list does not count as the absence of the issue', async () => {
      const next = { link: `<${server.url}${at}/issues?page=2>; rel="next"` };
      const endless: Act = async (seen) =>
        seen.method === 'GET' ? { body: [issue({ body: 'Other' })], headers: next } : github(seen);
      const { result } = await repeatAfterLoss(
        call('create_issue', { title: 'x' }),
        { server, act: endless },
        'before',
      );
      expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      expect(effects).toEqual([]);
    });

    test('R-durable-runs: a list that is older than the attempt is not read on', async () => {
      const next = { link: `<${server.url}${at}/issues?page=2>; rel="next"` };
      const old: Act = async (seen) =>
        seen.method === 'GET' ? { body: [issue({ created_at: time })], headers: next } : github(seen);
      const { result, seen } = await repeatAfterLoss(
        call('create_issue', { title: 'x' }),
        { server, act: old },
        'before',
      );
      expect(result).toMatchObject({ ok: true });
      expect(seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
    });
  });
});
