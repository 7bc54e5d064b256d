/**
 * Every tool against a server on Linear's own schema: that what it sends is allowed, that what it did can be read back
 * (by Linear's official client too), and that the server looks at all: each request is sent once more, spoilt.
 */
import { LinearClient } from '@linear/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import { passOnTo, type Scripted, type Seen, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { apiKey, connectedTo, named } from './testing/connected.js';
import { schemaMissing, startLinear } from './testing/counterpart.js';
import { ids } from './testing/furnish.js';
import { linearTools } from './tools/index.js';

interface Case {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Variables of the last request. */
  readonly sends: unknown;
  readonly output: unknown;
  /** Variables of the last request that Linear must refuse. */
  readonly spoilt: readonly Readonly<Record<string, unknown>>[];
}

const page = { first: 50 };
const badPage = { first: 'many' };
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const text = expect.any(String);

// biome-ignore format: a table
const cases: readonly Case[] = [
  { tool: 'get_current_user', input: {}, sends: {}, output: { id: ids.ada, email: 'ada@example.com', organization: { name: 'Acme', url_key: 'acme' } }, spoilt: [] },
  { tool: 'list_users', input: {}, sends: { ...page, includeDisabled: false }, output: { users: [{ id: ids.ada, display_name: 'ada', is_active: true }, { name: 'Bob' }] }, spoilt: [badPage, { includeDisabled: 'no' }] },

  { tool: 'list_teams', input: { limit: 1 }, sends: { first: 1 }, output: { teams: [{ id: ids.eng, key: 'ENG', name: 'Engineering' }], next_cursor: ids.eng }, spoilt: [badPage] },
  { tool: 'list_teams', input: { limit: 1, cursor: ids.eng }, sends: { first: 1, after: ids.eng }, output: { teams: [{ key: 'OPS' }] }, spoilt: [{ after: 7 }] },
  { tool: 'get_team', input: { team: 'eng' }, sends: { id: ids.eng }, output: { key: 'ENG', has_cycles: true, estimates: 'fibonacci', states: [{ name: 'Todo' }, { name: 'Done', type: 'completed' }] }, spoilt: [{ id: undefined }] },
  { tool: 'list_workflow_states', input: { team: 'Operations' }, sends: { ...page, filter: { team: { id: { eq: ids.ops } } } }, output: { states: [{ name: 'Waiting', team: { key: 'OPS' } }] },
    spoilt: [{ filter: { team: ids.ops } }, { filter: { squad: {} } }] },
  { tool: 'list_cycles', input: { team: 'ENG', when: 'active' }, sends: { ...page, filter: { team: { id: { eq: ids.eng } }, isActive: { eq: true } } },
    output: { cycles: [{ id: ids.cycle, number: 7, is_active: true, progress: 0.25 }] }, spoilt: [{ filter: { isActive: true } }] },
  { tool: 'list_cycles', input: { when: 'next' }, sends: { ...page, filter: { isNext: { eq: true } } }, output: { cycles: [] }, spoilt: [badPage] },
  { tool: 'list_labels', input: { team: 'OPS' }, sends: { ...page, filter: { or: [{ team: { id: { eq: ids.ops } } }, { team: { null: true } }] } },
    output: { labels: [{ id: ids.bug, name: 'Bug' }, { name: 'Docs' }] }, spoilt: [{ filter: { team: { null: 'yes' } } }] },
  { tool: 'create_label', input: { name: 'Urgent', color: '#00ff00', team: 'ENG' }, sends: { input: { id: uuid, name: 'Urgent', color: '#00ff00', teamId: ids.eng } },
    output: { id: uuid, name: 'Urgent', color: '#00ff00', team: { key: 'ENG' } }, spoilt: [{ input: { color: '#00ff00' } }, { input: { name: 'x', colour: 'red' } }] },

  { tool: 'list_issues', input: {}, sends: { ...page, filter: {}, includeArchived: false }, output: { issues: [{ identifier: 'ENG-1', labels: [{ id: ids.engBug, name: 'Bug' }], project: { name: 'Apollo' } }, { identifier: 'ENG-2' }] },
    spoilt: [badPage, { includeArchived: 'no' }] },
  { tool: 'list_issues', input: { team: 'ENG', assignee: 'me', state: 'todo', state_type: 'unstarted', label: 'bug', project: 'apollo', updated_since: '2026-01-01' },
    sends: { ...page, includeArchived: false, filter: { team: { id: { eq: ids.eng } }, assignee: { isMe: { eq: true } }, state: { name: { eqIgnoreCase: 'todo' }, type: { eq: 'unstarted' } },
      labels: { some: { name: { eqIgnoreCase: 'bug' } } }, project: { id: { eq: ids.apollo } }, updatedAt: { gte: '2026-01-01' } } },
    output: { issues: [{ identifier: 'ENG-1', assignee: { name: 'Ada Lovelace' } }] }, spoilt: [{ filter: { labels: 'bug' } }, { filter: { assignee: { isMe: true } } }] },
  { tool: 'list_issues', input: { assignee: 'none', state: ids.todo }, sends: { ...page, includeArchived: false, filter: { assignee: { null: true }, state: { id: { eq: ids.todo } } } },
    output: { issues: [{ identifier: 'ENG-2' }] }, spoilt: [{ filter: { assignee: null, status: {} } }] },
  { tool: 'list_issues', input: { assignee: 'bob@example.com' }, output: { issues: [] }, spoilt: [{ filter: { assignee: { or: 'bob' } } }],
    sends: { ...page, includeArchived: false, filter: { assignee: { id: { eq: ids.bob } } } } },
  { tool: 'get_issue', input: { id: 'ENG-1' }, sends: { id: 'ENG-1' }, output: { id: ids.issue, title: 'Broken button', description: 'It *breaks*', creator: { name: 'Ada Lovelace' }, estimate: 3 }, spoilt: [{ id: undefined }] },
  { tool: 'search_issues', input: { query: 'button', team: 'ENG' }, sends: { term: 'button', ...page, teamId: ids.eng, includeComments: false, includeArchived: false },
    output: { total: expect.any(Number), issues: expect.arrayContaining([expect.objectContaining({ identifier: text, state: expect.anything() })]) }, spoilt: [{ term: undefined }, badPage] },
  { tool: 'list_issue_activity', input: { team: 'ENG', since: '2026-01-01T00:00:00Z' },
    sends: { first: 10, since: '2026-01-01T00:00:00Z', filter: { team: { id: { eq: ids.eng } }, or: [{ updatedAt: { gte: '2026-01-01T00:00:00Z' } }, { comments: { some: { createdAt: { gte: '2026-01-01T00:00:00Z' } } } }] } },
    output: { issues: [{ identifier: 'ENG-1', description: 'It *breaks*', comments: [], changes: [] }, { identifier: 'ENG-2', comments: [{ body: 'Me too', user: { name: 'Ada Lovelace' } }] }] },
    spoilt: [badPage, { since: undefined }, { filter: { team: { ids: 7 } } }] },
  { tool: 'create_issue', input: { team: 'ENG', title: 'New', description: '# Why', state: 'done', assignee: 'BOB@example.com', priority: 1, labels: ['Bug', 'docs'], estimate: 5, due_date: '2026-02-01', parent: 'ENG-1', project: 'Apollo', cycle_id: ids.cycle },
    sends: { input: { id: uuid, teamId: ids.eng, title: 'New', description: '# Why', stateId: ids.done, assigneeId: ids.bob, priority: 1, labelIds: [ids.engBug, ids.docs], estimate: 5, dueDate: '2026-02-01', parentId: ids.issue, projectId: ids.apollo, cycleId: ids.cycle } },
    output: { id: uuid, title: 'New', description: '# Why', state: { name: 'Done' }, assignee: { name: 'Bob' }, parent: { identifier: 'ENG-1' }, due_date: '2026-02-01', cycle: { number: 7 }, labels: [{ id: ids.engBug }, { id: ids.docs }] },
    spoilt: [{ input: { title: 'x' } }, { input: { teamId: ids.eng, priority: 'high' } }, { input: { teamId: ids.eng, labelIds: [7, null] } }] },
  // A label of another team is none of this one's.
  { tool: 'create_issue', input: { team: 'OPS', title: 'Pager', labels: ['bug'] }, sends: { input: { id: uuid, teamId: ids.ops, title: 'Pager', labelIds: [ids.bug] } },
    output: { title: 'Pager', labels: [{ id: ids.bug }] }, spoilt: [{ input: { title: 'x' } }] },
  { tool: 'update_issue', input: { id: 'ENG-1', title: 'Mended button', assignee: null, project: null, due_date: '2026-03-01', add_labels: ['Docs'], remove_labels: ['Bug'] },
    sends: { id: ids.issue, input: { title: 'Mended button', assigneeId: null, projectId: null, dueDate: '2026-03-01', addedLabelIds: [ids.docs], removedLabelIds: [ids.engBug] } },
    output: { identifier: 'ENG-1', title: 'Mended button', labels: [{ name: 'Docs' }], due_date: '2026-03-01', description: 'It *breaks*' }, spoilt: [{ id: undefined }, { input: { estimate: 'much' } }, { input: { status: ids.done } }] },
  { tool: 'update_issue', input: { id: ids.issue, assignee: 'me', parent: 'ENG-2', priority: 0 }, sends: { id: ids.issue, input: { assigneeId: ids.ada, parentId: ids.other, priority: 0 } },
    output: { assignee: { email: 'ada@example.com' }, parent: { identifier: 'ENG-2' }, priority: 0 }, spoilt: [{ input: 'x' }] },
  { tool: 'update_issue_status', input: { id: 'ENG-1', state: 'DONE' }, sends: { id: ids.issue, input: { stateId: ids.done } }, output: { state: { id: ids.done, name: 'Done', type: 'completed' } }, spoilt: [{ input: { stateId: {} } }] },

  { tool: 'create_comment', input: { issue: 'ENG-2', body: 'And here', parent_id: ids.comment }, sends: { input: { id: uuid, issueId: ids.other, body: 'And here', parentId: ids.comment } },
    output: { id: uuid, body: 'And here', issue: 'ENG-2', user: { name: 'Ada Lovelace' } }, spoilt: [{ input: { body: 7 } }, { input: { text: 'x' } }] },
  { tool: 'list_comments', input: { issue: 'ENG-2', limit: 1 }, sends: { id: 'ENG-2', first: 1 }, output: { comments: [{ id: ids.comment, body: 'Me too' }], next_cursor: ids.comment }, spoilt: [badPage] },
  { tool: 'update_comment', input: { id: ids.comment, body: 'Not me' }, sends: { id: ids.comment, input: { body: 'Not me' } }, output: { id: ids.comment, body: 'Not me' }, spoilt: [{ input: { body: 7 } }, { id: undefined }] },
  { tool: 'delete_comment', input: { id: ids.comment }, sends: { id: ids.comment }, output: { deleted: true, id: ids.comment }, spoilt: [{ id: undefined }] },
  { tool: 'archive_issue', input: { id: 'ENG-2' }, sends: { id: ids.other }, output: { archived: true, id: ids.other, identifier: 'ENG-2', archived_at: text }, spoilt: [{ id: undefined }] },

  { tool: 'list_projects', input: { team: 'ENG', status_type: 'planned', name_contains: 'poll' }, output: { projects: [{ id: ids.apollo, teams: [{ key: 'ENG' }] }] }, spoilt: [{ filter: { status: 'planned' } }, badPage],
    sends: { ...page, filter: { accessibleTeams: { some: { id: { eq: ids.eng } } }, status: { type: { eq: 'planned' } }, name: { containsIgnoreCase: 'poll' } } } },
  { tool: 'get_project', input: { project: 'apollo' }, sends: { id: ids.apollo }, output: { id: ids.apollo, name: 'Apollo', status: { name: 'Planned' }, lead: { name: 'Ada Lovelace' }, teams: [{ key: 'ENG' }] }, spoilt: [{ id: undefined }] },
  { tool: 'create_project', input: { name: 'Gemini', teams: ['ENG', 'ops'], lead: 'ada', status: 'in progress', target_date: '2026-06-30', content: '# Plan' },
    sends: { input: { id: uuid, name: 'Gemini', teamIds: [ids.eng, ids.ops], leadId: ids.ada, statusId: ids.started, targetDate: '2026-06-30', content: '# Plan' } },
    output: { id: uuid, name: 'Gemini', status: { name: 'In Progress' }, teams: [{ key: 'ENG' }, { key: 'OPS' }], content: '# Plan', target_date: '2026-06-30' },
    spoilt: [{ input: { name: 'x' } }, { input: { teamIds: [ids.eng] } }] },
  { tool: 'update_project', input: { project: 'a1b2c3', description: 'Home again', lead: null, status: 'In Progress' }, sends: { id: ids.apollo, input: { description: 'Home again', leadId: null, statusId: ids.started } },
    output: { name: 'Apollo', description: 'Home again', status: { name: 'In Progress' } }, spoilt: [{ input: { priority: 'high' } }, { id: undefined }] },
];

