/**
 * Every tool against prism, which answers from GitHub's own OpenAPI document: the request is one that GitHub knows, and
 * the answer fits the output schema. To show that prism checks requests at all, each is sent again, spoilt.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import { passOnTo, type Scripted, type Seen, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { githubService } from './service.js';
import { connectedTo, named } from './testing/connected.js';
import { startPrism } from './testing/prism.js';
import { githubTools } from './tools/index.js';

/** How a request is spoilt: members of its body replaced or (undefined) removed, its query, or a part of its path. */
interface Spoilt {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly path?: readonly [from: string, to: string];
}

interface Case {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly sends: string;
  readonly body?: unknown;
  readonly output: unknown;
  /** Absent if GitHub's document demands nothing that the request could lack. */
  readonly spoilt?: readonly Spoilt[];
}

const here = { owner: 'octocat', repo: 'hello-world' };
const at = '/repos/octocat/hello-world';
const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const badPage: Spoilt = { query: 'per_page=many' };
const text = expect.any(String);
const octocat = 'octocat';
/** A text with the marker of its effect. */
const marked = (written = '') =>
  expect.stringMatching(new RegExp(`^${written === '' ? '' : `${written}\n\n`}<!-- helve:[0-9a-f]{32} -->$`));

// biome-ignore format: a table
const cases: readonly Case[] = [
  { tool: 'get_authenticated_user', input: {}, sends: 'GET /user', output: { login: octocat, id: 1 } },

  { tool: 'list_repositories', input: { per_page: 5, sort: 'pushed' }, sends: 'GET /user/repos?per_page=5&sort=pushed',
    output: { repositories: [{ full_name: 'octocat/Hello-World', private: false, stars: 80 }] }, spoilt: [badPage, { query: 'sort=luck' }] },
  { tool: 'list_repositories', input: { organization: 'octo-org' }, sends: 'GET /orgs/octo-org/repos',
    output: { repositories: [{ full_name: 'octocat/Hello-World' }] }, spoilt: [badPage] },
  { tool: 'list_repositories', input: { user: octocat }, sends: 'GET /users/octocat/repos',
    output: { repositories: [{ full_name: 'octocat/Hello-World' }] }, spoilt: [badPage] },
  { tool: 'get_repository', input: here, sends: `GET ${at}`, output: { repository: { default_branch: 'master', permissions: ['pull'] } } },
  { tool: 'create_repository', input: { name: 'hello-world', auto_init: true }, sends: 'POST /user/repos',
    body: { name: 'hello-world', private: true, auto_init: true }, output: { full_name: 'octocat/Hello-World' },
    spoilt: [{ body: { name: undefined } }, { body: { private: 'yes' } }] },
  { tool: 'create_repository', input: { name: 'x', organization: 'octo-org', private: false }, sends: 'POST /orgs/octo-org/repos',
    body: { name: 'x', private: false }, output: { full_name: 'octocat/Hello-World' }, spoilt: [{ body: { name: undefined } }, { body: { private: 1 } }] },
  { tool: 'search_repositories', input: { query: 'tetris', sort: 'stars', order: 'asc' }, sends: 'GET /search/repositories?q=tetris&sort=stars&order=asc',
    output: { total: 40, incomplete: false, items: [{ full_name: 'dtrupenn/Tetris' }] }, spoilt: [{ query: '' }, { query: 'q=x&order=up' }] },

  { tool: 'list_branches', input: { ...here, protected: true }, sends: `GET ${at}/branches?protected=true`,
    output: { branches: [{ name: 'master', protected: true }] }, spoilt: [badPage, { query: 'protected=perhaps' }] },
  { tool: 'get_branch', input: { ...here, branch: 'feature/x#1' }, sends: `GET ${at}/branches/feature%2Fx%231`, output: { sha: text } },
  { tool: 'create_branch', input: { ...here, branch: 'feature/x', from: sha }, sends: `POST ${at}/git/refs`, body: { ref: 'refs/heads/feature/x', sha },
    output: { name: 'feature/x', sha: text }, spoilt: [{ body: { sha: undefined } }, { body: { ref: 7 } }] },
  { tool: 'delete_branch', input: { ...here, branch: 'feature/x' }, sends: `DELETE ${at}/git/refs/heads%2Ffeature%2Fx`,
    output: { deleted: true, branch: 'feature/x', sha: text } },

  { tool: 'list_commits', input: { ...here, ref: 'main', path: 'src/a b.ts', since: '2026-01-01T00:00:00Z' },
    sends: `GET ${at}/commits?sha=main&path=src%2Fa+b.ts&since=2026-01-01T00%3A00%3A00Z`,
    output: { commits: [{ sha, message: 'Fix all the bugs', author: octocat, parents: [sha] }] }, spoilt: [badPage, { query: 'since=yesterday' }] },
  { tool: 'get_commit', input: { ...here, ref: 'main' }, sends: `GET ${at}/commits/main`,
    output: { sha, additions: 104, deletions: 4, files: [{ path: 'file1.txt', status: 'modified', additions: 10 }] }, spoilt: [badPage] },
  { tool: 'compare_commits', input: { ...here, base: 'main', head: 'hubot:feature/x' }, sends: `GET ${at}/compare/main...hubot%3Afeature%2Fx`,
    output: { status: 'behind', ahead_by: 1, behind_by: 2, commits: [{ sha }], files: [{ path: 'file1.txt' }] }, spoilt: [badPage] },

  { tool: 'list_tree', input: { ...here, ref: 'main' }, sends: `GET ${at}/git/trees/main?recursive=1`,
    output: { truncated: false, entries: expect.arrayContaining([{ path: 'file.rb', type: 'blob', size: 30 }]) } },
  { tool: 'get_file', input: { ...here, path: 'README.md', ref: 'main', encoding: 'base64' }, sends: `GET ${at}/contents/README.md?ref=main`,
    output: { file: { path: 'README.md', encoding: 'base64', content: text } } },
  { tool: 'search_code', input: { query: 'addClass repo:jquery/jquery' }, sends: 'GET /search/code?q=addClass+repo%3Ajquery%2Fjquery',
    output: { items: [{ path: 'src/attributes/classes.js', repository: 'jquery/jquery' }] }, spoilt: [{ query: '' }, { query: 'q=x&per_page=many' }] },
  { tool: 'create_file', input: { ...here, path: 'ä.txt', content: 'Grüße\n', message: 'Add', branch: 'main' }, sends: `PUT ${at}/contents/%C3%A4.txt`,
    body: { message: 'Add', branch: 'main', content: 'R3LDvMOfZQo=' }, output: { path: 'ä.txt', sha: text, commit_sha: text },
    spoilt: [{ body: { message: undefined } }, { body: { content: 7 } }] },
  { tool: 'update_file', input: { ...here, path: 'a.bin', content: 'AAEC', encoding: 'base64', message: 'Mend', sha }, sends: `PUT ${at}/contents/a.bin`,
    body: { message: 'Mend', sha, content: 'AAEC' }, output: { sha: text, commit_url: text }, spoilt: [{ body: { content: undefined } }, { body: { sha: 7 } }] },
  { tool: 'delete_file', input: { ...here, path: 'a.txt', message: 'Drop', sha }, sends: `DELETE ${at}/contents/a.txt`,
    body: { message: 'Drop', sha }, output: { path: 'a.txt', commit_sha: text }, spoilt: [{ body: { sha: undefined } }, { body: { message: [] } }] },

  { tool: 'list_issues', input: { ...here, labels: ['bug', 'good first issue'], state: 'all', page: 2 }, sends: `GET ${at}/issues?state=all&page=2&labels=bug%2Cgood+first+issue`,
    output: { issues: [{ number: 1347, title: 'Found a bug', labels: ['bug'], is_pull_request: true, milestone: { number: 1 } }] }, spoilt: [badPage, { query: 'state=ajar' }] },
  { tool: 'get_issue', input: { ...here, issue_number: 1347 }, sends: `GET ${at}/issues/1347`,
    output: { issue: { number: 1347, state: 'open', author: octocat, body: text } }, spoilt: [{ path: ['1347', 'first'] }] },
  { tool: 'create_issue', input: { ...here, title: 'Found a bug', body: 'Here', labels: ['bug'], assignees: [octocat], milestone: 1 }, sends: `POST ${at}/issues`,
    body: { title: 'Found a bug', body: marked('Here'), labels: ['bug'], assignees: [octocat], milestone: 1 },
    output: { number: 1347, url: text, assignees: [octocat] }, spoilt: [{ body: { title: undefined } }, { body: { body: 7 } }, { body: { assignees: octocat } }] },
  { tool: 'update_issue', input: { ...here, issue_number: 1347, state: 'closed', state_reason: 'not_planned', milestone: null }, sends: `PATCH ${at}/issues/1347`,
    body: { state: 'closed', state_reason: 'not_planned', milestone: null }, output: { number: 1347 },
    spoilt: [{ body: { state: 'ajar' } }, { body: { state_reason: 'luck' } }, { path: ['1347', 'first'] }] },
  { tool: 'search_issues', input: { query: 'windows label:bug', sort: 'created' }, sends: 'GET /search/issues?q=windows+label%3Abug&sort=created',
    output: { total: 280, items: [{ number: 132, repository: 'batterseapower/pinyin-toolkit', is_pull_request: expect.any(Boolean) }] }, spoilt: [{ query: '' }, { query: 'q=x&sort=luck' }] },

  { tool: 'list_issue_comments', input: { ...here, issue_number: 1 }, sends: `GET ${at}/issues/1/comments`, output: { comments: [{ id: 1, body: 'Me too', author: octocat }] }, spoilt: [badPage] },
  { tool: 'create_issue_comment', input: { ...here, issue_number: 1, body: 'Me too' }, sends: `POST ${at}/issues/1/comments`, body: { body: marked('Me too') },
    output: { id: 1, body: 'Me too' }, spoilt: [{ body: { body: undefined } }, { body: { body: 7 } }] },
  { tool: 'update_issue_comment', input: { ...here, comment_id: 1, body: 'Me too' }, sends: `PATCH ${at}/issues/comments/1`, body: { body: 'Me too' },
    output: { id: 1 }, spoilt: [{ body: { body: undefined } }, { body: { body: [] } }] },
  { tool: 'delete_issue_comment', input: { ...here, comment_id: 77 }, sends: `DELETE ${at}/issues/comments/77`, output: { deleted: true }, spoilt: [{ path: ['77', 'last'] }] },

  { tool: 'list_labels', input: here, sends: `GET ${at}/labels`, output: { labels: expect.arrayContaining([{ name: 'bug', color: 'f29513', description: text }]) }, spoilt: [badPage] },
  { tool: 'create_label', input: { ...here, name: 'bug', color: 'f29513' }, sends: `POST ${at}/labels`, body: { name: 'bug', color: 'f29513' },
    output: { name: 'bug' }, spoilt: [{ body: { name: undefined } }, { body: { color: 7 } }] },
  { tool: 'add_issue_labels', input: { ...here, issue_number: 1, labels: ['bug'] }, sends: `POST ${at}/issues/1/labels`, body: { labels: ['bug'] },
    output: { labels: expect.arrayContaining([{ name: 'bug', color: 'f29513', description: text }]) }, spoilt: [{ body: { labels: 7 } }] },
  { tool: 'remove_issue_label', input: { ...here, issue_number: 1, label: 'good first/issue' }, sends: `DELETE ${at}/issues/1/labels/good%20first%2Fissue`,
    output: { labels: [{ name: 'bug' }] }, spoilt: [{ path: ['issues/1', 'issues/one'] }] },
  { tool: 'list_milestones', input: { ...here, state: 'all' }, sends: `GET ${at}/milestones?state=all`, output: { milestones: [{ number: 1, title: 'v1.0', open_issues: 4 }] }, spoilt: [badPage] },

  { tool: 'list_pull_requests', input: { ...here, head: 'octocat:new-topic', base: 'main' }, sends: `GET ${at}/pulls?head=octocat%3Anew-topic&base=main`,
    output: { pull_requests: [{ number: 1347, head: { ref: 'new-topic', sha }, base: { ref: 'master' } }] }, spoilt: [badPage, { query: 'state=ajar' }] },
  { tool: 'get_pull_request', input: { ...here, pull_number: 1347 }, sends: `GET ${at}/pulls/1347`,
    output: { number: 1347, mergeable: true, changed_files: 5, requested_teams: ['justice-league'] }, spoilt: [{ path: ['1347', 'first'] }] },
  { tool: 'create_pull_request', input: { ...here, title: 'Amazing', head: 'octocat:new-topic', base: 'main', draft: true }, sends: `POST ${at}/pulls`,
    body: { title: 'Amazing', head: 'octocat:new-topic', base: 'main', draft: true, body: marked() }, output: { number: 1347, url: text },
    spoilt: [{ body: { head: undefined } }, { body: { base: undefined } }, { body: { draft: 'yes' } }] },
  { tool: 'update_pull_request', input: { ...here, pull_number: 1347, state: 'closed' }, sends: `PATCH ${at}/pulls/1347`, body: { state: 'closed' },
    output: { number: 1347 }, spoilt: [{ body: { state: 'ajar' } }, { body: { title: 7 } }] },
  { tool: 'merge_pull_request', input: { ...here, pull_number: 1347, merge_method: 'squash', sha }, sends: `PUT ${at}/pulls/1347/merge`,
    body: { merge_method: 'squash', sha }, output: { merged: true, sha }, spoilt: [{ body: { merge_method: 'force' } }, { body: { sha: 7 } }] },
  { tool: 'list_pull_request_files', input: { ...here, pull_number: 1 }, sends: `GET ${at}/pulls/1/files`, output: { files: [{ path: 'file1.txt', status: 'added', additions: 103, patch: text }] }, spoilt: [badPage] },
  { tool: 'list_pull_request_commits', input: { ...here, pull_number: 1 }, sends: `GET ${at}/pulls/1/commits`, output: { commits: [{ sha }] }, spoilt: [badPage] },

  { tool: 'list_reviews', input: { ...here, pull_number: 1 }, sends: `GET ${at}/pulls/1/reviews`, output: { reviews: [{ id: 80, state: 'APPROVED', author: octocat }] }, spoilt: [badPage] },
  { tool: 'create_review',
    input: { ...here, pull_number: 1, event: 'REQUEST_CHANGES', body: 'Mend', comments: [{ path: 'a.md', line: 6, start_line: 2, side: 'RIGHT', body: 'Here' }] },
    sends: `POST ${at}/pulls/1/reviews`, body: { event: 'REQUEST_CHANGES', body: marked('Mend'), comments: [{ path: 'a.md', line: 6, start_line: 2, side: 'RIGHT', body: 'Here' }] },
    output: { id: 80, state: text }, spoilt: [{ body: { event: 'PRAISE' } }, { body: { comments: [{ path: 'a.md' }] } }, { body: { comments: [{ path: 'a.md', body: 'x', line: 'six' }] } }] },
  { tool: 'request_reviewers', input: { ...here, pull_number: 1, reviewers: [octocat, 'hubot'], team_reviewers: ['justice-league'] }, sends: `POST ${at}/pulls/1/requested_reviewers`,
    body: { reviewers: [octocat, 'hubot'], team_reviewers: ['justice-league'] }, output: { requested_reviewers: expect.arrayContaining([octocat]), requested_teams: ['justice-league'] },
    spoilt: [{ body: { reviewers: octocat } }] },
  { tool: 'list_review_comments', input: { ...here, pull_number: 1, sort: 'updated' }, sends: `GET ${at}/pulls/1/comments?sort=updated`,
    output: { comments: [{ id: 10, path: 'file1.txt', line: 2, diff_hunk: text, in_reply_to: 8 }] }, spoilt: [badPage, { query: 'sort=luck' }] },
  { tool: 'create_review_comment_reply', input: { ...here, pull_number: 1, comment_id: 42, body: 'Great' }, sends: `POST ${at}/pulls/1/comments/42/replies`, body: { body: marked('Great') },
    output: { id: 10, body: text }, spoilt: [{ body: { body: undefined } }, { path: ['42', 'last'] }] },

  { tool: 'list_check_runs', input: { ...here, ref: 'main', status: 'completed' }, sends: `GET ${at}/commits/main/check-runs?status=completed`,
    output: { total: 1, check_runs: [{ id: 4, name: 'mighty_readme', conclusion: 'neutral', app: 'octoapp' }] }, spoilt: [badPage, { query: 'status=tired' }] },
  { tool: 'get_combined_status', input: { ...here, ref: sha }, sends: `GET ${at}/commits/${sha}/status`,
    output: { state: 'success', sha, total: 2, statuses: [{ context: 'continuous-integration/jenkins' }, { context: 'security/brakeman' }] }, spoilt: [badPage] },
  { tool: 'create_commit_status', input: { ...here, sha, state: 'success', context: 'ci/lint', target_url: 'https://ci.example/1' }, sends: `POST ${at}/statuses/${sha}`,
    body: { state: 'success', context: 'ci/lint', target_url: 'https://ci.example/1' }, output: { state: 'success' }, spoilt: [{ body: { state: 'fine' } }, { body: { state: undefined } }] },
  { tool: 'create_check_run', input: { ...here, name: 'lint', head_sha: sha, conclusion: 'failure', output: { title: 'Lint', summary: 'Two' } }, sends: `POST ${at}/check-runs`,
    body: { name: 'lint', head_sha: sha, conclusion: 'failure', status: 'completed', external_id: expect.stringMatching(/^[0-9a-f]{32}$/), output: { title: 'Lint', summary: 'Two' } }, output: { id: 4, name: text },
    spoilt: [{ body: { name: undefined } }, { body: { head_sha: undefined } }, { body: { output: { summary: 7 } } }] },

  { tool: 'list_workflow_runs', input: { ...here, branch: 'main', status: 'failure' }, sends: `GET ${at}/actions/runs?branch=main&status=failure`,
    output: { total: 1, runs: [{ id: 30433642, run_number: 562, event: 'push', branch: 'master' }] }, spoilt: [badPage, { query: 'status=tired' }] },
  { tool: 'list_workflow_run_jobs', input: { ...here, run_id: 29679449, filter: 'all' }, sends: `GET ${at}/actions/runs/29679449/jobs?filter=all`,
    output: { jobs: [{ name: 'build', steps: expect.arrayContaining([{ name: 'Set up job', status: 'completed', conclusion: 'success' }]) }] }, spoilt: [badPage, { path: ['29679449', 'last'] }] },

  { tool: 'list_releases', input: here, sends: `GET ${at}/releases`, output: { releases: [{ tag: 'v1.0.0', draft: false }] }, spoilt: [badPage] },
  { tool: 'create_release', input: { ...here, tag_name: 'v1.0.0', generate_release_notes: true }, sends: `POST ${at}/releases`, body: { tag_name: 'v1.0.0', generate_release_notes: true, body: marked() },
    output: { tag: 'v1.0.0' }, spoilt: [{ body: { tag_name: undefined } }, { body: { draft: 'yes' } }] },
  { tool: 'search_users', input: { query: 'tom', sort: 'followers' }, sends: 'GET /search/users?q=tom&sort=followers',
    output: { total: 12, items: [{ login: 'mojombo', id: 1 }] }, spoilt: [{ query: '' }, { query: 'q=x&sort=luck' }] },
];

