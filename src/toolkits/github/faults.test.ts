/** Faults that no counterpart has on demand: limits, failures, lost answers, moved and unchanged objects. A fake. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { blobSha } from './shapes/file.js';
import { connectedTo, named } from './testing/connected.js';

let server: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  server = await startScripted();
  helve = await createTestHelve(connectedTo(server.url));
});
afterAll(async () => {
  await helve?.close();
  await server?.close();
});
beforeEach(() => {
  server.seen.length = 0;
});

async function call(tool: string, input: object, by = helve): Promise<any> {
  const result = await by.call(named(tool), input);
  return result.ok ? { ok: true, output: result.output } : { ok: false, error: result.error };
}

const here = { owner: 'octocat', repo: 'hello-world' };
const at = '/repos/octocat/hello-world';
const sha = 'a'.repeat(40);
const newSha = blobSha(Buffer.from('new\n'));
const user = { login: 'octocat', id: 1, html_url: 'https://github.com/octocat', type: 'User' };
const time = '2026-01-31T00:00:00Z';
const issue = {
  number: 7,
  title: 'Bug',
  state: 'open',
  html_url: 'https://github.com/x',
  user,
  labels: [],
  assignees: [],
  comments: 0,
  body: null,
  created_at: time,
  updated_at: time,
  milestone: null,
  closed_at: null,
};
const content = (more: object) => ({
  type: 'file',
  name: 'a',
  path: 'a',
  sha,
  size: 3,
  html_url: null,
  encoding: 'base64',
  content: '',
  ...more,
});
const requests = () => server.seen.map(({ method, url }) => `${method} ${url}`);
const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds);

describe('limits', () => {
  // Once an account must wait, all its calls wait, so each test uses its own account.
  let fresh: TestHelve;
  beforeEach(async () => {
    fresh = await createTestHelve(connectedTo(server.url));
  });
  afterEach(() => fresh.close());
  const limited = (tool: string, input: object) => call(tool, input, fresh);

  test('R-github: the hourly limit: the refusal says how long to wait, and until then nothing more is sent', async () => {
    server.answer = (_, response) =>
      sendJson(
        response,
        403,
        { message: 'API rate limit exceeded for user ID 1.' },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(900), 'x-ratelimit-resource': 'core' },
      );
    const result = await limited('create_issue', { ...here, title: 'x' });
    expect(result).toMatchObject({ ok: false, error: { code: 'rate_limited', retryable: true } });
    const { retryAfterSeconds } = result.error.details;
    expect(retryAfterSeconds).toBeGreaterThan(890);
    expect(retryAfterSeconds).toBeLessThanOrEqual(901);
    expect(await limited('get_issue', { ...here, issue_number: 7 })).toMatchObject({
      error: { code: 'rate_limited' },
    });
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    403, 429,
  ])('R-github: after a secondary limit (%i) the request is sent again once the wait is over', async (status) => {
    server.answer = (_, response) =>
      server.seen.length === 1
        ? sendJson(response, status, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': '1' })
        : sendJson(response, 201, issue);
    const started = Date.now();
    expect(await limited('create_issue', { ...here, title: 'x' })).toMatchObject({ ok: true });
    expect(requests()).toEqual([`POST ${at}/issues`, `POST ${at}/issues`]);
    expect(Date.now() - started).toBeGreaterThan(950);
  });

  test('R-github: the wait for a secondary limit without a time is a minute', async () => {
    server.answer = (_, response) =>
      sendJson(response, 403, { message: 'You have exceeded a secondary rate limit. Please wait.' });
    expect(await limited('create_issue', { ...here, title: 'x' })).toMatchObject({
      error: { code: 'rate_limited', details: { retryAfterSeconds: 60 } },
    });
  });

  test('R-github: an answer that uses up the common limit stops the next call; one that uses up the limit of searches does not', async () => {
    server.answer = ({ url }, response) =>
      sendJson(
        response,
        200,
        url.startsWith('/search') ? { total_count: 0, incomplete_results: false, items: [] } : issue,
        {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': inSeconds(3_000),
          'x-ratelimit-resource': url.startsWith('/search') ? 'search' : 'core',
        },
      );
    expect(await limited('search_issues', { query: 'x' })).toMatchObject({ ok: true });
    expect(await limited('get_issue', { ...here, issue_number: 7 })).toMatchObject({ ok: true });
    expect(await limited('get_issue', { ...here, issue_number: 7 })).toMatchObject({
      error: { code: 'rate_limited' },
    });
    expect(server.seen).toHaveLength(2);
  });
});

describe('refusals', () => {
  // biome-ignore format: a table
  test.each<[string, number, unknown, Record<string, string>, object]>([
    ['what does not exist may be private', 404, { message: 'Not Found' }, {}, { code: 'not_found', hint: expect.stringContaining('may not see') }],
    ['a feature that is switched off', 410, { message: 'Issues are disabled for this repo' }, {}, { code: 'not_found', message: expect.stringContaining('Issues are disabled') }],
    ['a missing permission is named', 403, { message: 'Resource not accessible by personal access token' }, { 'x-accepted-github-permissions': 'issues=write' },
      { code: 'forbidden', hint: expect.stringContaining('issues=write') }],
    ['a missing scope is named', 403, { message: 'Must have admin rights' }, { 'x-accepted-oauth-scopes': 'repo' }, { code: 'forbidden', hint: expect.stringContaining('repo') }],
    ['missing single sign-on is named', 403, { message: 'Resource protected by organization SAML enforcement.' }, { 'x-github-sso': 'required; url=https://x' }, { code: 'forbidden', hint: expect.stringContaining('single sign-on') }],
    ['the wrong field is named', 422, { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'assignees', code: 'invalid', value: 'nobody' }], documentation_url: 'https://docs.github.com/x' }, {},
      { code: 'invalid_input', message: 'GitHub refused: Validation Failed; issue assignees is not valid', details: { fields: ['assignees'], documentation_url: 'https://docs.github.com/x', status: 422 } }],
    ['GitHub’s explanation of a wrong field', 422, { message: 'Validation Failed', errors: [{ resource: 'Issue', code: 'custom', message: 'body is too long' }] }, {}, { message: 'GitHub refused: Validation Failed; body is too long' }],
    ['problems that are plain texts', 422, { message: 'Unprocessable', errors: ['Could not resolve to a node'] }, {}, { message: expect.stringContaining('Could not resolve') }],
    ['a name that is taken', 422, { message: 'Validation Failed', errors: [{ resource: 'Label', field: 'name', code: 'already_exists' }] }, {}, { code: 'conflict', message: expect.stringContaining('label name already exists') }],
    ['a page of a proxy', 451, 'no', {}, { code: 'forbidden', message: 'GitHub refused: status 451' }],
  ])('R-github: %s', async (_what, status, body, headers, error) => {
    server.answer = (_, response) => sendJson(response, status, body, headers);
    expect(await call('create_issue', { ...here, title: 'x' })).toMatchObject({ ok: false, error });
    expect(server.seen).toHaveLength(1);
  });

  // biome-ignore format: a table
  test.each<[string, object, number, string, string]>([
    ['create_file', { path: 'a', message: 'm', content: 'x' }, 422, 'Invalid request.\n\n"sha" wasn\'t supplied.', 'update_file'],
    ['update_file', { path: 'a', message: 'm', content: 'x', sha }, 409, `a does not match ${sha}`, 'get_file'],
    ['delete_file', { path: 'a', message: 'm', sha }, 409, `a does not match ${sha}`, 'get_file'],
    ['merge_pull_request', { pull_number: 7 }, 405, 'Pull Request is not mergeable', 'get_pull_request'],
    ['merge_pull_request', { pull_number: 7, sha }, 409, 'Head branch was modified. Review and try the merge again.', 'read it again'],
  ])('R-github: %s: a conflict is reported with what to do', async (tool, input, status, message, hint) => {
    server.answer = (_, response) => sendJson(response, status, { message });
    expect(await call(tool, { ...here, ...input })).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining(message), hint: expect.stringContaining(hint) },
    });
    expect(server.seen).toHaveLength(1);
  });

  // biome-ignore format: a table
  test.each<[string, object]>([
    ['get_repository', { owner: '..', repo: 'x' }], ['get_repository', { owner: 'a/b', repo: 'x' }], ['get_repository', { owner: '', repo: 'x' }],
    ['get_repository', { owner: 'a', repo: '..' }], ['get_repository', { owner: 'a', repo: '.' }], ['get_repository', { owner: 'a', repo: 'x/y' }],
    ['get_repository', { owner: 'a', repo: 'x?y' }], ['get_repository', { owner: 'a', repo: '%2e%2e' }],
    ['get_branch', { ...here, branch: '..' }], ['get_branch', { ...here, branch: '.' }], ['get_branch', { ...here, branch: 'a..b' }], ['get_branch', { ...here, branch: 'a b' }],
    ['get_commit', { ...here, ref: '../../user' }], ['compare_commits', { ...here, base: '..', head: 'x' }], ['compare_commits', { ...here, base: 'x', head: 'a:b:c' }],
    ['get_file', { ...here, path: '../x' }], ['get_file', { ...here, path: 'a/../x' }], ['get_file', { ...here, path: 'a/..' }], ['get_file', { ...here, path: './x' }],
    ['get_file', { ...here, path: '/x' }], ['get_file', { ...here, path: 'a//x' }], ['get_file', { ...here, path: 'a/' }], ['get_file', { ...here, path: '' }],
    ['get_file', { ...here, path: 'x', etag: 'no quotes' }], ['get_file', { ...here, path: 'x', etag: '"a"\r\nx: "y"' }],
    ['get_issue', { ...here, issue_number: 0 }], ['list_issues', { ...here, per_page: 101 }], ['list_issues', { ...here, since: 'yesterday' }],
    ['update_issue', { ...here, issue_number: 7 }], ['update_pull_request', { ...here, pull_number: 7 }],
    ['create_review', { ...here, pull_number: 7, event: 'REQUEST_CHANGES' }], ['create_review', { ...here, pull_number: 7, event: 'COMMENT' }],
    ['create_review', { ...here, pull_number: 7, event: 'APPROVE', comments: [{ path: '../x', line: 1, body: 'x' }] }],
    ['request_reviewers', { ...here, pull_number: 7 }], ['list_repositories', { user: 'a', organization: 'b' }],
    ['create_file', { ...here, path: 'a', message: 'm', content: 'not base64!', encoding: 'base64' }],
    ['update_file', { ...here, path: 'a', message: 'm', content: 'x' }], ['update_file', { ...here, path: 'a', message: 'm', content: 'x', sha: 'HEAD' }],
    ['create_label', { ...here, name: 'x', color: '#ff0000' }], ['create_issue', { ...here, title: 'x', assignee: 'y' }],
  ])('R-github: %s %j is refused before anything is sent', async (tool, input) => {
    server.answer = (_, response) => sendJson(response, 200, {});
    expect(await call(tool, input)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(server.seen).toEqual([]);
  });

  // biome-ignore format: a table
  test.each<[string, object, string]>([
    ['get_repository', { owner: 'a', repo: '.github' }, '/repos/a/.github'], ['get_repository', { owner: 'a', repo: '..x' }, '/repos/a/..x'],
    ['get_branch', { ...here, branch: 'v1.2.x' }, `${at}/branches/v1.2.x`], ['get_branch', { ...here, branch: 'a#b&c%d' }, `${at}/branches/a%23b%26c%25d`],
    ['get_file', { ...here, path: '.github/workflows/ci.yml' }, `${at}/contents/.github/workflows/ci.yml`],
    ['get_file', { ...here, path: 'a b/ü?#%2e%2e/...x' }, `${at}/contents/a%20b/%C3%BC%3F%23%252e%252e/...x`], ['get_file', { ...here, path: '..a/b..' }, `${at}/contents/..a/b..`],
  ])('R-github: %s %j is read at its own address', async (tool, input, url) => {
    server.answer = (_, response) => sendJson(response, 404, { message: 'Not Found' });
    expect(await call(tool, input)).toMatchObject({ error: { code: 'not_found' } });
    expect(requests()).toEqual([`GET ${url}`]);
  });
});

describe('a moved repository', () => {
  test('R-github: a read follows the redirect with the token; a write reports what to do', async () => {
    server.answer = ({ method, url, headers }, response) => {
      const place = `${server.url}/repositories/1/issues/7`;
      if (!url.startsWith('/repositories'))
        return sendJson(response, method === 'GET' ? 301 : 307, { message: 'Moved' }, { location: place });
      sendJson(response, headers.authorization === 'Bearer ghp_0123456789abcdef' ? 200 : 401, issue);
    };
    expect(await call('get_issue', { ...here, issue_number: 7 })).toMatchObject({ ok: true });
    server.seen.length = 0;
    expect(await call('create_issue', { ...here, title: 'x' })).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('get_repository') },
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('policies and the record', () => {
  test('R-github: a permanent deletion is denied unless a policy allows it, and nothing is sent', async () => {
    const strict = await createTestHelve({ ...connectedTo(server.url), policies: [] });
    server.answer = (_, response) => sendJson(response, 200, reference(sha));
    for (const [tool, input] of [
      ['delete_branch', { branch: 'x' }],
      ['delete_issue_comment', { comment_id: 1 }],
    ] as const) {
      expect(await call(tool, { ...here, ...input }, strict)).toMatchObject({ error: { code: 'denied_by_policy' } });
    }
    expect(server.seen).toEqual([]);
    await strict.close();
  });

  test('R-github: each call is recorded, with its account and without its token', async () => {
    // The fake repeats the token in its answer.
    const token = 'ghp_0123456789abcdef';
    server.answer = ({ headers }, response) =>
      sendJson(response, 201, { ...issue, title: `heard ${headers.authorization}` });
    const result = await helve.call(named('create_issue'), { ...here, title: 'x' });
    expect(server.seen.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    const rows = (await helve.audited()).filter(({ executionId }) => executionId === result.executionId);
    expect(rows.map(({ type, tool }) => `${type} ${tool}`)).toEqual([
      'execution.started GitHub.createIssue',
      'execution.finished GitHub.createIssue',
    ]);
    expect(JSON.stringify(rows)).toContain('heard Bearer [credential removed]');
    expect(JSON.stringify(await helve.audited())).not.toContain(token);
  });

  test('R-github: a token that GitHub repeats is removed from the answer', async () => {
    server.answer = ({ headers }, response) => sendJson(response, 422, { message: `Bad ${headers.authorization}` });
    const result = await call('create_issue', { ...here, title: 'x' });
    expect(result).toMatchObject({ error: { code: 'invalid_input' } });
    expect(JSON.stringify(result)).not.toContain('ghp_0123456789abcdef');
  });
});

describe('failures', () => {
  test('R-github: a read is tried again', async () => {
    server.answer = (_, response) => {
      if (server.seen.length === 1) response.destroy();
      else if (server.seen.length === 2)
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Unicorn!</h1>');
      else sendJson(response, 200, issue);
    };
    expect(await call('get_issue', { ...here, issue_number: 7 })).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(3);
  });

  test.each([
    'lost',
    '502',
  ])('R-github: a new issue, comment, pull request or review is never sent twice (%s)', async (how) => {
    server.answer = (_, response) => (how === 'lost' ? void response.destroy() : sendJson(response, 502, {}));
    for (const [tool, input] of [
      ['create_issue', { title: 'x' }],
      ['create_issue_comment', { issue_number: 7, body: 'x' }],
      ['create_pull_request', { title: 'x', head: 'a', base: 'b' }],
      ['create_review', { pull_number: 7, event: 'APPROVE' }],
    ] as const) {
      server.seen.length = 0;
      const result = await call(tool, { ...here, ...input });
      expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      expect(server.seen, tool).toHaveLength(1);
    }
  });

  test('R-github: a request that only sets values is sent again', async () => {
    server.answer = (_, response) =>
      server.seen.length === 1 ? void response.destroy() : sendJson(response, 200, issue);
    const input = { ...here, issue_number: 7, state: 'closed' };
    expect(await call('update_issue', input)).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(2);
  });
});

/** A write whose answer is lost, the request that follows, and its answer if the write was done and if it was not. */
interface Lost {
  readonly tool: string;
  readonly input: object;
  readonly write: string;
  readonly look: string;
  readonly done: readonly [status: number, body: unknown];
  readonly undone: readonly [status: number, body: unknown];
  readonly output: object;
}
const gone = [404, { message: 'Not Found' }] as const;
const reference = (of: string) => ({ ref: 'refs/heads/x', object: { sha: of, type: 'commit' } });
const label = (name: string) => ({ name, color: 'ffffff', description: null });
const pull = (merged: boolean) => ({ merged, merge_commit_sha: sha, number: 7 });