interface Sent {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

describe.skipIf(schemaMissing !== undefined)(
  `every tool${schemaMissing ? ` (left out: ${schemaMissing})` : ''}`,
  () => {
    let counterpart: Counterpart;
    let watcher: Scripted;
    let helve: TestHelve;
    let official: LinearClient;
    beforeAll(async () => {
      [counterpart, watcher] = await Promise.all([startLinear(), startScripted()]);
      watcher.answer = passOnTo(() => counterpart.url);
      helve = await createTestHelve(connectedTo(watcher.url));
      official = new LinearClient({ apiKey, apiUrl: `${counterpart.url}/graphql` });
    }, 60_000);
    afterAll(async () => {
      await helve?.close();
      await Promise.all([watcher?.close(), counterpart?.close()]);
    });
    beforeEach(() => {
      watcher.seen.length = 0;
    });

    const sent = (seen: Seen): Sent => JSON.parse(seen.body);
    async function isRefused(body: Sent): Promise<boolean> {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const response = await fetch(`${counterpart.url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const { data, errors } = (await response.json()) as { data?: unknown; errors?: readonly unknown[] };
      return (errors?.length ?? 0) > 0 && !data;
    }

    test.each(cases)('R-linear: $tool $input is allowed by Linear’s schema, and not when spoilt', async (one) => {
      const result = await helve.call(named(one.tool), one.input);
      expect(result).toMatchObject({ ok: true, output: one.output });
      // The counterpart makes up what a search finds, also whether its lists have more.
      const { warnings = [] } = (result as { output: { warnings?: readonly string[] } }).output;
      expect(warnings.filter((warning) => !/nodes\.\d+\.labels: there are more/.test(warning))).toEqual([]);
      const bodies = watcher.seen.map(sent);
      const last = bodies.at(-1) as Sent;
      expect(last.variables).toEqual(one.sends);
      for (const { method, url, headers } of watcher.seen) {
        expect({ method, url, key: headers.authorization }).toEqual({ method: 'POST', url: '/graphql', key: apiKey });
      }
      // Each document, with a field that is none.
      for (const body of bodies) {
        expect(await isRefused({ ...body, query: body.query.replace(/\bid\b(?=[^()]*$)/, 'idd') }), body.query).toBe(
          true,
        );
      }
      for (const change of one.spoilt) {
        expect(await isRefused({ ...last, variables: { ...last.variables, ...change } }), JSON.stringify(change)).toBe(
          true,
        );
      }
    });

    test('R-linear: the official client sees what was done', async () => {
      const created: any = await helve.call(named('create_issue'), {
        team: 'ENG',
        title: 'Seen by all',
        labels: ['Docs'],
        assignee: 'me',
      });
      expect(created).toMatchObject({ ok: true });
      const { id } = created.output;
      const issue = await official.issue(id);
      expect({ id: issue.id, title: issue.title, identifier: issue.identifier }).toEqual({
        id,
        title: 'Seen by all',
        identifier: created.output.identifier,
      });
      expect((await issue.assignee)?.email).toBe('ada@example.com');
      await helve.call(named('update_issue_status'), { id: created.output.identifier, state: 'Done' });
      expect((await (await official.issue(id)).state)?.name).toBe('Done');
      const comment: any = await helve.call(named('create_comment'), { issue: id, body: 'Hello' });
      expect((await official.comment({ id: comment.output.id })).body).toBe('Hello');
    });

    test('R-linear: and what the official client did is seen here', async () => {
      const { issue } = await official.createIssue({ teamId: ids.eng, title: 'From outside' });
      const { id } = (await issue) as { id: string };
      expect(await helve.call(named('get_issue'), { id })).toMatchObject({
        ok: true,
        output: { id, title: 'From outside' },
      });
    });

    test('R-linear: what is deleted no longer exists', async () => {
      const comment: any = await helve.call(named('create_comment'), { issue: 'ENG-1', body: 'Oops' });
      const { id } = comment.output;
      expect(await helve.call(named('delete_comment'), { id })).toMatchObject({ ok: true });
      expect(await helve.call(named('delete_comment'), { id })).toMatchObject({
        ok: false,
        error: { code: 'not_found' },
      });
      await expect(official.comment({ id })).rejects.toThrow('not found');
    });

    // biome-ignore format: a table
    test.each<[string, object, object]>([
    ['get_issue', { id: 'ENG-999' }, { code: 'not_found', message: expect.stringContaining('Could not find referenced Issue') }],
    ['create_issue', { team: 'Sales', title: 'x' }, { code: 'not_found', message: 'There is no team "Sales"', hint: expect.stringContaining('ENG (Engineering), OPS (Operations)') }],
    ['update_issue_status', { id: 'ENG-1', state: 'Waiting' }, { code: 'not_found', hint: 'Available: Todo, Done.' }],
    ['update_issue', { id: 'ENG-1', assignee: 'carol' }, { code: 'not_found', hint: expect.stringContaining('Bob <bob@example.com>') }],
    ['update_issue', { id: 'ENG-1', add_labels: ['Bugg'] }, { code: 'not_found', hint: expect.stringContaining('Docs') }],
    ['update_issue', { id: 'ENG-1', project: 'Zeus' }, { code: 'not_found', hint: expect.stringContaining('Apollo') }],
    ['update_project', { project: 'Apollo', status: 'Someday' }, { code: 'not_found', hint: 'Available: Planned, In Progress.' }],
    ['list_issues', { team: 'Sales' }, { code: 'not_found' }],
    ['list_issues', { state: 'Toodo' }, { code: 'not_found', message: 'There is no workflow state "Toodo"', hint: expect.stringContaining('Todo, Done') }],
    ['list_issues', { label: 'Bugg' }, { code: 'not_found', message: 'There is no label "Bugg"', hint: expect.stringContaining('Docs') }],
  ])('R-linear: %s %j: what there is instead is told', async (tool, input, error) => {
    expect(await helve.call(named(tool), input)).toMatchObject({ ok: false, error });
    expect(watcher.seen.map((seen) => sent(seen).query).filter((query) => query.startsWith('mutation'))).toEqual([]);
  });

    test('R-linear: a state and a label that exist, and that no issue has, are an empty list', async () => {
      const input = { updated_since: '2090-01-01', state: 'done', label: 'docs' };
      expect(await helve.call(named('list_issues'), input)).toMatchObject({ output: { issues: [] } });
    });

    test('R-linear: a name of two is told with their ids', async () => {
      for (const description of ['one', 'two'])
        await helve.call(named('create_project'), { name: 'Twin', teams: ['ENG'], description });
      expect(await helve.call(named('get_project'), { project: 'twin' })).toMatchObject({
        error: {
          code: 'invalid_input',
          message: '"twin" is the name of 2 projects',
          hint: expect.stringMatching(/Twin [0-9a-f-]{36}, Twin [0-9a-f-]{36}/),
        },
      });
    });

    test('R-linear: none is left out', () => {
      const tried = new Set(cases.map(({ tool }) => tool));
      expect(linearTools.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
    });
  },
);