let prism: Counterpart;
let watcher: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  [prism, watcher] = await Promise.all([startPrism(), startScripted()]);
  watcher.answer = passOnTo(() => prism.url);
  helve = await createTestHelve(connectedTo(watcher.url));
});
afterAll(async () => {
  await helve?.close();
  await Promise.all([prism?.close(), watcher?.close()]);
});

/** The plane may change the order of the input. */
function inOrder(line: string): string {
  const [start = '', query = ''] = line.split('?');
  return [start, ...query.split('&').sort()].join(' ');
}

async function spoil({ method, url, body, headers }: Seen, spoilt: Spoilt): Promise<number> {
  const { accept = '', authorization = '' } = headers;
  const [path = '', query] = (spoilt.path ? url.replace(...spoilt.path) : url).split('?');
  const search = spoilt.query ?? query ?? '';
  const changed = body === '' ? undefined : JSON.stringify({ ...JSON.parse(body), ...spoilt.body });
  const response = await fetch(`${prism.url}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers: { accept, authorization, ...(changed === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(changed === undefined ? {} : { body: changed }),
  });
  await response.text();
  return response.status;
}

describe('each tool', () => {
  test.each(
    cases.map((each) => [`${each.tool} ${each.sends}`, each] as const),
  )('R-github: %s follows GitHub’s description, which refuses spoilt requests', async (_title, {
    tool,
    input,
    sends,
    body,
    output,
    spoilt = [],
  }) => {
    watcher.seen.length = 0;
    const result = await helve.call(named(tool), input);
    expect(result).toMatchObject({ ok: true, output });
    const sent = watcher.seen.at(-1);
    expect(inOrder(`${sent?.method} ${sent?.url}`)).toBe(inOrder(sends));
    expect(sent?.body ? JSON.parse(sent.body) : undefined).toEqual(body);
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer ghp_0123456789abcdef',
      'x-github-api-version': '2022-11-28',
    });
    const statuses = await Promise.all(spoilt.map((each) => spoil(sent as Seen, each)));
    for (const [index, status] of statuses.entries())
      expect([400, 422], JSON.stringify(spoilt[index])).toContain(status);
  });

  test('R-github: signing in follows GitHub’s description', async () => {
    const headers = { ...githubService.headers, 'content-type': 'application/json' };
    const ask = async (path: string, body?: object) => {
      const more = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(prism.url + path, { headers, ...more });
      return [response.status, await response.json()];
    };
    const path = '/app/installations/42/access_tokens';
    expect(await ask(path, {})).toEqual([201, expect.objectContaining({ token: text, expires_at: text })]);
    expect(await ask(path, { repositories: 'all' })).toEqual([422, expect.anything()]);
    expect(await ask('/installation/repositories?per_page=1')).toEqual([
      200,
      expect.objectContaining({ repositories: [expect.objectContaining({ owner: expect.anything() })] }),
    ]);
    expect(await ask('/installation/repositories?per_page=many')).toEqual([422, expect.anything()]);
  });

  test('R-github: no tool is left out, and there are at least forty', () => {
    const tried = new Set(cases.map(({ tool }) => tool));
    // GitHub's example for the first address is a file: `recorded.test.ts` has a folder. Its examples for the second have pages without end:
    // `tests/tasks/catch-up.test.ts` has issues.
    const left = ['list_files', 'list_issue_activity'];
    expect(githubTools.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual(left);
    expect(githubTools.length).toBeGreaterThanOrEqual(40);
  });
});
