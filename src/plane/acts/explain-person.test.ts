/** What an agent may do for a person is explained, and compared with the call made for them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Principal, User } from '../../domain/principal.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
let ana: { user: User; session: string; principal: Principal };
beforeEach(async () => {
  helve = await createTestHelve({ nativeToolkits: [], toolkits: [vault] });
  const { plane, admin } = helve;
  const { user, link } = await plane.createUser(admin, { name: 'Ana', role: 'admin', email: 'ana@example.org' });
  const { principal, session } = await plane.redeemAdminLink(link.split('token=')[1] ?? '');
  ana = { user, session, principal };
  const own = await plane.addConnection(principal, { toolkit: 'vault', name: 'Quetzal', visibility: 'private' });
  await plane.connect(principal, own.id, { credentials: { token: 'canary' }, check: false });
  const grant = { toolkit: 'vault', connectionId: own.id, tools: ['open_vault'], limits: {}, config: {} };
  await plane.replaceGrants(principal, 'tester', [grant]);
});
afterEach(() => helve.close());

const question = { agent: 'tester', tool: 'quetzal__open_vault', input: {} };

/** The call as it is made for Ana, from her session on. */
async function callForAna(): Promise<string> {
  const { plane } = helve;
  try {
    const acting = await plane.actAs(await plane.authenticateSession(ana.session), 'tester');
    const result = await plane.execute({ principal: acting, tool: question.tool, input: {} });
    return result.ok ? 'ran' : result.rule;
  } catch (error) {
    return error instanceof HelveError ? error.code : 'bug';
  }
}

test('R-explain: an agent uses the private account of the person it acts for, and only then', async () => {
  const { plane } = helve;
  for (const onBehalfOf of [ana.user.id, 'ana@example.org']) {
    const told = await plane.explain(ana.principal, { ...question, onBehalfOf });
    expect([told.verdict, await callForAna()]).toEqual(['allow', 'ran']);
  }
  const alone = await plane.explain(ana.principal, question);
  expect(alone).toMatchObject({ verdict: 'deny', rule: 'connection.visibility' });
  expect(await helve.call(question.tool, {})).toMatchObject({ rule: 'connection.visibility' });
});

test('R-explain: nobody acts for a person who is disabled or may not authorise it, and the other layers are told', async () => {
  const { plane, admin } = helve;
  const ask = () => plane.explain(ana.principal, { ...question, onBehalfOf: ana.user.id });
  expect((await ask()).verdict).toBe('allow');
  await plane.changeUser(admin, ana.user.id, { role: 'member' });
  expect(await ask()).toMatchObject({ verdict: 'deny', rule: 'principal.person' });
  expect(await callForAna()).toBe('forbidden');
  await plane.changeUser(admin, ana.user.id, { role: 'admin', disabled: true });
  const { rule, steps } = await ask();
  expect([rule, await callForAna()]).toEqual(['principal.person', 'unauthenticated']);
  expect(steps.map(({ layer, verdict }) => `${layer} ${verdict}`)).toEqual([
    'name allow',
    'workspace allow',
    'connection allow',
    'definition allow',
    'grant deny',
    'intent allow',
    'input allow',
    'policy allow',
    'approval allow',
    'limit allow',
  ]);
});

test('R-explain R-visibility: the private account of another person is named as one that does not exist', async () => {
  const { plane, admin } = helve;
  const ask = (connection: string) =>
    plane
      .explain(admin, { agent: 'tester', tool: 'open_vault', connection })
      .catch(({ code, message, hint }: HelveError) => ({ code, message: message.replace(connection, 'it'), hint }));
  expect(await ask('quetzal')).toEqual(await ask('parrot'));
  expect(await ask('parrot')).toMatchObject({ code: 'not_found' });
  // The control: its owner may name it.
  const own = await plane.explain(ana.principal, { agent: 'tester', tool: 'open_vault', connection: 'quetzal' });
  expect(own.rule).toBe('connection.visibility');
});

test('R-explain R-visibility: asking for another person shows nothing of their private account', async () => {
  const { plane, admin } = helve;
  const onBehalfOf = ana.user.id;
  const told = await plane.explain(admin, { ...question, onBehalfOf });
  expect(told).toMatchObject({ verdict: 'deny', rule: 'tool.unknown' });
  // A name that means this account and another one does not say how many there are.
  const shared = await plane.addConnection(admin, { toolkit: 'vault', name: 'Shared' });
  await plane.connect(admin, shared.id, { credentials: { token: 'canary' }, check: false });
  const grant = { toolkit: 'vault', connectionId: shared.id, tools: ['open_vault'], limits: {}, config: {} };
  await plane.replaceGrants(admin, 'tester', [grant]);
  const several = await plane.explain(admin, { ...question, tool: 'vault.open_vault', onBehalfOf });
  expect(several).toMatchObject({ verdict: 'deny', rule: 'tool.ambiguous' });
  const said = JSON.stringify([told, several].map(({ steps }) => steps.map(({ reason }) => reason)));
  expect(said.replaceAll('quetzal__open_vault', '')).not.toMatch(/quetzal|\b2\b/i);
});

test('R-explain: who asks for another person must be able to see people', async () => {
  const { plane, admin } = helve;
  const make = async (more: 'users:read'[]) => {
    const permissions = ['grants:read', 'policies:read', ...more] as const;
    return plane.authenticate((await plane.createApiKey(admin, { permissions: [...permissions] })).secret);
  };
  const ask = (by: Principal, onBehalfOf: string) => plane.explain(by, { ...question, onBehalfOf });
  await expect(ask(await make([]), ana.user.id)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await ask(await make(['users:read']), ana.user.id)).toMatchObject({ rule: 'tool.unknown' });
  await expect(ask(admin, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
  await plane.createUser(admin, { name: 'Anna', role: 'member', email: 'ana@example.org' });
  await expect(ask(admin, 'ana@example.org')).rejects.toMatchObject({ code: 'ambiguous' });
});
