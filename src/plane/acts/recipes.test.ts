/** Recipes as they are written: the names of their tools, their versions, and who may change them. */
import { afterEach, describe, expect, it } from 'vitest';
import type { NewRecipe } from '../../domain/recipe.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

const opened: TestHelve[] = [];
afterEach(async () => {
  for (const helve of opened.splice(0)) await helve.close();
});

async function open(options: TestHelveOptions = {}): Promise<TestHelve> {
  const tools = ['save', 'look'].map((name) => testTool({ name }));
  const helve = await createTestHelve({ tools, ...options });
  opened.push(helve);
  return helve;
}

const stepsOf = (...tools: string[]): NewRecipe => ({ steps: [{ prompt: 'Do it', tools }] });

describe('R-levels: a recipe', () => {
  it('keeps the names as they were written, and says in the record that it was changed and removed', async () => {
    const { plane, admin, audited } = await open();
    const set = await plane.setRecipe(admin, 'triage', { title: 'Triage', ...stepsOf('save', 'custom.look') });
    expect(set).toMatchObject({ name: 'triage', title: 'Triage', steps: [{ tools: ['save', 'custom.look'] }] });
    expect(await plane.getRecipe(admin, 'triage')).toEqual(set);
    expect(await plane.listRecipes(admin)).toEqual([set]);
    await plane.removeRecipe(admin, 'triage');
    await expect(plane.getRecipe(admin, 'triage')).rejects.toMatchObject({ code: 'not_found' });
    const types = (await audited()).map(({ type }) => type).filter((type) => type.startsWith('recipe.'));
    expect(types).toEqual(['recipe.changed', 'recipe.removed']);
  });

  it.each([
    ['a name that is mistyped', 'sav', 'Did you mean save?'],
    ['a tool with an account that nobody has', 'work__save', undefined],
    ['a name that several toolkits have', 'create_issue', 'github.create_issue or linear.create_issue'],
  ])('is refused, with the place, for %s', async (_, name, hint) => {
    const { plane, admin } = await open();
    const refused = await plane.setRecipe(admin, 'triage', stepsOf('save', name)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/^steps\/0\/tools\/1: /) });
    if (hint !== undefined) expect(refused).toMatchObject({ hint: expect.stringContaining(hint) });
    expect(await plane.listRecipes(admin)).toEqual([]);
    // The control: a tool of an app of which no account is connected yet can be named.
    await plane.setRecipe(admin, 'triage', stepsOf('save', 'github.create_issue'));
  });

  it.each([
    ['Triage', stepsOf()],
    ['', stepsOf()],
    ['none', { steps: [] }],
    ['many', { steps: Array.from({ length: 21 }, () => ({ prompt: 'x', tools: [] })) }],
  ])('is refused for the name or the number of steps: %s', async (name, recipe) => {
    const { plane, admin } = await open();
    await expect(plane.setRecipe(admin, name, recipe)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is not overwritten by who has read an earlier version', async () => {
    const { plane, admin } = await open();
    const { version } = await plane.setRecipe(admin, 'triage', stepsOf('save'));
    const second = await plane.setRecipe(admin, 'triage', { ...stepsOf('look'), ifMatch: [version] });
    expect(second.version).not.toBe(version);
    await expect(plane.setRecipe(admin, 'triage', { ...stepsOf(), ifMatch: [version] })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await expect(plane.setRecipe(admin, 'other', { ...stepsOf(), ifMatch: [version] })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect((await plane.getRecipe(admin, 'triage')).steps).toEqual(stepsOf('look').steps);
    // Written again as it was, it has the version that it had.
    expect(await plane.setRecipe(admin, 'triage', { ...stepsOf('save'), ifMatch: ['*'] })).toMatchObject({ version });
  });

  it('names no account that only one person may see, and does not say that there is one', async () => {
    const accounts = [
      ['Secretary', 'private'],
      ['Common', 'workspace'],
    ] as const;
    const connections = accounts.map(([name, visibility]) => {
      const credentials = { token: 'ghp_0123456789abcdef' };
      return { toolkit: 'github', name, visibility, scheme: 'token', credentials };
    });
    const { plane, admin } = await open({ connections });
    await plane.setRecipe(admin, 'triage', stepsOf('common__create_issue'));
    const refused = await plane.setRecipe(admin, 'triage', stepsOf('secretary__create_issue')).catch((error) => error);
    expect(refused).toMatchObject({ code: 'invalid_input' });
    const near = await plane.setRecipe(admin, 'triage', stepsOf('secretari__create_issue')).catch((error) => error);
    expect(near.hint).not.toContain('secretary');
  });
});

describe('R-levels: an issue with a recipe', () => {
  it('has one that exists, and no other, until it is taken off', async () => {
    const { plane, admin } = await open();
    await plane.setRecipe(admin, 'triage', stepsOf('save'));
    await expect(plane.createIssue(admin, { title: 'It breaks', recipe: 'triag' })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'Did you mean triage?',
    });
    const issue = await plane.createIssue(admin, { title: 'It breaks', recipe: 'triage' });
    expect(issue.recipe).toBe('triage');
    await expect(plane.updateIssue(admin, issue.id, { recipe: 'none' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect((await plane.updateIssue(admin, issue.id, { title: 'It broke' })).recipe).toBe('triage');
    expect(await plane.updateIssue(admin, issue.id, { recipe: null })).not.toHaveProperty('recipe');
  });

  it('has none that is for another repository', async () => {
    const { plane, admin } = await open();
    await plane.setRecipe(admin, 'shop', { repo: 'github:acme/shop', ...stepsOf('save') });
    for (const repo of ['github:acme/other', undefined])
      await expect(
        plane.createIssue(admin, { title: 'It breaks', recipe: 'shop', ...(repo ? { repo } : {}) }),
      ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('github:acme/shop') });
    const filed = await plane.createIssue(admin, { title: 'It breaks', recipe: 'shop', repo: 'github:acme/shop' });
    expect(filed.recipe).toBe('shop');
  });

  it('is not given to an agent whose loop follows no recipes', async () => {
    const { plane, admin } = await open();
    await plane.setRecipe(admin, 'triage', stepsOf('save'));
    await plane.createAgent(admin, { slug: 'other', worker: 'openai-agents' });
    const { id } = await plane.createIssue(admin, { title: 'It breaks', recipe: 'triage' });
    await expect(plane.assignIssue(admin, id, { agent: 'other' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('openai-agents'),
    });
    // The control: without the recipe it is.
    await plane.updateIssue(admin, id, { recipe: null });
    expect(await plane.assignIssue(admin, id, { agent: 'other' })).toMatchObject({ agent: 'other' });
  });
});
