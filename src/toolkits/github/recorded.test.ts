/** Traffic that was recorded from the real GitHub: pages, searches, writes and a refusal. */
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { passOnTo, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { explain } from './explain.js';
import { connectedTo, named } from './testing/connected.js';
import { type Recorded, recordedToken, startRecorded } from './testing/recorded.js';

let recorded: Recorded;
beforeAll(async () => {
  recorded = await startRecorded();
});
afterAll(() => recorded?.close());

const helves: TestHelve[] = [];
afterEach(async () => {
  for (const helve of helves.splice(0)) await helve.close();
});

async function openAt(base: string, token = recordedToken) {
  const helve = await createTestHelve(connectedTo(base, token));
  helves.push(helve);
  return {
    async call(tool: string, input: object): Promise<any> {
      const result = await helve.call(named(tool), input);
      return result.ok ? { ok: true, output: result.output } : { ok: false, error: result.error };
    },
  };
}
const open = async (scenario: string) => openAt(await recorded.load(scenario));
const of = (repo: string) => ({ owner: 'octokit-fixture-org', repo });

describe('as GitHub itself answered', () => {
  test('R-github: all pages of a list, by the Link header, and no more', async () => {
    const github = await open('paginate-issues');
    const numbers: number[] = [];
    let page: number | undefined;
    do {
      const input = { ...of('paginate-issues'), per_page: 3, ...(page === undefined ? {} : { page }) };
      const result = await github.call('list_issues', input);
      expect(result).toMatchObject({ ok: true });
      for (const issue of result.output.issues) numbers.push(issue.number);
      page = result.output.next_page;
    } while (page !== undefined);
    expect(numbers).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('R-github: a repository with its etag', async () => {
    const github = await open('get-repository');
    expect(await github.call('get_repository', of('hello-world'))).toMatchObject({
      ok: true,
      output: {
        etag: '"00000000000000000000000000000000"',
        repository: { full_name: 'octokit-fixture-org/hello-world', private: false, permissions: expect.any(Array) },
      },
    });
  });

  test('R-github: the root folder', async () => {
    const github = await open('get-content');
    expect(await github.call('list_files', of('hello-world'))).toEqual({
      ok: true,
      output: {
        entries: [{ name: 'README.md', path: 'README.md', type: 'file', sha: expect.any(String), size: 13 }],
      },
    });
  });

  test('R-github: a search with its total', async () => {
    const github = await open('search-issues');
    const result = await github.call('search_issues', { query: 'sesame repo:octokit-fixture-org/search-issues' });
    expect(result).toMatchObject({ ok: true, output: { total: 2, incomplete: false } });
    expect(result.output.items.map((item: { repository: string }) => item.repository)).toEqual([
      'octokit-fixture-org/search-issues',
      'octokit-fixture-org/search-issues',
    ]);
  });

  test('R-github: a new file, with the same bytes as recorded', async () => {
    const github = await open('create-file');
    const input = { ...of('create-file'), path: 'test.txt', message: 'create test.txt', content: 'Test content' };
    expect(await github.call('create_file', input)).toMatchObject({
      ok: true,
      output: { path: 'test.txt', sha: '3f3f005b29247e51a4f4d6b8ce07b67646cd6074', commit_sha: expect.any(String) },
    });
    const other = await open('create-file');
    expect(await other.call('create_file', { ...input, content: 'Other content' })).toMatchObject({ ok: false });
  });

  test('R-github: an issue, and labels on it', async () => {
    const base = await recorded.load('add-labels-to-issue');
    const front = await startScripted();
    onTestFinished(() => front.close());
    // Recorded without the marker of the effect.
    front.answer = (seen, response) =>
      passOnTo(() => base)({ ...seen, body: seen.body.replace(/,"body":"<!-- helve:[0-9a-f]{32} -->"/, '') }, response);
    const github = await openAt(front.url);
    const issue = await github.call('create_issue', { ...of('add-labels-to-issue'), title: 'Issue without a label' });
    expect(issue).toMatchObject({ ok: true, output: { number: 1, labels: [], state: 'open' } });
    const labels = { ...of('add-labels-to-issue'), issue_number: 1, labels: ['Foo', 'bAr', 'baZ'] };
    expect(await github.call('add_issue_labels', labels)).toMatchObject({
      ok: true,
      output: { labels: [{ name: 'Foo', color: 'ededed' }, { name: 'bAr' }, { name: 'baZ' }] },
    });
  });

  test('R-github: the labels of a repository', async () => {
    const github = await open('labels');
    const list = await github.call('list_labels', of('labels'));
    expect(list.output.labels).toContainEqual({ name: 'bug', color: 'd73a4a', description: "Something isn't working" });
    const label = { ...of('labels'), name: 'test-label', color: '663399' };
    expect(await github.call('create_label', label)).toEqual({
      ok: true,
      output: { name: 'test-label', color: '663399' },
    });
  });

  test('R-github: a branch', async () => {
    const base = await recorded.load('git-refs');
    // The first step lists all references, which no tool does.
    await recordedAnswer(`${base}/repos/octokit-fixture-org/git-refs/git/refs/`);
    const sha = '0000000000000000000000000000000000000002';
    const github = await openAt(base);
    const result = await github.call('create_branch', { ...of('git-refs'), branch: 'test', from: sha });
    expect(result).toEqual({ ok: true, output: { name: 'test', sha: expect.stringMatching(/^0{39}[12]$/) } });
  });

  test('R-github: statuses of a commit, and the combined status', async () => {
    const base = await recorded.load('create-status');
    const github = await openAt(base);
    const sha = '0000000000000000000000000000000000000001';
    for (const [state, context] of [
      ['failure', 'example/1'],
      ['success', 'example/2'],
    ]) {
      const more = { target_url: 'https://example.com', description: `create-status ${state} test` };
      const result = await github.call('create_commit_status', {
        ...of('create-status'),
        sha,
        state,
        context,
        ...more,
      });
      expect(result).toMatchObject({ ok: true, output: { state, context } });
    }
    await recordedAnswer(`${base}/repos/octokit-fixture-org/create-status/commits/${sha}/statuses`);
    expect(await github.call('get_combined_status', { ...of('create-status'), ref: sha })).toMatchObject({
      ok: true,
      output: { state: 'failure', total: 2 },
    });
  });

  test('R-github: a refusal names the field', async () => {
    const base = await recorded.load('errors');
    // The tool's input schema would refuse this colour.
    const github = await openAt(base);
    const refused = await github.call('create_label', {
      ...of('errors'),
      name: 'foo',
      color: 'invalid',
    });
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    const { status, headers, text } = await recordedAnswer(`${base}/repos/octokit-fixture-org/errors/labels`, {
      method: 'POST',
      body: JSON.stringify({ name: 'foo', color: 'invalid' }),
    });
    expect(
      explain({ status, headers, url: base, body: Buffer.from(text), text: () => text, json: () => JSON.parse(text) }),
    ).toEqual({
      code: 'invalid_input',
      message: 'GitHub refused: Validation Failed; label color is not valid',
      details: {
        status: 422,
        fields: ['color'],
        // The fixtures server replaces every address with its own.
        documentation_url: expect.stringMatching(/docs\.github\.com.*#create-a-label$/),
        request_id: expect.any(String),
      },
    });
  });

  test('R-github: requests with another token are refused', async () => {
    const github = await openAt(await recorded.load('get-repository'), 'ghp_another');
    expect(await github.call('get_repository', of('hello-world'))).toMatchObject({ ok: false });
  });
});

async function recordedAnswer(url: string, request: { method?: string; body?: string } = {}) {
  const response = await fetch(url, {
    ...request,
    headers: {
      accept: 'application/vnd.github+json, application/json;q=0.9',
      authorization: `Bearer ${recordedToken}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}
