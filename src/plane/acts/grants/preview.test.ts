/** What a change of grants would do is said before it is made, and is what it then does. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { effects } from '../../../domain/effects.js';
import type { GrantInput } from '../../../domain/grant.js';
import type { Principal } from '../../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { vault } from '../testing/vault-toolkit.js';

let helve: TestHelve;
let own: string;
let ana: Principal;
beforeEach(async () => {
  helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [vault],
    tools: [
      testTool({ name: 'read', annotations: effects.readsAnew }),
      testTool({ name: 'wipe', annotations: effects.replaces, risk: 'destructive' }),
    ],
    granted: ['read'],
    connections: [{ toolkit: 'vault', name: 'Own', visibility: 'private', credentials: { token: 'canary' } }],
  });
  const { plane, admin } = helve;
  own = (await plane.connection(admin, 'own')).id;
  const { link } = await plane.createUser(admin, { name: 'Ana', role: 'admin' });
  ana = (await plane.redeemAdminLink(link.split('token=')[1] ?? '')).principal;
  const hers = await plane.addConnection(ana, { toolkit: 'vault', name: 'Quetzal', visibility: 'private' });
  await plane.connect(ana, hers.id, { credentials: { token: 'canary' }, check: false });
  const grant = { toolkit: 'vault', connectionId: hers.id, tools: ['open_vault'], limits: {}, config: {} };
  await plane.changeGrants(ana, 'tester', { add: [{ account: grant.connectionId }] });
});
afterEach(() => helve.close());

const custom = (tools: readonly string[], limits: GrantInput['limits'] = {}): GrantInput => ({
  toolkit: 'custom',
  tools,
  limits,
  config: {},
});
const preview = (grants: readonly GrantInput[], by = helve.admin) =>
  helve.plane.previewGrants(by, 'tester', { grants });
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

test('R-explain: what a replacement of grants would do is what it then does, and is not stored', async () => {
  const { plane, admin } = helve;
  const next = [custom(['wipe'], { wipe: { required: ['n'] } })];
  const before = await plane.grantCatalogue(admin, 'tester');
  const seen = await preview(next);
  expect(await plane.grantCatalogue(admin, 'tester')).toEqual(before);
  expect(seen).toMatchObject({
    agent: 'tester',
    version: before.version,
    added: [{ name: 'wipe', toolkit: 'custom', risk: 'destructive' }],
    removed: [{ name: 'read', toolkit: 'custom', risk: 'read' }],
    changed: [],
    destructive: [{ name: 'wipe', approval: 'denied', rule: 'default.destructive' }],
    before: { tools: 1 },
    after: { tools: 0, tokens: 0 },
    privateAccounts: [],
  });
  const was = await plane.effectiveTools(admin, 'tester');
  expect([seen.before.tokens, seen.before.mode]).toEqual([was.tokens, was.mode]);
  await plane.replaceGrants(admin, 'tester', next, [seen.version]);
  const is = await plane.effectiveTools(admin, 'tester');
  expect([seen.after.tokens, seen.after.tools, seen.after.mode]).toEqual([is.tokens, is.tools.length, is.mode]);
  expect(await preview([custom(['wipe'])])).toMatchObject({ added: [], removed: [], changed: [{ name: 'wipe' }] });
  await expect(plane.replaceGrants(admin, 'tester', [], [seen.version])).rejects.toMatchObject({
    code: 'precondition_failed',
    details: { version: (await plane.grantCatalogue(admin, 'tester')).version },
  });
});

test('R-explain: a change that is chosen by its properties is previewed too, and a wrong one is refused as the change is', async () => {
  const { plane, admin } = helve;
  const seen = await plane.previewGrants(admin, 'tester', { add: [{ risk: 'destructive' }] });
  expect([names(seen.added), names(seen.removed)]).toEqual([['wipe'], []]);
  for (const wrong of [{ grants: [custom(['nothing'])] }, { add: [{ tools: ['nothing'] }] }])
    await expect(plane.previewGrants(admin, 'tester', wrong)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('R-explain: a mode that would change is told', async () => {
  await helve.close();
  const tools = ['a', 'b', 'c'].map((name) => testTool({ name }));
  helve = await createTestHelve({ config: 'discovery: { direct_tools: 2 }', tools, granted: ['a'] });
  const { before, after } = await preview([custom(['a', 'b', 'c'])]);
  expect([before.mode.shows, after.mode.shows]).toEqual(['tools', 'meta']);
  expect(after.mode.tokens).toBeGreaterThan(0);
});

test('R-explain R-visibility: a private account that the agent would be given is named, with its owner, to who can see it', async () => {
  const grant = { toolkit: 'vault', connectionId: own, tools: ['open_vault'], limits: {}, config: {} };
  expect((await preview([grant])).privateAccounts).toEqual([
    { connection: 'own', name: 'Own', owner: 'admin', own: true },
  ]);
  // For a program that acts for Ana, the account is somebody else's, and still visible.
  const acting = { ...helve.admin, onBehalfOf: { kind: 'user', id: ana.id, name: ana.name } as const };
  const { entries } = await helve.plane.grantCatalogue(acting, 'tester');
  const quetzal = entries.find(({ slug }) => slug === 'quetzal')?.connectionId ?? '';
  await helve.plane.replaceGrants(acting, 'tester', []);
  const given = await preview([{ ...grant, connectionId: quetzal }], acting);
  expect(given.privateAccounts).toEqual([{ connection: 'quetzal', name: 'Quetzal', owner: 'Ana', own: false }]);
  const unseen = preview([{ ...grant, connectionId: quetzal }]);
  await expect(unseen).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.not.stringContaining('Quetzal'),
  });
});

test('R-explain R-visibility: another person’s private account, which stays granted, is not shown', async () => {
  const seen = await preview([]);
  expect(JSON.stringify(seen)).not.toMatch(/quetzal/i);
  // The control: Ana would lose it.
  expect(names((await preview([], ana)).removed)).toEqual(['read', 'quetzal__open_vault']);
});
