/** What is listed for a caller, and what is told about a call before it is made. */
import { afterEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { lateProvider } from '../start/testing/late-provider.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('attack: acting as an agent gives a caller no permission that it lacks', async () => {
  helve = await createTestHelve();
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: ['agents:act', 'tools:read'] });
  const acting = await helve.plane.actAs(await helve.plane.authenticate(secret), 'tester');
  expect([acting.id, acting.permissions]).toEqual([helve.agent.id, ['tools:read']]);
});

describe('what is listed', () => {
  test('leak: an agent sees the schemas of the tools that it may call, and an operator those of all', async () => {
    const tools = ['send', 'read', 'burn'].map((name) => testTool({ name }));
    helve = await createTestHelve({
      tools,
      granted: ['send', 'read'],
      policies: [{ id: 'p', effect: 'deny', when: { tools: ['read'] } }],
    });
    const names = async (by: TestHelve['agent']) =>
      (await helve.plane.toolkitTools(by, 'custom')).map(({ tool }) => tool.id.name);
    expect(await names(helve.agent)).toEqual(['send']);
    expect(await names(helve.admin)).toEqual(['send', 'read', 'burn']);
  });

  test('R-grants: one of very many toolkits is listed and can be granted once it is in use; meta-tools never are', async () => {
    const late = lateProvider({ onDemand: true });
    late.offer('fetch');
    helve = await createTestHelve({ providers: [late.provider], tools: [testTool({ name: 'look' })] });
    const { plane, admin } = helve;
    const listed = async () => {
      const listed = (await plane.toolkits(admin)).map(({ toolkit }) => toolkit.slug);
      const { entries } = await plane.grantCatalogue(admin, 'tester');
      return { listed, grantable: entries.map(({ toolkit }) => toolkit.slug) };
    };
    const before = await listed();
    expect(before).toMatchObject({ listed: expect.arrayContaining(['custom', 'discovery']) });
    expect(before.grantable).toContain('custom');
    expect(before.grantable).not.toContain('discovery');
    expect([...before.listed, ...before.grantable]).not.toContain('far');
    await plane.enableTools(admin, 'far', { enabled: true });
    expect(await listed()).toEqual({
      listed: expect.arrayContaining(['far', 'custom']),
      grantable: expect.arrayContaining(['far', 'custom']),
    });
  });
});

describe('before a call', () => {
  const when = { tools: ['send'], arguments: { properties: { to: { const: 'ada' } }, required: ['to'] } };

  test('R-approval: a rule on arguments is judged as in a call: under their present names', async () => {
    const inputSchema = {
      type: 'object',
      properties: { to: { type: 'string' } },
      additionalProperties: false,
    } as const;
    const send = testTool({ name: 'send', inputSchema, inputAliases: { recipient: 'to' } });
    helve = await createTestHelve({ tools: [send], policies: [{ id: 'p', effect: 'deny', when }] });
    for (const name of ['to', 'recipient']) {
      const input = { [name]: 'ada' };
      expect(await helve.call('send', input)).toMatchObject({ ok: false, rule: 'policy:p' });
      expect(await helve.plane.validateAccess(helve.agent, 'send', input)).toMatchObject({ rule: 'policy:p' });
    }
    expect(await helve.plane.validateAccess(helve.agent, 'send', { to: 'bo' })).toMatchObject({ effect: 'allow' });
    // Without arguments, what they may decide is told.
    const open = await helve.plane.validateAccess(helve.agent, 'send');
    expect(open.rules.map(({ rule }) => rule)).toContain('policy:p');
  });

  test('R-explain: without arguments every policy that may decide is told, also those that differ only in arguments', async () => {
    const about = (to: string) => ({
      tools: ['send'],
      arguments: { properties: { to: { const: to } }, required: ['to'] },
    });
    const policies = ['ada', 'bo', 'cy'].map((to) => ({ id: to, effect: 'deny' as const, when: about(to) }));
    helve = await createTestHelve({ tools: [testTool({ name: 'send' })], policies });
    // A list first: it looks at one of those that are alike.
    await helve.plane.tools(helve.agent);
    const { rules } = await helve.plane.validateAccess(helve.agent, 'send');
    expect(rules.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['policy:ada', 'policy:bo', 'policy:cy']));
  });
});
