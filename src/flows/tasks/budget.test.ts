/** Money and tokens of agents that work: what a priced model costs, who stops the work, and when nobody can know. */
import { afterEach, describe, expect, it } from 'vitest';
import type { IssueView } from '../../domain/issue-acts.js';
import type { ToolDefinition } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { untilIssue } from '../../testing/until-issue.js';

const opened: TestHelve[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
});

/** 10 tokens read, 4 of them from the cache, and 5 written: 6 × 300 + 4 × 30 + 5 × 1,500 dollars per million, 0.942 cents. */
const price = { input: 300, output: 1_500, cached: 30 };
const eachCents = 0.942;
const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 };

/** Calls `save` in each of its first answers, then ends. */
function scripted(calls: number, said: object = { usage }) {
  const asked: unknown[] = [];
  return {
    asked,
    modelId: 'priced-1',
    async doGenerate(question: unknown) {
      asked.push(question);
      const { prompt } = question as { prompt: { role: string }[] };
      const isEnd = prompt.filter(({ role }) => role === 'assistant').length >= calls;
      const call = { type: 'tool-call', toolCallId: 'c', toolName: 'save', input: '{"what":"cat"}' };
      return {
        content: [isEnd ? { type: 'text', text: 'Saved.' } : call],
        finishReason: isEnd ? 'stop' : 'tool-calls',
        ...said,
      };
    },
  };
}

async function open(models: TestHelveOptions['models'], more: Partial<ToolDefinition> = {}) {
  const saved: unknown[] = [];
  const save = testTool({ name: 'save', execute: async (input) => ({ number: saved.push(input) }), ...more });
  const helve = await createTestHelve({ nativeToolkits: [], tools: [save], publicUrl: 'http://localhost', models });
  opened.push(helve);
  return { helve, saved };
}

async function give(helve: TestHelve, limits: IssueView['limits'] = {}): Promise<string> {
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'Save the cat', limits });
  await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
  return id;
}

const limitOrg = (helve: TestHelve, limits: object) =>
  helve.plane.updatePlace(helve.admin, { kind: 'org', id: 'own' }, { limits });
const billing = async (helve: TestHelve) => (await helve.plane.getPlace(helve.admin, 'org', 'own')).billing;
const isSettled = ({ state }: IssueView) => ['done', 'failed', 'blocked'].includes(state);

