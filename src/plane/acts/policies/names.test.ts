/**
 * A policy applies to the tool that its name stands for, in every written form; a name that matches nothing is refused.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { seal } from '../../../audit/index.js';
import type { Policy } from '../../../domain/grant.js';
import type { Provider } from '../../../domain/provider.js';
import { openStorage } from '../../../storage/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { testProviderTool } from '../../../testing/provider-tool.js';

let helve: TestHelve;
afterEach(() => helve.close());

const tools = [testTool({ name: 'send_mail' }), testTool({ name: 'read_mail' })];
const deny = (when: Policy['when']): Policy => ({ id: 'p', effect: 'deny', when });
const put = (...policies: Policy[]) => helve.plane.replacePolicies(helve.admin, policies);

describe('new policies', () => {
  const forms = [
    'send_mail',
    'custom.send_mail',
    'custom.sendMail',
    'Custom.sendMail',
    'CUSTOM_SEND_MAIL',
    'composio-custom_send_mail',
    'custom__send_mail',
    'custom.*',
    '*.send_mail',
    '*',
  ];

  test.each(forms)('attack: a tool is denied as %s, and called by each of its names', async (form) => {
    helve = await createTestHelve({ tools });
    const callable = forms.filter((name) => !name.includes('*'));
    // Without the policy every name works, so the checks below can fail.
    for (const name of callable) expect(await helve.call(name, {}), name).toMatchObject({ ok: true });
    await put(deny({ tools: [form] }));
    for (const name of callable)
      expect(await helve.call(name, {}), name).toMatchObject({ ok: false, rule: 'policy:p' });
    const { policies, withoutEffect } = await helve.plane.policies(helve.admin);
    expect(policies[0]?.when.tools).toEqual([form.includes('*') ? form : 'custom.send_mail']);
    expect(withoutEffect).toEqual([]);
    // The answer can be written back, with the same meaning.
    expect(await put(...policies)).toMatchObject({ policies });
  });

  test.each([
    ['a wrong case', { tools: ['Send_Mail'] }, 'tools/0', 'send_mail'],
    ['a space at the end', { tools: ['read_mail', 'send_mail '] }, 'tools/1', 'send_mail'],
    ['a letter too few', { tools: ['custom.sendmail'] }, 'tools/0', 'custom.send_mail'],
    ['a wildcard in a word', { tools: ['send_*'] }, 'tools/0', undefined],
    ['a toolkit in a wrong case', { toolkits: ['Custom'] }, 'toolkits/0', 'custom'],
    ['an unknown toolkit before a wildcard', { tools: ['costum.*'] }, 'tools/0', undefined],
    ['an agent with a letter too few', { agents: ['teser'] }, 'agents/0', 'tester'],
  ] as const)('R-approval: %s is refused, with the nearest name', async (_what, when, place, nearest) => {
    helve = await createTestHelve({ tools });
    const before = await helve.plane.policies(helve.admin);
    await expect(put(deny(when))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`policies/0/when/${place}`),
      ...(nearest === undefined ? {} : { hint: expect.stringContaining(nearest), details: { nearest } }),
    });
    expect(await helve.plane.policies(helve.admin)).toEqual(before);
  });

  test.each([
    ['a former name', 'text', 'body'],
    ['a typing error', 'too', 'to'],
    ['a name of nothing', 'recipient', undefined],
  ])('attack: a rule about an argument under %s is refused, for it would hold for no call', async (_what, name, meant) => {
    const properties = { to: { type: 'string' }, body: { type: 'string' } };
    const inputSchema = { type: 'object', properties, additionalProperties: false };
    const send = testTool({ name: 'send_note', inputSchema, inputAliases: { text: 'body' } });
    helve = await createTestHelve({ tools: [send, ...tools] });
    const rule = (when: Policy['when'], argument = name) =>
      deny({ ...when, arguments: { properties: { [argument]: { const: 'x' } }, required: [argument] } });
    await expect(put(rule({ tools: ['custom.send_note'] }))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(
        `policies/0/when/arguments: none of the tools of the rule takes the argument "${name}"`,
      ),
      ...(meant === undefined ? {} : { details: { nearest: meant } }),
    });
    // A tool whose schema is open may take it, and without names the rule is for any tool.
    for (const when of [{ tools: ['custom.send_note', 'custom.read_mail'] }, { toolkits: ['custom'] }, {}])
      expect(await put(rule(when))).toMatchObject({ withoutEffect: [] });
    // One that is stored may stay, and is listed.
    const { admin, storage } = helve;
    const stored = rule({ tools: ['custom.send_note'] });
    await storage.workspace(admin.workspaceId).change([], (tables) => tables.replacePolicies([stored]));
    expect(await put(stored)).toMatchObject({ withoutEffect: [{ policy: 'p', path: 'when/arguments' }] });
    await put(rule({ tools: ['custom.send_note'] }, 'body'));
    expect(await helve.call('send_note', { text: 'x' })).toMatchObject({ rule: 'policy:p' });
  });

  test('R-approval: a rule about an argument that an open schema does not list is accepted, and said to be doubtful', async () => {
    const listing = (more: object) => ({ type: 'object', properties: { to: { type: 'string' } }, ...more });
    const open = testTool({ name: 'send_note', inputSchema: listing({}) });
    const map = testTool({ name: 'send_map', inputSchema: listing({ additionalProperties: true }) });
    helve = await createTestHelve({ tools: [open, map, ...tools] });
    const rule = (tool: string, argument: string) =>
      deny({ tools: [tool], arguments: { properties: { [argument]: { const: 'x' } }, required: [argument] } });
    const doubt = { policy: 'p', path: 'when/arguments', nearest: 'to', doubtful: true };
    expect(await put(rule('custom.send_note', 'too'))).toMatchObject({ withoutEffect: [doubt] });
    // The doubt is right to be no more than that.
    expect(await helve.call('send_note', { to: 'ada', too: 'x' })).toMatchObject({ rule: 'policy:p' });
    // An argument that is listed, a schema that takes others expressly, and one that lists nothing leave no doubt.
    for (const [tool, argument] of [
      ['custom.send_note', 'to'],
      ['custom.send_map', 'too'],
      ['custom.send_mail', 'too'],
    ] as const)
      expect(await put(rule(tool, argument))).toMatchObject({ withoutEffect: [] });
  });

  test('R-approval: two policies with one id, and a schema that does not compile, are refused now, not at a call', async () => {
    helve = await createTestHelve({ tools });
    const before = await helve.plane.policies(helve.admin);
    for (const [policies, message] of [
      [[deny({ tools: ['send_mail'] }), deny({ tools: ['read_mail'] })], 'policies/1: the id "p" occurs twice'],
      [[deny({ arguments: { type: 'nonsense' } })], 'A schema does not compile'],
    ] as const)
      await expect(put(...policies)).rejects.toThrow(message);
    expect(await helve.plane.policies(helve.admin)).toEqual(before);
  });

  test('attack: a new agent with the slug of a removed one does not inherit its permissions', async () => {
    helve = await createTestHelve({ tools: [testTool({ name: 'wipe', risk: 'destructive' })], granted: [] });
    await helve.plane.createAgent(helve.admin, { slug: 'janitor' });
    await helve.plane.replaceGrants(helve.admin, 'janitor', [wipeGrant]);
    const { policies } = await put({ id: 'p', effect: 'allow', when: { agents: ['janitor'], tools: ['wipe'] } });
    expect(policies[0]?.when.agents).toEqual(['janitor']);
    const wipe = () => helve.execute({ principal: { agent: 'janitor' }, tool: 'wipe', input: {} });
    expect(await wipe()).toMatchObject({ ok: true });
    await helve.plane.removeAgent(helve.admin, 'janitor');
    await helve.plane.createAgent(helve.admin, { slug: 'janitor' });
    await helve.plane.replaceGrants(helve.admin, 'janitor', [wipeGrant]);
    expect(await wipe()).toMatchObject({ ok: false, rule: 'default.destructive' });
    const { withoutEffect, policies: now } = await helve.plane.policies(helve.admin);
    expect(withoutEffect).toMatchObject([{ policy: 'p', path: 'when/agents/0' }]);
    // A rule whose agent was removed may stay unchanged.
    expect((await put(...now)).policies).toEqual(now);
  });

  const wipeGrant = { toolkit: 'custom', tools: ['wipe'], limits: {}, config: {} };
});

describe('policies stored before names were resolved', () => {
  const stored = async (...policies: Policy[]) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helve-policies-'));
    helve = await createTestHelve({ tools, dataDir });
    const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
    await storage.workspace(helve.workspaceId).change([], (tables) => tables.replacePolicies(policies));
    await storage.close();
  };

  test.each([
    'CUSTOM_SEND_MAIL',
    'custom__send_mail',
    'custom.sendMail',
    'composio-custom_send_mail',
    'send_mail',
  ])('attack: %s denies the tool, as it was written', async (form) => {
    await stored(deny({ tools: [form] }));
    expect(await helve.call('send_mail', {})).toMatchObject({ ok: false, rule: 'policy:p' });
    expect(await helve.call('read_mail', {})).toMatchObject({ ok: true });
    expect(await helve.plane.policies(helve.admin)).toMatchObject({ withoutEffect: [] });
  });

  test('R-approval: a misspelt name is shown as having no effect, and a permission in another form does not take effect', async () => {
    const when = { tools: ['send_mial', 'read_mail'] };
    await stored(deny(when), { id: 'q', effect: 'allow', when: { tools: ['CUSTOM_SEND_MAIL'] } });
    expect((await helve.plane.policies(helve.admin)).withoutEffect).toMatchObject([
      { policy: 'p', path: 'when/tools/0', nearest: 'send_mail' },
      { policy: 'q', path: 'when/tools/0', nearest: 'custom.send_mail' },
    ]);
  });

  test('R-approval: conditions that exclude each other are shown as having no effect', async () => {
    helve = await createTestHelve({ tools });
    const { withoutEffect } = await put(
      deny({ toolkits: ['math'], tools: ['send_mail'] }),
      { id: 'q', effect: 'deny', when: { tools: [] } },
      { id: 'r', effect: 'deny', when: { toolkits: ['math'], risk: ['read'] } },
    );
    expect(withoutEffect.map(({ policy, path }) => [policy, path])).toEqual([
      ['p', 'when'],
      ['q', 'when/tools'],
    ]);
  });
});

describe('tools that do not exist yet', () => {
  const offered: string[] = [];
  let tell = (): void => undefined;
  const notes = { slug: 'notes', title: 'Notes', description: '', category: 'x', provider: 'mcp' } as const;
  const server: Provider = {
    kind: 'mcp',
    toolkits: async () => [{ ...notes, needsConnection: false, internal: false }],
    tools: async () => offered.map((name) => testProviderTool({ toolkit: 'notes', name })),
    execute: async () => ({ output: 'ran' }),
    close: async () => undefined,
    onChange(listener) {
      tell = listener;
      return () => undefined;
    },
  };

  test('attack: a rule for a tool of a server that is not connected yet is marked, and applies once it exists', async () => {
    helve = await createTestHelve({ providers: [server] });
    const { withoutEffect } = await put(deny({ tools: ['notes.drop_all', 'NOTES_DROP_NOTE'] }));
    expect(withoutEffect).toMatchObject([
      { policy: 'p', path: 'when/tools/0', message: expect.stringContaining('cannot be read yet') },
      { policy: 'p', path: 'when/tools/1' },
    ]);
    offered.push('drop_all', 'drop_note', 'keep');
    tell();
    const call = (tool: string) => helve.plane.execute({ principal: helve.admin, tool, input: {} });
    expect(await call('notes__keep')).toMatchObject({ ok: true });
    for (const tool of ['notes__drop_all', 'notes__drop_note'])
      expect(await call(tool)).toMatchObject({ ok: false, rule: 'policy:p' });
    expect(await helve.plane.policies(helve.admin)).toMatchObject({ withoutEffect: [] });
  });
});
