/** Deliveries of Linear, with the types that Linear publishes for them; its own client confirms how they are signed. */
import { createHmac } from 'node:crypto';
import type {
  AgentSessionEventWebhookPayload,
  EntityWebhookPayloadWithCommentData,
  EntityWebhookPayloadWithIssueData,
} from '@linear/sdk';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { IssueView } from '../../../domain/issue-acts.js';
import type { NewTaskSource } from '../../../domain/task-source.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { untilIssue } from '../../../testing/until-issue.js';

const secret = 'lin_wh_0123456789abcdef';
const opened: TestHelve[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
});

const silent = { modelId: 'silent', doGenerate: () => new Promise<never>(() => {}) };
const account = {
  toolkit: 'linear',
  name: 'Team',
  scheme: 'api_key',
  credentials: { key: 'lin_api_0123456789abcdef' },
};

async function open(source: Partial<NewTaskSource> = {}) {
  const helve = await createTestHelve({
    publicUrl: 'http://localhost',
    models: { language: silent },
    connections: [account],
  });
  opened.push(helve);
  await becomes(helve, 'the-bot');
  const wanted = { provider: 'linear', scope: 'ENG', connection: 'team', secret, ...source } as const;
  await helve.plane.createTaskSource(helve.admin, wanted);
  return { helve, plane: helve.plane, admin: helve.admin };
}

/** Whose account it is, as Linear says when it is asked. */
async function becomes({ storage, workspaceId, plane, admin }: TestHelve, id: string): Promise<void> {
  const connection = await plane.connection(admin, 'team');
  await storage
    .workspace(workspaceId)
    .change([], (tables) => tables.updateConnection({ ...connection, account: { id } }));
}

const sign = (text: string, key = secret): string => createHmac('sha256', key).update(text).digest('hex');

async function deliver({ plane }: TestHelve, body: object, { key = secret, at = Date.now() } = {}) {
  const text = JSON.stringify({ ...body, webhookTimestamp: at });
  // Linear's own client accepts it as well, unless the test is about what is refused.
  if (key === secret && Math.abs(Date.now() - at) < 30_000)
    expect(new LinearWebhookClient(secret).verify(Buffer.from(text), sign(text), at)).toBe(true);
  const headers = new Headers({ 'content-type': 'application/json', 'linear-signature': sign(text, key) });
  return plane.receiveWebhook('linear', { body: Buffer.from(text), headers });
}

type Partly<T> = { readonly [Member in keyof T]?: T[Member] extends object ? Partly<T[Member]> : T[Member] };
const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', url: 'https://linear.app/acme/profiles/ada' };
const ref = 'linear:ENG-42';
const address = 'https://linear.app/acme/issue/ENG-42/it-breaks';
const team = { id: 't1', key: 'ENG', name: 'Engineering' };
const inShort = { id: 'i1', identifier: 'ENG-42', title: 'It breaks', team, teamId: 't1', url: address };
const time = (second: number) => `2026-01-01T00:00:0${second}.000Z`;

interface Told {
  readonly action?: string;
  readonly updatedFrom?: Record<string, unknown>;
  readonly data?: Partly<EntityWebhookPayloadWithIssueData['data']>;
}

const issue = ({ action = 'create', data = {}, ...more }: Told = {}): Partly<EntityWebhookPayloadWithIssueData> => ({
  action,
  type: 'Issue',
  url: address,
  createdAt: new Date(time(1)),
  actor: { ...ada, type: 'user' },
  data: {
    id: 'i1',
    identifier: 'ENG-42',
    title: 'It breaks',
    description: 'Often',
    updatedAt: time(1),
    labels: [{ id: 'l1', name: 'Bug', color: '#fff' }],
    creator: ada,
    state: { type: 'unstarted', name: 'Todo' },
    ...data,
  },
  ...more,
});

const comment = (body: string, data: object = {}): Partly<EntityWebhookPayloadWithCommentData> => ({
  action: 'create',
  type: 'Comment',
  url: `${address}#comment-1`,
  data: { id: body, body, createdAt: time(2), user: ada, userId: 'ada', issue: inShort, ...data },
});

const session = (action: string, body: string, creator = ada): Partly<AgentSessionEventWebhookPayload> => ({
  action,
  type: 'AgentSessionEvent',
  createdAt: new Date(time(3)),
  agentSession: {
    id: 's1',
    creator,
    issue: { ...inShort, description: 'Often' },
    comment: { id: `c ${body}`, body },
  },
});

const until = (helve: TestHelve, fits: (issue: IssueView) => boolean) => untilIssue(helve, ref, fits);

async function configure(helve: TestHelve, settings: object) {
  const { actors } = helve.storage.workspace(helve.workspaceId);
  const to = { kind: 'repo', id: 'linear:acme/ENG' } as const;
  await actors.send({ to, id: JSON.stringify(settings), event: { type: 'CONFIGURED', ...settings } });
}