describe('R-agent-worker R-machines: what work costs', () => {
  it('an issue and its organisation are charged what the answers cost, to a fraction of a cent', async () => {
    const { helve } = await open({ language: scripted(2), price });
    const id = await give(helve, { maxCents: 2.9 });
    expect(await untilIssue(helve, id, isSettled)).toMatchObject({ state: 'done', usage: { steps: 3, cents: 2.826 } });
    expect(await billing(helve)).toMatchObject({ tokens: 45, cents: 2.826 });
  });

  it('work is stopped before the next answer, says why, and makes no call that nobody would read', async () => {
    const model = scripted(100);
    const { helve, saved } = await open({ language: model, price });
    const id = await give(helve, { maxCents: 2 * eachCents, maxAttempts: 1 });
    expect(await untilIssue(helve, id, isSettled)).toMatchObject({
      state: 'failed',
      usage: { cents: 2 * eachCents },
      lastError: {
        code: 'budget_used',
        message: 'The work has used 1.884 cents of the 1.884 cents and is not finished',
      },
    });
    expect(model.asked).toHaveLength(2);
    expect(saved).toHaveLength(1);
  });

  it('an attempt that is stopped from outside has used what it used, once', async () => {
    let reached = (): void => {};
    const isThere = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const hangs = async (): Promise<never> => {
      reached();
      return new Promise(() => {});
    };
    const { helve } = await open({ language: scripted(1), price }, { execute: hangs });
    const id = await give(helve);
    await isThere;
    expect((await helve.plane.getIssue(helve.admin, id)).usage).toMatchObject({ cents: 0 });
    await helve.plane.cancelIssue(helve.admin, id);
    const used = { steps: 1, cents: eachCents };
    expect(await untilIssue(helve, id, ({ usage: so }) => (so?.cents ?? 0) > 0)).toMatchObject({ usage: used });
    await expect.poll(() => billing(helve)).toMatchObject({ tokens: 15, cents: eachCents });
    expect(await helve.plane.getIssue(helve.admin, id)).toMatchObject({ state: 'cancelled', usage: used });
  });

  it('an issue that is cancelled while it waits is charged when its run ends', async () => {
    const { helve } = await open({ language: scripted(1), price }, { highRisk: true });
    const id = await give(helve);
    await untilIssue(helve, id, ({ phase }) => phase === 'waiting_for_approval');
    await helve.plane.cancelIssue(helve.admin, id);
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    await helve.plane.decideApproval(helve.admin, String(approval?.id), 'rejected', 'api');
    expect(await untilIssue(helve, id, ({ usage: so }) => (so?.cents ?? 0) > 0)).toMatchObject({
      state: 'cancelled',
      usage: { steps: 1, cents: eachCents },
    });
  });

  it('an answer that ends the work is kept, also if it used up the money', async () => {
    const { helve } = await open({ language: scripted(1), price });
    const id = await give(helve, { maxCents: 2 * eachCents });
    expect(await untilIssue(helve, id, isSettled)).toMatchObject({ state: 'done', usage: { cents: 2 * eachCents } });
  });

  it('work ends with the money of its organisation, and the next attempt waits for the next period', async () => {
    const model = scripted(3);
    const { helve } = await open({ language: model, price });
    await limitOrg(helve, { maxCents: 2 * eachCents });
    const first = await give(helve, { maxAttempts: 1 });
    expect(await untilIssue(helve, first, isSettled)).toMatchObject({
      state: 'failed',
      lastError: {
        code: 'budget_used',
        message: expect.stringContaining('that its organisation had left in this period'),
      },
    });
    await helve.plane.retryIssue(helve.admin, first);
    const blocked = await untilIssue(helve, first, ({ state }) => state === 'blocked');
    expect(blocked.blockedBy).toMatchObject([{ reason: 'limit', message: expect.stringContaining('US dollars') }]);
    expect(model.asked).toHaveLength(2);
    await limitOrg(helve, { maxCents: 100 });
    expect(await untilIssue(helve, first, isSettled)).toMatchObject({ state: 'done' });
  });

  it('attempts that work at the same time spend what their organisation has left once', async () => {
    const model = scripted(100);
    const answersLater: typeof model.doGenerate = async (question) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return model.doGenerate(question);
    };
    const { helve } = await open({ language: { modelId: model.modelId, doGenerate: answersLater }, price });
    await limitOrg(helve, { maxCents: 4 * eachCents });
    const ids = await Promise.all([1, 2, 3, 4].map(() => give(helve, { maxAttempts: 1 })));
    const settled = await Promise.all(ids.map((id) => untilIssue(helve, id, isSettled)));
    // One that begins too late is blocked.
    const codes = settled.map(({ lastError, blockedBy }) => lastError?.code ?? blockedBy[0]?.reason);
    expect(codes.filter((code) => code !== 'budget_used' && code !== 'limit')).toEqual([]);
    // Those that are being answered when the last money is spent are paid too.
    expect(model.asked.length).toBeLessThanOrEqual(4 + 3);
    expect(await billing(helve)).toMatchObject({ tokens: model.asked.length * 15 });
  });

  it('an attempt that follows one which used up the money is not begun', async () => {
    const model = scripted(100);
    const { helve } = await open({ language: model, price });
    await limitOrg(helve, { maxCents: 2 * eachCents });
    const id = await give(helve, { maxAttempts: 2, backOffMs: 10 } as object);
    const { blockedBy, attempts } = await untilIssue(helve, id, isSettled);
    expect(blockedBy).toMatchObject([
      { reason: 'limit', message: expect.stringContaining('money of the organisation') },
    ]);
    expect([attempts, model.asked.length]).toEqual([0, 2]);
  });
});

describe('R-agent-worker: money is limited, and nobody can know what the work costs', () => {
  it.each([['issue'], ['organisation']])('a model without a price is not asked: limit of the %s', async (whose) => {
    const model = scripted(0);
    const { helve } = await open({ language: model });
    if (whose === 'organisation') await limitOrg(helve, { maxCents: 500 });
    const id = await give(helve, whose === 'issue' ? { maxCents: 500 } : {});
    const { blockedBy } = await untilIssue(helve, id, isSettled);
    expect(blockedBy).toEqual([
      { reason: 'model', message: expect.stringMatching(/^priced-1 has no price.*maxCents/) },
    ]);
    expect(model.asked).toEqual([]);
    // The control: without the limit the same model works, and costs nothing that is known.
    await limitOrg(helve, { maxCents: null });
    const free = await give(helve);
    expect(await untilIssue(helve, free, isSettled)).toMatchObject({ state: 'done', usage: { tokens: 15, cents: 0 } });
  });

  it('a model that does not say how many tokens it used is asked once, and never again', async () => {
    const model = scripted(100, {});
    const { helve, saved } = await open({ language: model, price });
    const id = await give(helve, { maxCents: 500, maxAttempts: 1 });
    expect(await untilIssue(helve, id, isSettled)).toMatchObject({
      state: 'failed',
      lastError: { code: 'budget_used', message: expect.stringContaining('is unknown') },
    });
    expect([model.asked.length, saved.length]).toEqual([1, 0]);
  });
});
