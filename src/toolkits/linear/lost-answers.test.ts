/**
 * The answer to each write is lost, and the call is made again as the next owner of its run makes it. The server is a fake
 * that keeps objects by id as Linear does and counts effects; one tool runs on Linear's own schema as well.
 */
import { LinearClient } from '@linear/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import { type Act, forwardTo, namesWithEffects, repeatAfterLoss } from '../../../tests/counterparts/lost-answers.js';
import { type Scripted, type Seen, startScripted } from '../../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { apiKey, connectedTo, named } from './testing/connected.js';
import { schemaMissing, startLinear } from './testing/counterpart.js';
import { ids } from './testing/furnish.js';
import { linearTools } from './tools/index.js';

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

  interface Sent {
    readonly query: string;
    readonly variables: { readonly id?: string; readonly input?: { readonly id?: string } };
  }
  const read = ({ body }: Seen): Sent => JSON.parse(body);
  const isEffect = (seen: Seen) => read(seen).query.startsWith('mutation');

  let effects: string[];
  let objects: Map<string, object>;
  beforeEach(() => {
    effects = [];
    objects = new Map(['issue', 'comment', 'project'].map((kind) => [idOf[kind as keyof typeof idOf], {}]));
  });

  const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
  const idOf = { issue: uuid(1), comment: uuid(2), project: uuid(3) };
  const team = { id: uuid(4), key: 'ENG', name: 'Engineering' };
  const state = { id: uuid(5), name: 'Done', type: 'completed' };
  const none = { nodes: [] };

  /** Has every member that the tools select. */
  const withFacts = (id: string, object: object) => {
    const issue = {
      identifier: 'ENG-1',
      title: 'x',
      url: 'https://linear.app/x',
      state,
      team,
      labels: none,
      priority: 0,
    };
    const times = { createdAt: '2026-01-05T09:00:00Z', updatedAt: '2026-01-05T09:00:00Z' };
    const other = {
      body: 'x',
      name: 'x',
      description: '',
      color: '#00ff00',
      status: state,
      progress: 0,
      teams: none,
      isGroup: false,
    };
    return { ...issue, ...times, ...other, ...object, id };
  };

  const missing = { body: { errors: [{ message: 'Entity not found', extensions: { code: 'INPUT_ERROR' } }] } };
  const taken = { body: { errors: [{ message: 'conflict on insert', extensions: { code: 'INPUT_ERROR' } }] } };

  const linear: Act = (seen) => {
    const { query, variables } = read(seen);
    const [, kind = '', deed = ''] = /payload: (\w+?)(Create|Update|Archive|Delete)\(/.exec(query) ?? [];
    const id = variables.id ?? variables.input?.id ?? '';
    const before = objects.get(id);
    if (deed === '') return before ? { body: { data: nodesOf(query, withFacts(id, before)) } } : missing;
    if (deed === 'Create' && before) return taken;
    if (deed !== 'Create' && !before) return missing;
    const after = { ...before, ...variables.input, ...(deed === 'Archive' ? { archivedAt: '2026-01-05' } : {}) };
    if (deed === 'Delete' || JSON.stringify(after) !== JSON.stringify(before)) effects.push(`${kind} ${deed}`);
    if (deed === 'Delete') objects.delete(id);
    else objects.set(id, after);
    const object = withFacts(id, after);
    return { body: { data: { payload: { success: true, [kind]: object, entity: object, entityId: id } } } };
  };

  const nodesOf = (query: string, object: object) => {
    const [, kind = ''] = /\{\s*(?:\w+: )?(\w+)\(/.exec(query.replace(/^[^{]*/, '')) ?? [];
    return { [kind]: object, found: object };
  };

  // biome-ignore format: a table
  const rows: readonly (readonly [tool: string, input: object])[] = [
  ['create_issue', { team: team.id, title: 'x' }],
  ['update_issue', { id: idOf.issue, title: 'y' }],
  ['update_issue_status', { id: idOf.issue, state: state.id }],
  ['archive_issue', { id: idOf.issue }],
  ['create_comment', { issue: idOf.issue, body: 'x' }],
  ['update_comment', { id: idOf.comment, body: 'y' }],
  ['delete_comment', { id: idOf.comment }],
  ['create_label', { name: 'Urgent', team: team.id }],
  ['create_project', { name: 'x', teams: [team.id] }],
  ['update_project', { project: idOf.project, description: 'y' }],
];

  test('R-durable-runs: every tool of Linear with effects has a row here', () => {
    expect(rows.map(([tool]) => tool).sort()).toEqual(namesWithEffects(linearTools).sort());
  });

  describe.each(['after', 'before'] as const)('the answer is lost %s Linear acted', (lost) => {
    test.each(rows)('R-durable-runs: %s happens once', async (tool, input) => {
      const call = { helve, tool: named(tool), input };
      const { result } = await repeatAfterLoss(call, { server, act: linear, isEffect }, lost);
      expect(result).toMatchObject({ ok: true });
      expect(effects).toHaveLength(1);
    });
  });

  test('R-durable-runs: with another id the second time it happens twice', async () => {
    const careless: Act = (seen) => {
      const { query, variables } = read(seen);
      const input = { ...variables.input, id: uuid(effects.length + 6) };
      return linear({ ...seen, body: JSON.stringify({ query, variables: { ...variables, input } }) });
    };
    const call = { helve, tool: named('create_issue'), input: { team: team.id, title: 'x' } };
    await repeatAfterLoss(call, { server, act: careless, isEffect }, 'after');
    expect(effects).toHaveLength(2);
  });

  describe.skipIf(schemaMissing !== undefined)(
    `Linear's schema${schemaMissing ? ` (left out: ${schemaMissing})` : ''}`,
    () => {
      let counterpart: Counterpart;
      beforeAll(async () => {
        counterpart = await startLinear();
      }, 60_000);
      afterAll(() => counterpart?.close());

      test.each([
        'after',
        'before',
      ] as const)('R-durable-runs: one comment when the answer is lost %s it was made', async (lost) => {
        const official = new LinearClient({ apiKey, apiUrl: `${counterpart.url}/graphql` });
        const count = async () => (await (await official.issue(ids.issue)).comments()).nodes.length;
        const before = await count();
        const call = { helve, tool: named('create_comment'), input: { issue: 'ENG-1', body: 'Once' } };
        const { result } = await repeatAfterLoss(call, { server, act: forwardTo(counterpart.url), isEffect }, lost);
        expect(result).toMatchObject({ ok: true, output: { body: 'Once' } });
        expect(await count()).toBe(before + 1);
      });
    },
  );
});
