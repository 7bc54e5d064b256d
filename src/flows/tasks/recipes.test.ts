/** Agents that follow a recipe: in each step they can call its tools and no others, whatever the model asks for and whatever dies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { IssueView, NewIssue } from '../../domain/issue-acts.js';
import type { RecipeStep } from '../../domain/recipe.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { type Said, scriptedModel } from '../../testing/scripted-agent-model.js';
import { untilIssue } from '../../testing/until-issue.js';

const opened: TestHelve[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function scripted(script: readonly Said[]) {
  const model = scriptedModel(script);
  return {
    ...model,
    /** The tools that it was shown before each answer. */
    shown: () => model.asked.map(({ tools }) => tools.map(({ name }) => name)),
    /** What it was told last. */
    told: () => JSON.stringify(model.asked.at(-1)?.prompt.at(-1)?.content),
  };
}

/** What the tools have done outlives every Helve. */
function createShelf() {
  const done: string[] = [];
  const tools = ['look', 'save'].map((name) => testTool({ name, execute: async () => ({ number: done.push(name) }) }));
  return { done, tools };
}

async function open(options: TestHelveOptions): Promise<TestHelve> {
  const helve = await createTestHelve({ publicUrl: 'http://localhost', ...options });
  opened.push(helve);
  return helve;
}

type Watched = Pick<TestHelve, 'plane' | 'admin'>;

const twoSteps: readonly RecipeStep[] = [
  { prompt: 'Look around', tools: ['look'] },
  { prompt: 'Save the cat', tools: ['save'] },
];

async function give(helve: Watched, more: Partial<NewIssue> = {}, steps = twoSteps): Promise<string> {
  await helve.plane.setRecipe(helve.admin, 'rescue', { steps });
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'Save the cat', recipe: 'rescue', ...more });
  await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
  return id;
}

const isOver = ({ state }: IssueView) => ['verifying', 'done', 'failed'].includes(state);
const finish = (summary = 'Done') => ['finish_step', { summary }] as const;
const once = { limits: { maxAttempts: 1 } } as const;