// biome-ignore format: a table
const lost: readonly Lost[] = [
  { tool: 'create_file', input: { path: 'd/a', message: 'm', content: 'new\n', branch: 'x' }, write: `PUT ${at}/contents/d/a`, look: `GET ${at}/contents/d/a?ref=x`,
    done: [200, content({ sha: newSha })], undone: gone, output: { path: 'd/a', sha: newSha } },
  { tool: 'update_file', input: { path: 'a', message: 'm', content: 'new\n', sha }, write: `PUT ${at}/contents/a`, look: `GET ${at}/contents/a`,
    done: [200, content({ sha: newSha })], undone: [200, content({ sha })], output: { path: 'a', sha: newSha } },
  { tool: 'delete_file', input: { path: 'a', message: 'm', sha }, write: `DELETE ${at}/contents/a`, look: `GET ${at}/contents/a`,
    done: gone, undone: [200, content({ sha })], output: { path: 'a' } },
  { tool: 'merge_pull_request', input: { pull_number: 7 }, write: `PUT ${at}/pulls/7/merge`, look: `GET ${at}/pulls/7`,
    done: [200, pull(true)], undone: [200, pull(false)], output: { merged: true, sha } },
  { tool: 'create_branch', input: { branch: 'x', from: sha }, write: `POST ${at}/git/refs`, look: `GET ${at}/git/ref/heads%2Fx`,
    done: [200, reference(sha)], undone: gone, output: { name: 'x', sha } },
  { tool: 'delete_issue_comment', input: { comment_id: 9 }, write: `DELETE ${at}/issues/comments/9`, look: `GET ${at}/issues/comments/9`,
    done: gone, undone: [200, { id: 9 }], output: { deleted: true } },
  { tool: 'remove_issue_label', input: { issue_number: 7, label: 'Bug' }, write: `DELETE ${at}/issues/7/labels/Bug`, look: `GET ${at}/issues/7/labels?per_page=100`,
    done: [200, [label('other')]], undone: [200, [label('bug')]], output: { labels: [{ name: 'other' }] } },
];