describe('R-task-mcp: issues of Linear', () => {
  it.each([
    'ENG',
    'acme',
  ])('an issue is filed for a source of %s, changed, and never by an older delivery', async (scope) => {
    const { helve, plane, admin } = await open({ scope });
    for (let times = 0; times < 2; times++) expect(await deliver(helve, issue())).toEqual({ accepted: true });
    expect(await plane.getIssue(admin, ref)).toMatchObject({
      org: 'linear:acme',
      repo: 'linear:acme/ENG',
      title: 'It breaks',
      body: 'Often',
      labels: ['Bug'],
      createdBy: { name: 'Ada (linear)' },
      origin: { url: address },
    });
    const edited = (second: number) =>
      issue({
        action: 'update',
        data: { title: `title ${second}`, updatedAt: time(second) },
        updatedFrom: { title: 'x' },
      });
    for (const second of [5, 3, 4]) await deliver(helve, edited(second));
    expect((await plane.getIssue(admin, ref)).title).toBe('title 5');
    // A comment does not say everything about the issue, and takes nothing away.
    await deliver(helve, comment('Since yesterday'));
    expect(await plane.getIssue(admin, ref)).toMatchObject({ title: 'title 5', body: 'Often', labels: ['Bug'] });
  });

  it('attack: what is signed with another secret, is too old or too early, or is for another team is refused', async () => {
    const { helve, plane, admin } = await open();
    const minuteMs = 61_000;
    for (const attempt of [
      () => deliver(helve, issue(), { key: 'another secret' }),
      () => deliver(helve, issue(), { at: Date.now() - minuteMs }),
      () => deliver(helve, issue(), { at: Date.now() + minuteMs }),
      () => deliver(helve, issue(), { at: 'now' as unknown as number }),
      () => deliver(helve, { ...issue(), url: address.replace('ENG', 'OPS') }),
      () => deliver(helve, { ...issue(), url: 'https://example.com/acme/issue/ENG-42/' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await plane.listIssues(admin)).issues).toEqual([]);
    expect(await deliver(helve, issue(), { at: Date.now() - 50_000 })).toEqual({ accepted: true });
  });

  it('what is about no issue is answered, so that Linear does not switch the webhook off, and changes nothing', async () => {
    const { helve, plane, admin } = await open();
    const project = 'https://linear.app/acme/project/launch-0123456789ab';
    const about = (type: string, more: object) =>
      deliver(helve, { action: 'create', type, createdAt: time(1), ...more });
    const ignored = { accepted: false };
    expect(await about('Project', { url: project, data: { id: 'p1', name: 'Launch' } })).toEqual(ignored);
    expect(await about('Reaction', { data: { id: 'r1', emoji: 'tada' } })).toEqual(ignored);
    const said = { id: 'c1', body: '/helve assign tester', createdAt: time(2), user: ada };
    expect(await about('Comment', { url: `${project}#comment-c1`, data: said })).toEqual(ignored);
    expect(await about('AgentSessionEvent', { agentSession: { id: 's1', creator: ada } })).toEqual(ignored);
    expect((await plane.listIssues(admin)).issues).toEqual([]);
  });

  it('a team of another organisation with the same key does not change its issues', async () => {
    const { helve, plane, admin } = await open();
    await plane.createTaskSource(admin, { provider: 'linear', scope: 'other', connection: 'team', secret });
    await deliver(helve, issue());
    const other = { ...issue({ action: 'update', data: { title: 'Theirs', updatedAt: time(9) } }) };
    expect(await deliver(helve, { ...other, url: address.replace('acme', 'other') })).toEqual({ accepted: false });
    expect((await plane.getIssue(admin, ref)).title).toBe('It breaks');
  });

  it('a state that ends it cancels, and a new beginning retries', async () => {
    const { helve, plane, admin } = await open();
    await deliver(helve, issue());
    await plane.assignIssue(admin, ref, { agent: 'tester' });
    await until(helve, ({ state }) => state === 'executing');
    const moved = (second: number, type: string, before: object) =>
      issue({
        action: 'update',
        data: { updatedAt: time(second), state: { type } },
        updatedFrom: { stateId: 'x', ...before },
      });
    await deliver(helve, moved(3, 'canceled', {}));
    await until(helve, ({ state }) => state === 'cancelled');
    await deliver(helve, moved(4, 'started', { canceledAt: time(3) }));
    await until(helve, ({ state }) => state === 'executing');
    await deliver(helve, moved(3, 'canceled', {}));
    expect((await plane.getIssue(admin, ref)).state).toBe('executing');
    await deliver(helve, moved(5, 'duplicate', {}));
    await until(helve, ({ state }) => state === 'cancelled');
  });

  it('a comment of a member gives an order', async () => {
    const { helve, admin } = await open();
    await deliver(helve, comment('/helve assign tester'));
    const assigned = await until(helve, ({ state }) => state === 'executing');
    expect(assigned).toMatchObject({ agent: 'tester', onBehalfOf: { id: admin.id } });
  });

  it.each([
    ['somebody outside of Linear', { externalUser: { id: 'x' } }],
    ['a program', { botActor: '{}' }],
    ['nobody', { user: null }],
    ['an account that agents use here', { user: { ...ada, id: 'the-bot' } }],
  ])('attack: a comment of %s gives none', async (_, data) => {
    const { helve, plane, admin } = await open();
    await deliver(helve, issue());
    await deliver(helve, comment('/helve assign tester', data));
    expect((await plane.getIssue(admin, ref)).agent).toBeUndefined();
  });

  it('attack: while it is not known whose account it is, no comment gives an order', async () => {
    const { helve, plane, admin } = await open();
    const { account: _, ...connection } = await plane.connection(admin, 'team');
    await helve.storage.workspace(helve.workspaceId).change([], (tables) => tables.updateConnection(connection));
    await deliver(helve, issue());
    await deliver(helve, comment('/helve assign tester'));
    expect((await plane.getIssue(admin, ref)).agent).toBeUndefined();
  });

  it('what is delegated to Helve gets the agent of the rule, and what is said in the session is a comment', async () => {
    const { helve, plane, admin } = await open();
    await deliver(helve, issue());
    await configure(helve, { autoAssign: [{ agent: 'tester' }] });
    await deliver(helve, session('created', 'Please take this'));
    await until(helve, ({ state }) => state === 'executing');
    const said = (await plane.getIssueTimeline(admin, ref)).filter(({ what }) => what === 'comment');
    expect(said).toMatchObject([{ comment: { text: 'Please take this' } }]);
  });
});
