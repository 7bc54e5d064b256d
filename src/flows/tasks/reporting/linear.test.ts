/** Outcomes of issues of Linear, against a server with Linear's published schema. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { passOnTo, type Scripted, sendJson, startScripted } from '../../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { untilIssue } from '../../../testing/until-issue.js';
import { connectedTo } from '../../../toolkits/linear/testing/connected.js';
import { schemaMissing, startLinear } from '../../../toolkits/linear/testing/counterpart.js';
import { destinations } from './destinations.js';

const secret = 'lin_wh_0123456789abcdef';
const model = {
  modelId: 'scripted',
  doGenerate: async () => ({
    content: [{ type: 'text' as const, text: 'It no longer breaks.' }],
    finishReason: 'stop',
  }),
};

let linear: Counterpart;
let watcher: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  if (schemaMissing) return;
  [linear, watcher] = await Promise.all([startLinear(), startScripted()]);
  watcher.answer = passOnTo(() => linear.url);
  const options = { publicUrl: 'http://localhost', models: { language: model } };
  helve = await createTestHelve({ ...connectedTo(watcher.url), ...options });
});
afterAll(async () => {
  await helve?.close();
  await Promise.all([linear?.close(), watcher?.close()]);
});

const mutations = () =>
  watcher.seen
    .map(({ body }) => JSON.parse(body) as { query: string; variables: { input?: object } })
    .filter(({ query }) => query.startsWith('mutation'));

it.skipIf(schemaMissing)('R-task-mcp: what is done is commented once, and moved to a completed state', async () => {
  const { plane, admin } = helve;
  await plane.createTaskSource(admin, { provider: 'linear', scope: 'ENG', connection: 'team', secret });
  const text = JSON.stringify({
    action: 'create',
    type: 'Issue',
    url: 'https://linear.app/acme/issue/ENG-1/it-breaks',
    createdAt: '2026-01-01T00:00:00.000Z',
    data: { id: 'i1', title: 'It breaks', updatedAt: '2026-01-01T00:00:00.000Z' },
    webhookTimestamp: Date.now(),
  });
  const headers = new Headers({ 'linear-signature': createHmac('sha256', secret).update(text).digest('hex') });
  await plane.receiveWebhook('linear', { body: Buffer.from(text), headers });
  await plane.assignIssue(admin, 'linear:ENG-1', { agent: 'tester' });
  await untilIssue(helve, 'linear:ENG-1', ({ state }) => state === 'done');
  await expect.poll(() => mutations().length, { timeout: 20_000 }).toBe(2);
  const [comment, moved] = mutations();
  expect(comment?.variables.input).toMatchObject({
    body: expect.stringMatching(/^\*\*Done\*\*.*It no longer breaks\./s),
  });
  expect(moved?.variables.input).toMatchObject({ stateId: expect.any(String) });
  const work = async () => (await plane.getActor(admin, { kind: 'issue', id: 'linear:ENG-1' })).work;
  await expect.poll(work, { timeout: 20_000 }).toEqual([]);
  const runs = await plane.listRuns(admin, {});
  expect(runs.find(({ intent }) => intent?.includes('linear:ENG-1'))).toMatchObject({ status: 'succeeded' });
  expect(mutations()).toHaveLength(2);
});

it('R-task-mcp: the completed state is the first of its team, in whatever order Linear lists them', async () => {
  const server = await startScripted();
  const own = await createTestHelve(connectedTo(server.url));
  const team = { id: 't1', key: 'ENG', name: 'Engineering' };
  const state = (id: string, type: string, position: number) => ({ id, name: id, type, position, team });
  const all = [state('todo', 'unstarted', 1), state('released', 'completed', 7), state('done', 'completed', 3)];
  server.answer = ({ body }, response) => {
    const { query } = JSON.parse(body) as { query: string };
    // As GraphQL: what is not selected is not sent.
    const nodes = all.map(({ position, ...rest }) => (query.includes('position') ? { ...rest, position } : rest));
    const data = query.includes('ListStates')
      ? { workflowStates: { nodes, pageInfo: { hasNextPage: false } } }
      : { found: { nodes: [team] } };
    sendJson(response, 200, { data });
  };
  const read = (tool: string, input: object) => own.call(`team__${tool}`, input);
  const calls = await destinations.linear({ ref: 'linear:ENG-1', state: 'done', text: 'Done', read });
  expect(calls?.at(-1)).toEqual({ tool: 'update_issue_status', input: { id: 'ENG-1', state: 'done' } });
  await own.close();
  await server.close();
});
