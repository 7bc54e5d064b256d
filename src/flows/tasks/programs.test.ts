/** Programs that an agent starts and that wait for a person: the issue waits with them, its clock stands still, and one decision lets both go on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { IssueView } from '../../domain/issue-acts.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { untilIssue } from '../../testing/until-issue.js';

const opened: TestHelve[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Runs the program through the given tool, then ends with what it was told. */
function programmer(code: string, through: 'run_code' | 'call_tool' = 'run_code') {
  const asked: { prompt: { role: string; content: unknown }[] }[] = [];
  return {
    asked,
    told: () => JSON.stringify(asked.at(-1)?.prompt.at(-1)?.content),
    modelId: 'programmer',
    async doGenerate(question: unknown) {
      const { prompt } = structuredClone({ prompt: (question as (typeof asked)[0]).prompt });
      asked.push({ prompt });
      const isFirst = !prompt.some(({ role }) => role === 'assistant');
      const input = through === 'run_code' ? { code } : { tool: 'run_code', arguments: { code } };
      const call = { type: 'tool-call', toolCallId: 'c', toolName: through, input: JSON.stringify(input) };
      return {
        content: [isFirst ? call : { type: 'text', text: 'Done.' }],
        finishReason: isFirst ? 'tool-calls' : 'stop',
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}

function createShelf() {
  const saved: unknown[] = [];
  const save = testTool({
    name: 'save',
    highRisk: true,
    execute: async (input) => ({ number: saved.push(input) }),
  });
  return { saved, save };
}

async function open(options: TestHelveOptions): Promise<TestHelve> {
  const helve = await createTestHelve({ publicUrl: 'http://localhost', ...options });
  opened.push(helve);
  return helve;
}

type Watched = Pick<TestHelve, 'plane' | 'admin'>;

async function give(helve: Watched): Promise<string> {
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'Save the cats' });
  await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
  return id;
}

const isOver = ({ state }: IssueView) => ['done', 'failed'].includes(state);
const waitsForApproval = ({ phase }: IssueView) => phase === 'waiting_for_approval';
const timersOf = async ({ plane, admin }: Watched, id: string) =>
  (await plane.getActor(admin, { kind: 'issue', id })).timers.map(({ name }) => name);

async function decide({ plane, admin }: Watched, issue: IssueView, decision: 'approved' | 'rejected' = 'approved') {
  const { approvalId } = issue.waitsFor as unknown as { approvalId: string };
  await plane.decideApproval(admin, approvalId, decision, 'api');
}

describe('R-agent-worker R-approval: a program of an agent waits for an approval', { timeout: 120_000 }, () => {
  it.each([
    'run_code',
    'call_tool',
  ] as const)('the issue waits with it, and its clock stands still: %s', async (through) => {
    const { saved, save } = createShelf();
    const model = programmer("return await custom.save({ what: 'cat' })", through);
    const helve = await open({ tools: [save], models: { language: model } });
    const id = await give(helve);
    const waiting = await untilIssue(helve, id, waitsForApproval);
    // As for a call that the agent makes itself.
    expect(waiting.waitsFor).toMatchObject({ for: 'approval', tool: 'Custom.save', runId: waiting.run });
    expect(await timersOf(helve, id)).not.toContain('attempt');
    const [pending] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    expect(waiting.waitsFor).toMatchObject({ approvalId: pending?.id });
    expect([saved.length, model.asked.length]).toEqual([0, 1]);
    await decide(helve, waiting);
    expect(await untilIssue(helve, id, isOver)).toMatchObject({
      state: 'done',
      attempts: 1,
      usage: { steps: 2, tokens: 30 },
    });
    expect(saved).toEqual([{ what: 'cat' }]);
    // The model was not asked in between, and reads what the program returned.
    expect(model.asked).toHaveLength(2);
    expect(model.told()).toContain('succeeded');
  });

  it('two calls of it are asked one after the other', async () => {
    const { saved, save } = createShelf();
    const model = programmer("return await Promise.all([custom.save({ what: 'cat' }), custom.save({ what: 'dog' })])");
    const helve = await open({ tools: [save], models: { language: model } });
    const id = await give(helve);
    const first = await untilIssue(helve, id, waitsForApproval);
    await decide(helve, first);
    const { approvalId } = first.waitsFor as unknown as { approvalId: string };
    const second = await untilIssue(
      helve,
      id,
      (issue) =>
        waitsForApproval(issue) && (issue.waitsFor as unknown as { approvalId: string }).approvalId !== approvalId,
    );
    await decide(helve, second);
    expect(await untilIssue(helve, id, isOver)).toMatchObject({ state: 'done' });
    expect(saved).toHaveLength(2);
    expect(model.asked).toHaveLength(2);
  });

  it('a refusal reaches the program, and the agent goes on', async () => {
    const { saved, save } = createShelf();
    const model = programmer("try { await custom.save({ what: 'cat' }) } catch (error) { return 'refused' }");
    const helve = await open({ tools: [save], models: { language: model } });
    const id = await give(helve);
    await decide(helve, await untilIssue(helve, id, waitsForApproval), 'rejected');
    expect(await untilIssue(helve, id, isOver)).toMatchObject({ state: 'done' });
    expect(saved).toEqual([]);
    expect(model.told()).toContain('refused');
  });

  it('a question of it is a question of the issue, and its answer is passed on', async () => {
    const model = programmer("return await person.ask({ question: 'Which?', choices: ['black', 'white'] })");
    const helve = await open({ tools: [createShelf().save], models: { language: model } });
    const id = await give(helve);
    const { waitsFor } = await untilIssue(helve, id, ({ phase }) => phase === 'waiting_for_answer');
    const { runId, number } = waitsFor as unknown as { runId: string; number: number };
    expect(waitsFor).toMatchObject({ question: 'Which?', within: { number: 1 } });
    const answer = (text: string) => helve.plane.decideRun(helve.admin, runId, { decision: 'answer', number, text });
    await expect(answer('red')).rejects.toMatchObject({ code: 'invalid_input' });
    await answer('white');
    expect(await untilIssue(helve, id, isOver)).toMatchObject({ state: 'done' });
    expect(model.told()).toContain('white');
  });

  it('a program that somebody ends does not leave the issue waiting', async () => {
    const model = programmer("return await custom.save({ what: 'cat' })");
    const helve = await open({ tools: [createShelf().save], models: { language: model } });
    const id = await give(helve);
    const { waitsFor } = await untilIssue(helve, id, waitsForApproval);
    const { within } = waitsFor as unknown as { within: { runId: string } };
    await helve.plane.cancelRun(helve.admin, within.runId);
    expect(await untilIssue(helve, id, isOver)).toMatchObject({ state: 'done' });
    expect(model.told()).toContain('cancelled');
  });

  it('attack: the model cannot wait for a run by the name of the step', async () => {
    const model = programmer('return 1');
    const asks = {
      ...model,
      doGenerate: async (question: unknown) => {
        const answer = await model.doGenerate(question);
        const [part] = answer.content;
        if (part !== undefined && 'toolName' in part)
          Object.assign(part, { toolName: 'program.settled', input: '{"id":"x"}' });
        return answer;
      },
    };
    const helve = await open({ tools: [createShelf().save], models: { language: asks } });
    const id = await give(helve);
    expect(await untilIssue(helve, id, isOver)).toMatchObject({ state: 'done' });
    expect(model.told()).toContain('There is no tool program.settled');
  });

  it('R-durable-runs: decided while no process runs, it goes on in the next one, and nothing is done twice', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helve-programs-'));
    folders.push(dataDir);
    const { saved, save } = createShelf();
    const model = programmer("return await custom.save({ what: 'cat' })");
    const options = { dataDir, publicUrl: 'http://localhost', tools: [save], models: { language: model } };
    const first = await open(options);
    const id = await give(first);
    const waiting = await untilIssue(first, id, waitsForApproval);
    await opened.pop()?.close();
    const second = await createHelve(options);
    try {
      const watched = { plane: second.plane, admin: first.admin };
      expect(await second.plane.getIssue(first.admin, id)).toMatchObject({ phase: 'waiting_for_approval' });
      await decide(watched, waiting);
      expect(await untilIssue(watched, id, isOver)).toMatchObject({ state: 'done', attempts: 1 });
    } finally {
      await second.close();
    }
    expect(saved).toEqual([{ what: 'cat' }]);
    expect(model.asked).toHaveLength(2);
  });
});
