/** A name without an account's slug: which accounts it can mean, and the answer if there are several. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
const forms = ['open_vault', 'VAULT_OPEN_VAULT', 'vault.openVault', 'composio-vault_open_vault', 'Vault.openVault'];
const accountForms = forms.slice(1);

beforeEach(async () => {
  helve = await createTestHelve({
    toolkits: [vault],
    connections: [
      { toolkit: 'vault', name: 'Work', credentials: { token: 'canary' } },
      { toolkit: 'vault', name: 'Home', credentials: { token: 'canary' } },
    ],
    policies: [{ id: 'open', effect: 'allow', when: { tools: ['vault.open_vault'] } }],
  });
});
afterEach(() => helve.close());

const grantOnly = (...slugs: string[]) =>
  helve.plane.replaceGrants(
    helve.admin,
    'tester',
    slugs.map((connectionId) => ({ toolkit: 'vault', connectionId, tools: ['open_vault'], limits: {}, config: {} })),
  );

describe('with two usable accounts', () => {
  test('R-instances: a name without an account is ambiguous in every form, and the hint names both tools', async () => {
    for (const tool of accountForms) {
      const answer = await helve.call(tool);
      expect(answer, tool).toMatchObject({
        ok: false,
        error: {
          code: 'ambiguous',
          retryable: false,
          hint: expect.stringMatching(/work__open_vault.*home__open_vault/),
          details: { names: ['work__open_vault', 'home__open_vault'] },
        },
      });
    }
    const refused = (await helve.audited()).filter(({ type }) => type === 'execution.refused');
    expect(refused.map(({ tool, body: { rule, connectionId } }) => [tool, rule, connectionId])).toEqual(
      accountForms.map(() => ['Vault.openVault', 'tool.ambiguous', undefined]),
    );
    expect(await helve.plane.validateAccess(helve.agent, 'VAULT_OPEN_VAULT')).toMatchObject({
      effect: 'deny',
      rule: 'tool.ambiguous',
    });
  });

  test('R-instances: the full name of each account still means that account', async () => {
    expect(await helve.call('work__open_vault')).toMatchObject({ output: { vault: 'Work' } });
    expect(await helve.call('home__open_vault')).toMatchObject({ output: { vault: 'Home' } });
  });

  test('R-meta-tools: describing the short name describes the tool of each account', async () => {
    const { tools, unknown } = await helve.plane.describeTools(helve.agent, ['VAULT_OPEN_VAULT', 'VAULT_NOTHING']);
    expect(tools.map(({ name }) => name)).toEqual(['work__open_vault', 'home__open_vault']);
    expect(unknown.map(({ name }) => name)).toEqual(['VAULT_NOTHING']);
  });
});

describe('with one usable account', () => {
  const expectHome = async (): Promise<void> => {
    for (const tool of accountForms)
      expect(await helve.call(tool), tool).toMatchObject({ ok: true, output: { vault: 'Home' } });
    expect(await helve.plane.validateAccess(helve.agent, 'VAULT_OPEN_VAULT')).toMatchObject({ effect: 'allow' });
    const rows = (await helve.audited()).filter(({ type }) => type === 'execution.finished');
    expect(new Set(rows.map(({ tool }) => tool))).toEqual(new Set(['Vault.openVault']));
  };

  test('R-instances: an account that was added and never connected does not count', async () => {
    await helve.plane.removeConnection(helve.admin, 'work');
    await helve.plane.addConnection(helve.admin, { toolkit: 'vault', name: 'Later' });
    await expectHome();
  });

  test('R-instances: an account that was not granted, or was disconnected, does not count', async () => {
    await grantOnly('home');
    await expectHome();
    await grantOnly('work', 'home');
    await helve.plane.disconnect(helve.admin, 'work');
    await expectHome();
  });

  test('R-instances: if no account can be used, the refusal says why, and nothing runs', async () => {
    await helve.plane.disconnect(helve.admin, 'work');
    await helve.plane.disconnect(helve.admin, 'home');
    expect(await helve.call('VAULT_OPEN_VAULT')).toMatchObject({ error: { code: 'connection_inaccessible' } });
    await grantOnly();
    expect(await helve.call('VAULT_NOTHING')).toMatchObject({ error: { code: 'tool_not_found' } });
  });
});

test('R-instances: the name of an account that is gone means none, also if it was the name of the toolkit', async () => {
  const account = { toolkit: 'vault', name: 'Vault' };
  const connections = [account, account].map((one) => ({ ...one, credentials: { token: 'canary' } }));
  const other = await createTestHelve({ toolkits: [vault], connections });
  expect(await other.call('vault__open_vault')).toMatchObject({ ok: true });
  expect(await other.call('vault-2__open_vault')).toMatchObject({ ok: true });
  await other.plane.removeConnection(other.admin, 'vault');
  expect(await other.call('vault__open_vault')).toMatchObject({ error: { code: 'tool_not_found' } });
  expect(await other.call('vault-2__open_vault')).toMatchObject({ ok: true });
  await other.close();
});

test('R-audit: the audit record can be searched by any written form of a tool, also after its account was removed', async () => {
  await helve.call('work__open_vault');
  const found = async (tool: string) =>
    (await helve.plane.audit(helve.admin, { tool, types: ['execution.finished'] })).map((row) => row.tool);
  for (const tool of [...accountForms, 'vault.open_vault', 'work__open_vault'])
    expect(await found(tool), tool).toEqual(['Vault.openVault']);
  expect(await helve.plane.executions(helve.admin, { tool: 'VAULT_OPEN_VAULT' })).toMatchObject([
    { tool: 'Vault.openVault' },
  ]);
  await helve.plane.removeConnection(helve.admin, 'work');
  await helve.plane.removeConnection(helve.admin, 'home');
  expect(await found('vault.open_vault')).toEqual(['Vault.openVault']);
  expect(await found('vault.close_vault')).toEqual([]);
});