describe('a lost answer', () => {
  test.each(
    lost.map((each) => [each.tool, each] as const),
  )('R-github: %s is looked up and never sent twice', async (_tool, {
    tool,
    input,
    write,
    look,
    done,
    undone,
    output,
  }) => {
    const answered = (state: readonly [number, unknown]): Scripted['answer'] => {
      return (seen, response) => (seen.method === 'GET' ? sendJson(response, ...state) : void response.destroy());
    };
    server.answer = answered(done);
    expect(await call(tool, { ...here, ...input })).toMatchObject({ ok: true, output });
    expect(requests()).toEqual([write, look]);

    server.seen.length = 0;
    server.answer = answered(undone);
    expect(await call(tool, { ...here, ...input })).toMatchObject({
      error: { code: 'upstream_failed', retryable: true, hint: expect.stringContaining('again') },
    });
    expect(requests()).toEqual([write, look]);

    server.seen.length = 0;
    server.answer = answered([403, { message: 'No' }]);
    expect(await call(tool, { ...here, ...input })).toMatchObject({
      error: { code: 'outcome_unknown', retryable: false },
    });
    expect(requests()).toEqual([write, look]);
  });

  test('R-github: delete_branch reads the last commit first, so that the branch can be restored', async () => {
    let there = true;
    server.answer = ({ method }, response) => {
      if (method === 'GET') return there ? sendJson(response, 200, reference(sha)) : sendJson(response, ...gone);
      there = false;
      response.destroy();
    };
    expect(await call('delete_branch', { ...here, branch: 'x' })).toEqual({
      ok: true,
      output: { deleted: true, branch: 'x', sha },
    });
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'GET']);
    expect(await call('delete_branch', { ...here, branch: 'x' })).toMatchObject({
      error: { code: 'not_found' },
    });
  });
});

