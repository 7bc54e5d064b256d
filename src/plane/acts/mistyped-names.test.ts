/** A name that nothing has: each error suggests the one that was meant, and only one that the caller may see. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
let other: Principal;
beforeAll(async () => {
  helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [vault],
    tools: [testTool({ name: 'look' })],
    connections: [{ toolkit: 'vault', name: 'Shared', credentials: { token: 'canary' } }],
  });
  const { plane, admin } = helve;
  await plane.createAgent(admin, { slug: 'reader' });
  await plane.createUser(admin, { name: 'Ada Byron', role: 'member', email: 'ada@example.com' });
  await plane.setRecipe(admin, 'triage', { steps: [{ prompt: 'Look', tools: ['look'] }] });
  other = { ...admin, id: 'somebody-else', kind: 'user' };
});
afterAll(() => helve.close());

test.each<[string, string, (named: string) => Promise<unknown>]>([
  ['an agent', 'readr', (named) => helve.plane.grantCatalogue(helve.admin, named, {})],
  ['an agent to remove', 'readr', (named) => helve.plane.removeAgent(helve.admin, named)],
  ['a person', 'Ada Biron', (named) => helve.plane.changeUser(helve.admin, named, { name: 'x' })],
  ['a recipe', 'triag', (named) => helve.plane.getRecipe(helve.admin, named)],
  ['a recipe to remove', 'triag', (named) => helve.plane.removeRecipe(helve.admin, named)],
  ['an account', 'shard', (named) => helve.plane.disconnect(helve.admin, named)],
])('the error for %s that is mistyped names the one that was meant', async (_what, named, act) => {
  const meant = /^(?:reader|Ada Byron|triage|shared)$/;
  const error = await act(named).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'not_found', hint: expect.stringMatching(/^Did you mean .+\?$/) });
  expect((error as { hint: string }).hint.slice('Did you mean '.length, -1)).toMatch(meant);
  // What resembles nothing gets the sentence that says where the names are.
  const far = await act('zzzzzzzz').catch((thrown: unknown) => thrown);
  expect(far).toMatchObject({ code: 'not_found', hint: expect.stringMatching(/list of people|^List the|^There are /) });
});

test('another person’s private account is not suggested', async () => {
  const { plane, admin } = helve;
  const { id } = await plane.connection(admin, 'shared');
  await plane.changeConnection(admin, id, { visibility: 'private' });
  const asked = (by: Principal) => plane.connection(by, 'shard').catch((thrown: unknown) => thrown);
  expect(await asked(admin)).toMatchObject({ hint: 'Did you mean shared?' });
  expect(await asked(other)).toMatchObject({ code: 'not_found', hint: 'There are none yet.' });
  const explained = async (by: Principal, tool: string) =>
    (await plane.explain(by, { agent: 'tester', tool })).steps[0];
  const reason = 'There is no tool "shard__open_vault"';
  expect(await explained(admin, 'shard__open_vault')).toMatchObject({
    reason: `${reason}; did you mean shared__open_vault?`,
  });
  expect(await explained(other, 'shard__open_vault')).toMatchObject({ reason });
  expect(await explained(other, 'lok')).toMatchObject({ reason: 'There is no tool "lok"; did you mean look?' });
});

test('an issue that does not exist, and an agent whose name is taken, say what to do', async () => {
  const { plane, admin } = helve;
  await expect(plane.getIssue(admin, 'x')).rejects.toMatchObject({ hint: expect.stringContaining('task list') });
  await expect(plane.createAgent(admin, { slug: 'reader' })).rejects.toMatchObject({
    code: 'conflict',
    hint: 'Choose another name.',
  });
});

test('a tool without the account that its name begins with is suggested with it, to those who may see it', async () => {
  const account = (toolkit: string, name: string) => ({
    toolkit,
    name,
    visibility: 'workspace' as const,
    credentials: { token: 'canary' },
  });
  const scene = await createTestHelve({
    nativeToolkits: [],
    toolkits: [vault, { ...vault, slug: 'safe' }],
    connections: [account('vault', 'Work'), account('safe', 'Office')],
  });
  const both = 'Did you mean work__open_vault or office__open_vault?';
  const hintFor = async (tool: string) => {
    const result = await scene.call(tool, {});
    return result.ok ? undefined : result.error.hint;
  };
  // Mistyped; in the form of programs, mistyped; with the name of an account that there is not.
  for (const asked of ['open_valt', 'vault.openValt', 'an-account-of-mine__open_vault'])
    expect([asked, await hintFor(asked)]).toEqual([asked, both]);
  expect(await hintFor('elsewhere')).toBe('List the tools for the names that exist.');
  // Who may use one of the accounts only is told of that one only.
  const [vaultGrant] = (await scene.plane.grantCatalogue(scene.admin, 'tester')).grants.filter(
    ({ toolkit }) => toolkit === 'vault',
  );
  const { connectionId = '', tools = [] } = vaultGrant ?? {};
  await scene.plane.replaceGrants(scene.admin, 'tester', [
    { toolkit: 'vault', connectionId, tools, limits: {}, config: {} },
  ]);
  expect(await hintFor('open_valt')).toBe('Did you mean work__open_vault?');
  await scene.close();
});
