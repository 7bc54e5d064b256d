/** What no counterpart does on demand: refusals of each kind, limits, lost answers, half an answer. The server here is ours. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, type Seen, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { deriveId } from './create-once.js';
import { linearService } from './service.js';
import { apiKey, connectedTo, named } from './testing/connected.js';

let server: Scripted;
let shared: TestHelve;
let helve: TestHelve;
beforeAll(async () => {
  server = await startScripted();
  shared = await createTestHelve(connectedTo(server.url));
  helve = shared;
});
afterAll(async () => {
  await shared?.close();
  await server?.close();
});
beforeEach(() => {
  server.seen.length = 0;
});

/** What one account was told to wait, or that its key is dead, holds for all its calls: here each test has its own. */
function withOwnAccount(): void {
  beforeEach(async () => {
    helve = await createTestHelve(connectedTo(server.url));
  });
  afterEach(async () => {
    const own = helve;
    helve = shared;
    await own.close();
  });
}

async function call(tool: string, input: object): Promise<any> {
  const result = await helve.call(named(tool), input);
  return result.ok ? { ok: true, output: result.output } : { ok: false, error: result.error };
}

const teamId = '00000000-0000-4000-8000-000000000001';
const commentId = '00000000-0000-4000-8000-000000000081';
const time = '2026-01-05T09:00:00.000Z';
const issue = {
  id: teamId,
  identifier: 'ENG-1',
  title: 'x',
  url: 'https://linear.app/x',
  priority: 0,
  createdAt: time,
  updatedAt: time,
  state: { id: teamId, name: 'Todo', type: 'unstarted' },
  team: { id: teamId, key: 'ENG', name: 'Engineering' },
  labels: { nodes: [] },
};
const create = ['create_issue', { team: teamId, title: 'x' }] as const;
const comment = { id: commentId, body: 'x', url: 'https://linear.app/c', createdAt: time };
const body = (seen: Seen | undefined): any => JSON.parse(seen?.body ?? '{}');
const kind = (seen: Seen) => String(body(seen).query).split(/[\s({]/, 1)[0];
const refusal = (message: string, extensions: object = {}) => ({
  data: null,
  errors: [{ message, path: ['issue'], extensions }],
});

describe('refusals', () => {
  // biome-ignore format: a table
  test.each<[number, object, object]>([
    [200, refusal('Entity not found: Issue', { code: 'INPUT_ERROR', type: 'invalid input', userPresentableMessage: 'Could not find referenced Issue.' }),
      { code: 'not_found', message: 'Linear refused: Could not find referenced Issue. (Entity not found: Issue)', details: { reason: 'INPUT_ERROR', path: 'issue' } }],
    [400, refusal('Argument Validation Error', { code: 'INPUT_ERROR', userPresentableMessage: 'title must be longer' }), { code: 'invalid_input', message: expect.stringContaining('title must be longer') }],
    [400, refusal('Cannot query field "idd" on type "Issue".', { code: 'GRAPHQL_VALIDATION_FAILED' }), { code: 'invalid_input' }],
    [200, refusal('Forbidden', { code: 'FORBIDDEN' }), { code: 'forbidden', hint: expect.stringContaining('scope') }],
    [400, refusal('Feature not accessible', { type: 'feature not accessible' }), { code: 'forbidden' }],
    [400, refusal('Usage limit exceeded', { type: 'usage limit exceeded' }), { code: 'forbidden' }],
    [200, refusal('Oops', { code: 'INTERNAL_SERVER_ERROR' }), { code: 'upstream_failed' }],
    [200, refusal('Lock', { type: 'lock timeout' }), { code: 'upstream_failed' }],
    [200, { errors: [{ message: 'One' }, { message: 'Two' }, { message: 'One' }] }, { code: 'invalid_input', message: 'Linear refused: One; Two' }],
    [200, {}, { code: 'upstream_failed', message: 'Linear answered without data' }],
  ])('R-linear: %i %j', async (status, answer, error) => {
    server.answer = (_, response) => sendJson(response, status, answer);
    expect(await call('get_issue', { id: 'ENG-1' })).toMatchObject({ ok: false, error });
    expect(server.seen).toHaveLength(1);
  });

  test('R-linear: half an answer is given, with what it lacks', async () => {
    server.answer = (_, response) =>
      sendJson(response, 200, {
        data: { issue: { ...issue, assignee: null } },
        errors: [{ message: 'Timed out', path: ['issue', 'assignee'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
      });
    expect(await call('get_issue', { id: 'ENG-1' })).toMatchObject({
      output: { identifier: 'ENG-1', warnings: ['issue.assignee: Timed out'] },
    });
  });

  test('attack: a list inside of a row of which Linear has more is told, and a page is not', async () => {
    const nodes = [{ id: teamId, name: 'Bug' }];
    const full = { ...issue, labels: { nodes, pageInfo: { hasNextPage: true } } };
    const pageInfo = { hasNextPage: true, endCursor: 'next' };
    server.answer = (_, response) => sendJson(response, 200, { data: { issues: { nodes: [issue, full], pageInfo } } });
    expect(await call('list_issues', {})).toMatchObject({
      output: { next_cursor: 'next', warnings: ['issues.nodes.1.labels: there are more than those shown'] },
    });
    expect(body(server.seen.at(-1)).query).toContain(
      'labels(first: 20) { nodes { id name } pageInfo { hasNextPage } }',
    );
  });

  test('R-linear: what says neither that it was done nor why not is a failure', async () => {
    server.answer = (_, response) => sendJson(response, 200, { data: { payload: { success: false, comment } } });
    expect(await call('update_comment', { id: commentId, body: 'x' })).toMatchObject({
      error: { code: 'upstream_failed' },
    });
  });
});

describe('an account whose key is dead', () => {
  withOwnAccount();

  // biome-ignore format: a table
  test.each<[number, string, object]>([
    [401, 'not JSON', {}], [400, 'authentication', refusal('Authentication required', { code: 'AUTHENTICATION_ERROR' })], [200, 'by type', refusal('Invalid key', { type: 'authentication error' })],
  ])('R-linear: %i (%s): the account is no longer used', async (status, _what, answer) => {
    server.answer = (_, response) => sendJson(response, status, answer);
    expect(await call('list_teams', {})).toMatchObject({ error: { code: 'connection_inaccessible' } });
    const asked = server.seen.length;
    expect(await call('list_teams', {})).toMatchObject({ error: { code: 'connection_inaccessible' } });
    expect(server.seen).toHaveLength(asked);
  });
});

describe('limits', () => {
  withOwnAccount();

  const limited = refusal('Rate limit exceeded', { code: 'RATELIMITED', type: 'ratelimited' });
  const inSeconds = (seconds: number) => String(Date.now() + seconds * 1_000);

  test('R-linear: RATELIMITED with status 400 is told with the time, and nothing more is sent before', async () => {
    server.answer = (_, response) =>
      sendJson(response, 400, limited, {
        'x-ratelimit-requests-remaining': '0',
        'x-ratelimit-requests-reset': inSeconds(600),
      });
    const { error } = await call('list_teams', {});
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(error.details.retryAfterSeconds).toBeGreaterThan(590);
    expect(error.details.retryAfterSeconds).toBeLessThanOrEqual(602);
    expect(await call('list_users', {})).toMatchObject({ error: { code: 'rate_limited' } });
    expect(server.seen).toHaveLength(1);
  });

  test('R-linear: a short wait is waited for, and the request sent again', async () => {
    server.answer = (_, response) =>
      server.seen.length === 1
        ? sendJson(response, 400, limited, {
            'x-ratelimit-complexity-remaining': '0',
            'x-ratelimit-complexity-reset': inSeconds(1),
          })
        : sendJson(response, 200, { data: { payload: { success: true, issue } } });
    expect(await call(...create)).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(2);
  });

  test('R-linear: an answer that uses up the limit holds back the next call; one that leaves some does not', async () => {
    let remaining = '1';
    server.answer = (_, response) =>
      sendJson(
        response,
        200,
        { data: { issue } },
        { 'x-ratelimit-requests-remaining': remaining, 'x-ratelimit-requests-reset': inSeconds(900) },
      );
    expect(await call('get_issue', { id: 'ENG-1' })).toMatchObject({ ok: true });
    remaining = '0';
    expect(await call('get_issue', { id: 'ENG-1' })).toMatchObject({ ok: true });
    expect(await call('get_issue', { id: 'ENG-1' })).toMatchObject({ error: { code: 'rate_limited' } });
    expect(server.seen).toHaveLength(2);
  });
});

describe('lost answers', () => {
  test('R-linear: a query is sent again', async () => {
    server.answer = (_, response) =>
      server.seen.length === 1 ? void response.destroy() : sendJson(response, 200, { data: { issue } });
    expect(await call('get_issue', { id: 'ENG-1' })).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(2);
  });

  test('R-linear: a creation is sent again with the same id; that it is there already means that it was done', async () => {
    const conflict = refusal('conflict on insert of Issue', { code: 'INPUT_ERROR', type: 'invalid input' });
    server.answer = (seen, response) => {
      if (server.seen.length === 1) return void response.destroy();
      sendJson(response, 200, kind(seen) === 'mutation' ? conflict : { data: { issue } });
    };
    expect(await call(...create)).toMatchObject({ ok: true, output: { identifier: 'ENG-1' } });
    expect(server.seen.map(kind)).toEqual(['mutation', 'mutation', 'query']);
    const [first, second, third] = server.seen.map(body);
    expect(second.variables.input.id).toBe(first.variables.input.id);
    expect(third.variables).toEqual({ id: first.variables.input.id });
  });

  test('R-linear: issues of a person whom nobody knows are an error with the known ones, not an empty list', async () => {
    const ada = { id: teamId, name: 'Ada', email: 'ada@example.com' };
    server.answer = (seen, response) =>
      sendJson(response, 200, { data: { found: { nodes: body(seen).variables.filter === undefined ? [ada] : [] } } });
    expect(await call('list_issues', { assignee: 'Adda' })).toMatchObject({
      error: { code: 'not_found', message: 'There is no user "Adda"', hint: 'Available: Ada <ada@example.com>.' },
    });
    expect(server.seen).toHaveLength(2);
  });

  test('R-linear: a refused creation stays refused if the object does not exist', async () => {
    server.answer = (seen, response) =>
      sendJson(
        response,
        200,
        kind(seen) === 'mutation'
          ? refusal('title is too long', { code: 'INPUT_ERROR' })
          : refusal('Entity not found: Issue'),
      );
    expect(await call(...create)).toMatchObject({
      error: { code: 'invalid_input', message: 'Linear refused: title is too long' },
    });
    expect(server.seen.map(kind)).toEqual(['mutation', 'query']);
  });

  test.each<[string, object | undefined]>([
    ['is lost each time', undefined],
    ['says that Linear has failed', refusal('Oops', { code: 'INTERNAL_SERVER_ERROR' })],
    ['has no data', {}],
  ])('R-linear: a creation whose answer %s, and that cannot be looked up, has an unknown outcome', async (_, answer) => {
    server.answer = (seen, response) => {
      if (kind(seen) === 'query') return sendJson(response, 200, refusal('Forbidden', { code: 'FORBIDDEN' }));
      return answer ? sendJson(response, 200, answer) : void response.destroy();
    };
    expect(await call(...create)).toMatchObject({ error: { code: 'outcome_unknown', retryable: false } });
  });

  test('R-linear: two calls make two things', async () => {
    server.answer = (_, response) => sendJson(response, 200, { data: { payload: { success: true, issue } } });
    await call(...create);
    await call(...create);
    const [first, second] = server.seen.map((seen) => body(seen).variables.input.id);
    expect(first).not.toBe(second);
    expect(deriveId('a', 'issue')).toBe(deriveId('a', 'issue'));
    expect(new Set([deriveId('a', 'issue'), deriveId('a', 'comment'), deriveId('b', 'issue')]).size).toBe(3);
  });

  test('R-linear: a deletion is sent once; that the comment is gone shows that it was done', async () => {
    server.answer = (seen, response) =>
      kind(seen) === 'mutation'
        ? void response.destroy()
        : sendJson(response, 200, refusal('Entity not found: Comment'));
    expect(await call('delete_comment', { id: commentId })).toMatchObject({ output: { deleted: true } });
    expect(server.seen.map(kind)).toEqual(['mutation', 'query']);
  });

  test('R-linear: a deletion whose comment is still there has an unknown outcome', async () => {
    server.answer = (seen, response) =>
      kind(seen) === 'mutation' ? void response.destroy() : sendJson(response, 200, { data: { comment } });
    expect(await call('delete_comment', { id: commentId })).toMatchObject({ error: { code: 'outcome_unknown' } });
    expect(server.seen.map(kind)).toEqual(['mutation', 'query']);
  });

  test('R-linear: an update sets values, and is sent again', async () => {
    server.answer = (_, response) =>
      server.seen.length === 1
        ? sendJson(response, 502, {})
        : sendJson(response, 200, { data: { payload: { success: true, comment } } });
    expect(await call('update_comment', { id: commentId, body: 'x' })).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(2);
  });
});

// biome-ignore format: a table
test.each<[string, object]>([
  ['get_issue', { id: 'the first' }], ['get_issue', { id: 'ENG-' }], ['list_issues', { limit: 101 }], ['list_issues', { updated_since: 'yesterday' }], ['list_issues', { state_type: 'lost' }],
  ['create_issue', { title: 'x' }], ['create_issue', { team: 'ENG', title: '' }], ['create_issue', { team: 'ENG', title: 'x', priority: 5 }], ['create_issue', { team: 'ENG', title: 'x', due_date: 'soon' }],
  ['update_issue', { id: 'ENG-1' }], ['update_issue', { id: 'ENG-1', labels: ['a'], add_labels: ['b'] }], ['update_issue', { id: 'ENG-1', title: null }], ['update_issue_status', { id: 'ENG-1' }],
  ['create_comment', { issue: 'ENG-1', body: '' }], ['update_comment', { id: 'first', body: 'x' }], ['delete_comment', { id: 'ENG-1' }], ['create_label', { name: 'x', color: 'red' }],
  ['create_project', { name: 'x', teams: [] }], ['update_project', { project: 'x' }], ['list_cycles', { when: 'soon' }], ['search_issues', { query: '' }],
])('R-linear: %s %j is refused before anything is sent', async (tool, input) => {
  server.answer = (_, response) => sendJson(response, 200, { data: {} });
  expect(await call(tool, input)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(server.seen).toEqual([]);
});

describe('where it goes', () => {
  test('R-linear: Linear’s own address, unless the operator names another', () => {
    expect(linearService.servers({}, {})).toEqual({ default: { url: 'https://api.linear.app' } });
    expect(linearService.servers({ base_url: 'http://10.0.0.1' }, {})).toEqual({
      default: { url: 'http://10.0.0.1', named: true },
    });
  });

  const viewer = { id: 'u1', name: 'Ada', email: 'ada@example.com', organization: { name: 'Acme' } };

  // biome-ignore format: a table
  test.each<[string, Record<string, string>, string]>([
    ['api_key', { key: apiKey }, apiKey], ['oauth2', { access_token: 'lin_oauth_0123456789' }, 'Bearer lin_oauth_0123456789'],
  ])('R-linear: with %s whose account it is is asked, with the key where Linear wants it', async (scheme, credentials, authorization) => {
    server.answer = (_, response) => sendJson(response, 200, { data: { viewer } });
    const connections = [{ toolkit: 'linear', name: 'Team', scheme, credentials, check: true }];
    const one = await createTestHelve({ ...connectedTo(server.url), connections });
    const [facts] = await one.plane.connections(one.admin);
    expect(facts).toMatchObject({ status: 'active', account: { id: 'u1', name: 'Ada (Acme)', email: 'ada@example.com' } });
    expect(server.seen[0]?.headers.authorization).toBe(authorization);
    await one.close();
  });

  test('R-linear: a connection that may only read writes nothing; `write` includes its narrower scopes', async () => {
    server.answer = (_, response) => sendJson(response, 200, { data: { payload: { success: true, issue } } });
    const at = async (scope: string) => {
      const credentials = { access_token: 'lin_oauth_0123456789', scope };
      const connections = [{ toolkit: 'linear', name: 'Team', scheme: 'oauth2', credentials }];
      const one = await createTestHelve({ ...connectedTo(server.url), connections });
      const result = await one.call(named('create_issue'), { team: teamId, title: 'x' });
      await one.close();
      return result;
    };
    expect(await at('read')).toMatchObject({ ok: false });
    expect(server.seen).toEqual([]);
    expect(await at('read,write')).toMatchObject({ ok: true });
    expect(await at('read,issues:create')).toMatchObject({ ok: true });
  });
});