describe('reading', () => {
  const bytes = (data: Uint8Array) => content({ content: Buffer.from(data).toString('base64'), size: data.length });

  test.each<[string, Uint8Array, object, object]>([
    ['text', Buffer.from('Grüße 👋\n'), {}, { encoding: 'text', content: 'Grüße 👋\n' }],
    ['an empty file', Buffer.from(''), {}, { encoding: 'text', content: '' }],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), {}, { encoding: 'base64', content: '//5B' }],
    ['a zero byte', Buffer.from([0x41, 0, 0x42]), {}, { encoding: 'base64', content: 'QQBC' }],
    ['text, asked for as Base64', Buffer.from('hi'), { encoding: 'base64' }, { encoding: 'base64', content: 'aGk=' }],
  ])('R-github: get_file: %s', async (_what, data, input, file) => {
    server.answer = (_, response) => sendJson(response, 200, bytes(data), { etag: 'W/"1"' });
    expect(await call('get_file', { ...here, path: 'a', ...input })).toMatchObject({
      ok: true,
      output: { etag: 'W/"1"', file: { ...file, sha, size: data.length } },
    });
  });

  test('R-github: get_file: over 1 MB the content comes from the blob', async () => {
    server.answer = ({ url }, response) =>
      url.includes('/git/blobs/')
        ? sendJson(response, 200, { content: 'bG9u\nZw==\n', encoding: 'base64', sha, size: 4 })
        : sendJson(response, 200, content({ encoding: 'none', content: '', size: 2_000_000 }));
    expect(await call('get_file', { ...here, path: 'a' })).toMatchObject({
      output: { file: { content: 'long', encoding: 'text' } },
    });
    expect(requests()).toEqual([`GET ${at}/contents/a`, `GET ${at}/git/blobs/${sha}`]);
  });

  test('R-github: a folder is not read as a file nor a file as a folder, and the hint names the right tool', async () => {
    server.answer = (_, response) => sendJson(response, 200, [content({})]);
    expect(await call('get_file', { ...here, path: 'src' })).toMatchObject({
      error: { code: 'invalid_input', hint: expect.stringContaining('list_files') },
    });
    server.answer = (_, response) => sendJson(response, 200, content({}));
    expect(await call('list_files', { ...here, path: 'a' })).toMatchObject({
      error: { code: 'invalid_input', hint: expect.stringContaining('get_file') },
    });
    server.answer = (_, response) => sendJson(response, 200, content({ type: 'submodule' }));
    expect(await call('get_file', { ...here, path: 'lib' })).toMatchObject({
      error: { code: 'invalid_input', message: expect.stringContaining('submodule') },
    });
  });

  // biome-ignore format: a table
  test.each<[string, object, unknown]>([
    ['get_repository', {}, undefined], ['get_issue', { issue_number: 7 }, undefined], ['get_file', { path: 'a' }, undefined],
  ])('R-github: %s returns nothing but the etag if nothing has changed', async (tool, input) => {
    server.answer = ({ headers }, response) =>
      headers['if-none-match'] === '"v1"' ? sendJson(response, 304, null, { etag: '"v1"' }) : sendJson(response, 404, {});
    expect(await call(tool, { ...here, ...input, etag: '"v1"' })).toEqual({
      ok: true,
      output: { etag: '"v1"', not_modified: true },
    });
    expect(await call(tool, { ...here, ...input, etag: '"v0"' })).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  test.each<[object, boolean]>([
    [{ pull_request: { url: 'https://x' } }, true],
    [{ pull_request: null }, false],
    [{}, false],
  ])('R-github: an issue with %j: is_pull_request is %j', async (state, is_pull_request) => {
    server.answer = (_, response) => sendJson(response, 200, { ...issue, ...state });
    const result = await call('get_issue', { ...here, issue_number: 7 });
    expect(result).toMatchObject({ output: { issue: { is_pull_request } } });
  });

  // biome-ignore format: a table
  test.each<[object, boolean]>([
    [{ merged: true }, true], [{ merged: false }, false], [{ merged_at: time }, true], [{ merged_at: null }, false], [{}, false],
  ])('R-github: a pull request with %j: merged is %j', async (state, merged) => {
    const side = { ref: 'main', sha };
    server.answer = (_, response) => sendJson(response, 200, { ...issue, head: side, base: side, ...state });
    expect(await call('get_pull_request', { ...here, pull_number: 7 })).toMatchObject({ output: { merged } });
  });

  test('R-github: list_tree lists only what is below the given folder', async () => {
    const tree = ['src', 'src/a.ts', 'src2/b.ts'].map((path) => ({ path, type: 'blob', size: 1 }));
    server.answer = (_, response) => sendJson(response, 200, { sha, truncated: false, tree });
    expect((await call('list_tree', { ...here, path: 'src' })).output.entries).toEqual([
      { path: 'src/a.ts', type: 'blob', size: 1 },
    ]);
    expect(requests()).toEqual([`GET ${at}/git/trees/HEAD?recursive=1`]);
  });

  test('R-github: create_branch starts from the last commit of the default branch', async () => {
    server.answer = ({ method }, response) =>
      method === 'GET' ? sendJson(response, 200, { sha }) : sendJson(response, 201, reference(sha));
    expect(await call('create_branch', { ...here, branch: 'x' })).toMatchObject({ output: { sha } });
    expect(requests()).toEqual([`GET ${at}/commits/HEAD?per_page=1`, `POST ${at}/git/refs`]);
    expect(JSON.parse(server.seen[1]?.body ?? '')).toEqual({ ref: 'refs/heads/x', sha });
  });
});
