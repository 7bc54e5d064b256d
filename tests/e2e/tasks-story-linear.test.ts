/**
 * The story of an issue of Linear: it is delivered and given to an agent by a comment; it is blocked because an app is missing, and
 * goes on once that is connected. The agent, in code mode, hands in a wrong result, is rejected, and is done with
 * the right one. Linear is a server with its published schema.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IssueView } from '../../src/domain/issue-acts.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { nativeToolkits } from '../../src/toolkits/index.js';
import { connectedTo } from '../../src/toolkits/linear/testing/connected.js';
import { schemaMissing, startLinear } from '../../src/toolkits/linear/testing/counterpart.js';
import type { Counterpart } from '../counterparts/child.js';
import { passOnTo, type Scripted, startScripted } from '../counterparts/scripted.js';

const ref = 'linear:ENG-1';
const url = 'https://linear.app/acme/issue/ENG-1/how-many';
const secret = 'lin_wh_0123456789abcdef';
const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', url: 'https://linear.app/acme/profiles/ada' };

interface Asked {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
}
const asked: string[] = [];

const model = {
  modelId: 'scripted',
  async doGenerate(question: unknown) {
    const { prompt } = question as Asked;
    asked.push(JSON.stringify(prompt));
    const called = prompt.filter(({ role }) => role === 'assistant').length;
    const sum = JSON.stringify(prompt).includes('This is attempt 2') ? '6 * 7' : '6 + 7';
    const say = (toolName: string, input: object) => ({
      content: [{ type: 'tool-call', toolCallId: `c${called}`, toolName, input: JSON.stringify(input) }],
      finishReason: 'tool-calls',
    });
    if (called === 0)
      return say('run_code', { code: `return (await math.calculate({ expression: '${sum}' })).result` });
    const [, result] = /\\?"value\\?":(\d+)/.exec(JSON.stringify(prompt.at(-1)?.content)) ?? [];
    return say('submit_result', { number: Number(result) });
  },
};

let linear: Counterpart;
let watcher: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  if (schemaMissing) return;
  [linear, watcher] = await Promise.all([startLinear(), startScripted()]);
  watcher.answer = passOnTo(() => linear.url);
  const {
    nativeToolkits: [own],
    ...connected
  } = connectedTo(watcher.url);
  const others = nativeToolkits.filter(({ slug }) => ['math', 'discovery', 'github'].includes(slug));
  helve = await createTestHelve({
    ...connected,
    nativeToolkits: own ? [own, ...others] : others,
    publicUrl: 'http://localhost',
    models: { language: model },
  });
});
afterAll(async () => {
  await helve?.close();
  await Promise.all([linear?.close(), watcher?.close()]);
});

/** The texts of the comments that Linear was asked to make, and the moves as `moved`. */
const written = (): readonly string[] =>
  watcher.seen
    .map(({ body }) => JSON.parse(body) as { query: string; variables: { input?: { body?: string } } })
    .filter(({ query }) => query.startsWith('mutation'))
    .map(({ variables }) => variables.input?.body ?? 'moved');

async function deliver(body: object) {
  const text = JSON.stringify({ ...body, webhookTimestamp: Date.now() });
  const headers = new Headers({ 'linear-signature': createHmac('sha256', secret).update(text).digest('hex') });
  return helve.plane.receiveWebhook('linear', { body: Buffer.from(text), headers });
}

const until = (fits: (issue: IssueView) => boolean) => untilIssue(helve, ref, fits);

test.skipIf(schemaMissing)(
  'R-task-mcp R-machines: from a webhook of Linear over a missing app and a wrong result to one comment that it is done',
  async () => {
    const { plane, admin } = helve;
    await plane.changeAgent(admin, 'tester', { toolMode: 'code' });
    const connection = await plane.connection(admin, 'team');
    await helve.storage
      .workspace(helve.workspaceId)
      .change([], (tables) => tables.updateConnection({ ...connection, account: { id: 'the-bot' } }));
    const schema = { type: 'object', properties: { number: { const: 42 } }, required: ['number'] };
    const source = { provider: 'linear', scope: 'ENG', connection: 'team', secret } as const;
    await plane.createTaskSource(admin, { ...source, checks: [{ kind: 'output', schema }] });
    await plane.putToolConfig(admin, { level: 'repo', id: 'linear:acme/ENG' }, { requiredApps: ['GitHub'] });

    const about = { id: 'i1', title: 'How many?', updatedAt: '2026-01-01T00:00:00.000Z' };
    await deliver({ action: 'create', type: 'Issue', url, createdAt: '2026-01-01T00:00:00.000Z', data: about });
    const order = { id: 'c1', body: '/helve assign tester', createdAt: '2026-01-01T00:00:01.000Z', user: ada };
    await deliver({ action: 'create', type: 'Comment', url: `${url}#comment-1`, data: { ...order, issue: about } });
    await until(({ state }) => state === 'blocked');
    await expect.poll(written, { timeout: 20_000 }).toHaveLength(1);
    expect(written()[0]).toContain('http://localhost/panel/connections/connect/github');

    const { id } = await plane.addConnection(admin, { toolkit: 'github', name: 'Hub', scheme: 'token' });
    await plane.connect(admin, id, { credentials: { token: 'ghp_0123456789abcdef' }, check: false });
    await plane.changeGrants(admin, 'tester', { add: [{ tools: ['*'] }] });

    const done = await until(({ state }) => state === 'done' || state === 'failed');
    expect(done).toMatchObject({ state: 'done', attempts: 2, delivered: { output: { number: 42 } } });
    expect(asked.filter((prompt) => prompt.includes('This is attempt 2'))).not.toEqual([]);
    // On a busy machine the issue is found to lack the grant, and says so, before the grant comes.
    await expect.poll(() => written().at(-1), { timeout: 20_000 }).toBe('moved');
    expect(written().at(-2)).toMatch(/^\*\*Done\*\*.*42/s);
    expect(written().filter((text) => text.startsWith('**Done**'))).toHaveLength(1);
  },
);