describe('R-levels R-agent-worker: an agent follows a recipe', { timeout: 120_000 }, () => {
  it('attack: a tool of step 2 is refused in step 1, and has its effect in step 2', async () => {
    const { done, tools } = createShelf();
    const model = scripted([
      { calls: [['save', { early: 1 }]] },
      { calls: [['look', {}]] },
      { calls: [finish()] },
      { calls: [['look', { late: 1 }]] },
      { calls: [['save', {}]] },
      { calls: [finish()] },
      { calls: [['save', { after: 1 }]] },
      { text: 'The cat is saved.' },
    ]);
    const helve = await open({ tools, models: { language: model } });
    const id = await give(helve);
    expect(await untilIssue(helve, id, isOver)).toMatchObject({ attempts: 1, recipe: 'rescue' });
    expect(done).toEqual(['look', 'save']);
    const own = ['ask_person', 'finish_step', 'result_read'];
    const inSteps = [['look'], ['look'], ['look'], ['save'], ['save'], ['save'], [], []];
    expect(model.shown().map((names) => names.filter((name) => !own.includes(name)))).toEqual(inSteps);
    expect(model.shown().map((names) => names.includes('finish_step'))).toEqual(inSteps.map((one) => one.length > 0));
    const refused = (await helve.audited()).filter(({ type }) => type === 'execution.refused');
    expect(refused.map(({ tool, body }) => [tool, body.rule])).toEqual([
      ['Custom.save', 'recipe.step'],
      ['Custom.look', 'recipe.step'],
      ['Custom.save', 'recipe.step'],
    ]);
    const said = JSON.stringify(model.asked.map(({ prompt }) => prompt.at(-1)));
    expect(said).toContain('Step 1 of the recipe rescue allows look');
    expect(said).toContain('Step 2 of the recipe rescue allows save');
    expect(said).toContain('All steps of the recipe rescue are finished');
    // The steps are told in their order, as instructions.
    const prompt = JSON.stringify(model.asked[0]?.prompt[1]?.content);
    expect(prompt).toMatch(/<\/from-outside>.*Step 1: Look around.*look.*Step 2: Save the cat.*save/);
  });

  it('the calls of one answer belong to one step, in whatever order they are', async () => {
    const { done, tools } = createShelf();
    const model = scripted([
      { calls: [finish(), ['save', {}], ['look', {}], finish('again')] },
      { calls: [['save', {}], finish()] },
      { text: 'Done.' },
    ]);
    const helve = await open({ tools, models: { language: model } });
    await untilIssue(helve, await give(helve), isOver);
    expect(done).toEqual(['look', 'save']);
    expect(JSON.stringify(model.asked[1]?.prompt.at(-1))).toContain('Step 1 of the recipe rescue is finished already');
  });

  it('R-approval: a call that is approved after its step was finished still belongs to this step', async () => {
    const { done } = createShelf();
    const guard = testTool({ name: 'guard', highRisk: true, execute: async () => ({ number: done.push('guard') }) });
    const model = scripted([
      { calls: [finish(), ['guard', {}]] },
      { calls: [['guard', {}], finish()] },
      { text: 'Done.' },
    ]);
    const helve = await open({ tools: [guard], models: { language: model } });
    const steps = [
      { prompt: 'Do it', tools: ['guard'] },
      { prompt: 'Rest', tools: [] },
    ];
    const id = await give(helve, {}, steps);
    const { waitsFor } = await untilIssue(helve, id, ({ phase }) => phase === 'waiting_for_approval');
    const { approvalId } = waitsFor as unknown as { approvalId: string };
    await helve.plane.decideApproval(helve.admin, approvalId, 'approved', 'api');
    await untilIssue(helve, id, isOver);
    // The second one, in step 2, is refused and not asked about.
    expect(done).toEqual(['guard']);
    expect(model.told()).toContain('Step 2 of the recipe rescue allows no tools');
  });

  it('attack: a recipe grants nothing, and the levels of the issue hold in it', async () => {
    const { done, tools } = createShelf();
    const script = [{ calls: [['save', {}]] }, { calls: [finish()] }, { text: 'I tried.' }] as const;
    const steps = [{ prompt: 'Save', tools: ['save'] }];
    const tries = [
      { granted: ['look'], disabled: [], saved: 0 },
      { granted: ['look', 'save'], disabled: ['custom'], saved: 0 },
      // The control.
      { granted: ['look', 'save'], disabled: [], saved: 1 },
    ];
    for (const { granted, disabled, saved } of tries) {
      done.length = 0;
      const model = scripted(script);
      const helve = await open({ tools, models: { language: model } });
      await helve.plane.replaceGrants(helve.admin, 'tester', [
        { toolkit: 'custom', tools: granted, limits: {}, config: {} },
      ]);
      await untilIssue(helve, await give(helve, { tools: { disabled } }, steps), isOver);
      expect([granted, disabled, done.length]).toEqual([granted, disabled, saved]);
      expect(model.shown()[0]?.includes('save')).toBe(saved === 1);
    }
  });

  it('attack: the ledger’s name of the step, call_tool and a program do not lead past the step', async () => {
    const { done, tools } = createShelf();
    const program = "return await env.custom.save({ through: 'program' })";
    const model = scripted([
      { calls: [['recipe.step_finished', { summary: 'x' }]] },
      { calls: [['call_tool', { tool: 'save', arguments: {} }]] },
      { calls: [['run_code', { code: program }]] },
      { calls: [finish()] },
      { calls: [['run_code', { code: program }]] },
      { calls: [finish()] },
      { text: 'Done.' },
    ]);
    const helve = await open({ tools, models: { language: model } });
    await untilIssue(helve, await give(helve), isOver);
    // The one effect is that of the program in step 2.
    expect(done).toEqual(['save']);
    const told = model.asked.map(({ prompt }) => JSON.stringify(prompt.at(-1)));
    expect(told[1]).toContain('There is no tool recipe.step_finished');
    expect(told[2]).toContain('Step 1 of the recipe rescue allows look');
    expect(told[5]).toContain('succeeded');
  });

  it('that ends before the last step is told which one is open, once; then the attempt has failed', async () => {
    const { tools } = createShelf();
    const model = scripted([{ calls: [finish()] }, { text: 'Done.' }, { text: 'Really.' }]);
    const helve = await open({ tools, models: { language: model } });
    expect(await untilIssue(helve, await give(helve, once), isOver)).toMatchObject({
      state: 'failed',
      lastError: { code: 'recipe_unfinished', message: expect.stringContaining('step 2 of 2 of the recipe rescue') },
    });
    expect(model.told()).toContain('Step 2 of the recipe rescue is not finished: Save the cat');
    expect(model.asked).toHaveLength(3);
  });

  it('hands in a result with a form after the last step, and not before', async () => {
    const { done, tools } = createShelf();
    const schema = { type: 'object', properties: { cats: { type: 'number' } }, required: ['cats'] } as const;
    const submit = ['submit_result', { cats: 1 }] as const;
    const model = scripted([{ calls: [finish()] }, { calls: [['save', {}], finish(), submit] }, { calls: [submit] }]);
    const helve = await open({ tools, models: { language: model } });
    const id = await give(helve, { checks: [{ kind: 'output', schema }] });
    expect(await untilIssue(helve, id, ({ state }) => ['done', 'failed'].includes(state))).toMatchObject({
      state: 'done',
    });
    expect(done).toEqual(['save']);
    expect(model.told()).toContain('Step 2 of the recipe rescue is not finished');
  });

  it('keeps the steps that it began with when the recipe is changed or removed, and the next attempt has the new ones', async () => {
    const { done, tools } = createShelf();
    const model = scripted([
      { calls: [['ask_person', { question: 'Which?' }]] },
      { calls: [finish()] },
      { calls: [['save', {}], finish()] },
      { text: 'Done.' },
    ]);
    const helve = await open({ tools, models: { language: model } });
    const id = await give(helve, once);
    const { waitsFor } = await untilIssue(helve, id, ({ phase }) => phase === 'waiting_for_answer');
    await helve.plane.removeRecipe(helve.admin, 'rescue');
    const { runId, number } = waitsFor as unknown as { runId: string; number: number };
    await helve.plane.decideRun(helve.admin, runId, { decision: 'answer', number, text: 'this' });
    await untilIssue(helve, id, isOver);
    expect(done).toEqual(['save']);
  });

  it('that no longer exists blocks the issue until it is written again', async () => {
    const { tools } = createShelf();
    const model = scripted([{ calls: [finish()] }, { text: 'Done.' }]);
    const helve = await open({ tools, models: { language: model } });
    await helve.plane.setRecipe(helve.admin, 'rescue', { steps: twoSteps });
    const { id } = await helve.plane.createIssue(helve.admin, { title: 'Save the cat', recipe: 'rescue' });
    await helve.plane.removeRecipe(helve.admin, 'rescue');
    await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
    const { blockedBy } = await untilIssue(helve, id, ({ state }) => state === 'blocked');
    expect(blockedBy[0]).toMatchObject({ reason: 'worker', message: expect.stringContaining('no recipe rescue') });
    await helve.plane.setRecipe(helve.admin, 'rescue', { steps: [{ prompt: 'Wait', tools: [] }] });
    expect(await untilIssue(helve, id, isOver)).not.toMatchObject({ state: 'failed' });
  });

  it('R-layers: explain says what a call would meet in the step in which the agent is', async () => {
    const { tools } = createShelf();
    const model = scripted([
      { calls: [['ask_person', { question: 'Which?' }]] },
      { calls: [finish()] },
      { calls: [['ask_person', { question: 'Sure?' }]] },
      { calls: [['save', {}], finish()] },
      { text: 'Done.' },
    ]);
    const helve = await open({ tools, models: { language: model } });
    const { plane, admin } = helve;
    const id = await give(helve);
    const verdicts = async () =>
      Promise.all(
        ['look', 'save'].map(async (tool) => {
          const { verdict, rule, steps } = await plane.explain(admin, { agent: 'tester', tool, input: {}, issue: id });
          return [verdict, rule, steps.find((step) => step.rule === 'recipe.step')?.reason];
        }),
      );
    const answer = async (question: string): Promise<void> => {
      const asks = ({ waitsFor }: IssueView) => JSON.stringify(waitsFor ?? null).includes(question);
      const { waitsFor } = await untilIssue(helve, id, asks);
      const { runId, number } = waitsFor as unknown as { runId: string; number: number };
      const seen = await verdicts();
      const [allowed, refused, names] =
        question === 'Which?'
          ? [0, 1, 'Step 1 of the recipe rescue allows look']
          : [1, 0, 'Step 2 of the recipe rescue allows save'];
      expect(seen[allowed]?.[0]).toBe('allow');
      expect(seen[refused]).toEqual(['deny', 'recipe.step', names]);
      await plane.decideRun(admin, runId, { decision: 'answer', number, text: 'this' });
    };
    await answer('Which?');
    await answer('Sure?');
    await untilIssue(helve, id, isOver);
    // The attempt has ended, and the call belongs to no step any more.
    expect((await verdicts()).map(([verdict]) => verdict)).toEqual(['allow', 'allow']);
  });

  it('R-durable-runs: after a death between steps it is in the same step, and nothing is done twice', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helve-recipes-'));
    folders.push(dataDir);
    const { done, tools } = createShelf();
    const model = scripted([
      { calls: [['look', {}]] },
      { calls: [finish()] },
      { calls: [['ask_person', { question: 'Which cat?' }]] },
      { calls: [['look', { late: 1 }]] },
      { calls: [['save', {}]] },
      { calls: [finish()] },
      { text: 'Saved.' },
    ]);
    const options = { dataDir, publicUrl: 'http://localhost', tools, models: { language: model } };
    const first = await open(options);
    const id = await give(first);
    const { waitsFor } = await untilIssue(first, id, ({ phase }) => phase === 'waiting_for_answer');
    await opened.pop()?.close();
    const second = await createHelve(options);
    const watched = { plane: second.plane, admin: first.admin };
    try {
      const { runId, number } = waitsFor as unknown as { runId: string; number: number };
      await second.plane.decideRun(first.admin, runId, { decision: 'answer', number, text: 'The black one' });
      await untilIssue(watched, id, isOver);
    } finally {
      await second.close();
    }
    expect(done).toEqual(['look', 'save']);
    expect(model.asked).toHaveLength(7);
    expect(JSON.stringify(model.asked[4]?.prompt.at(-1))).toContain('Step 2 of the recipe rescue allows save');
  });

  it('R-durable-runs: an attempt that a death has interrupted keeps its steps, although the recipe is gone', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helve-recipes-'));
    folders.push(dataDir);
    const { done, tools } = createShelf();
    let begun = (): void => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let holds = true;
    const held = testTool({
      name: 'wait',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      execute: async () => {
        begun();
        return holds ? new Promise(() => {}) : { waited: true };
      },
    });
    const model = scripted([
      { calls: [['wait', {}]] },
      { calls: [finish()] },
      { calls: [['wait', {}], ['save', {}], finish()] },
      { text: 'Saved.' },
    ]);
    const options = { dataDir, publicUrl: 'http://localhost', tools: [...tools, held], models: { language: model } };
    const first = await open(options);
    const steps = [
      { prompt: 'Wait', tools: ['wait'] },
      { prompt: 'Save the cat', tools: ['save'] },
    ];
    const id = await give(first, once, steps);
    await hasBegun;
    await first.plane.removeRecipe(first.admin, 'rescue');
    await opened.pop()?.close();
    holds = false;
    const second = await createHelve(options);
    try {
      expect(await untilIssue({ plane: second.plane, admin: first.admin }, id, isOver)).toMatchObject({ attempts: 1 });
    } finally {
      await second.close();
    }
    expect(done).toEqual(['save']);
    expect(model.asked).toHaveLength(4);
    expect(JSON.stringify(model.asked[3]?.prompt.at(-1))).toContain('Step 2 of the recipe rescue allows save');
  });
});
