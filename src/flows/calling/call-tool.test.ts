/** R-meta-tools: a call through `call_tool` is the call of the tool that it names, except for how it came. */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const ran: unknown[] = [];
const send = testTool({
  name: 'send_note',
  description: 'Send a note to somebody',
  inputSchema: z.strictObject({ to: z.string(), text: z.string().optional() }),
  async execute(input) {
    ran.push(input);
    return { sent: true };
  },
});
const pay = testTool({ name: 'pay_bill', description: 'Pay a bill', highRisk: true });
const wipe = testTool({ name: 'wipe_disk', description: 'Erase a disk', risk: 'destructive' });

async function open(options: TestHelveOptions = {}): Promise<TestHelve> {
  ran.length = 0;
  helve = await createTestHelve({ tools: [send, pay, wipe], ...options });
  return helve;
}

const by = (tool: string, input?: object, more: object = {}) =>
  helve.call('call_tool', { tool, ...(input === undefined ? {} : { arguments: input }), ...more });
const lastRow = async () => (await helve.audited()).at(-1);

describe('what runs, and what is recorded', () => {
  test('R-meta-tools: the named tool runs under its own grant; the audit record names it, and how it was called', async () => {
    await open();
    const result = await by('send_note', { to: 'ada' }, { intent: 'send Ada a note' });
    expect(result).toMatchObject({ ok: true, tool: 'send_note', output: { sent: true } });
    expect(result.rule).toMatch(/^grant:/);
    expect(ran).toEqual([{ to: 'ada' }]);
    const rows = (await helve.audited()).filter(({ executionId }) => executionId === result.executionId);
    expect(rows.map(({ type, tool }) => `${type} ${tool}`)).toEqual([
      'execution.started Custom.sendNote',
      'execution.finished Custom.sendNote',
    ]);
    expect(rows[0]?.body).toMatchObject({
      input: { to: 'ada' },
      through: 'call_tool',
      intent: 'send Ada a note',
    });
    const direct = await helve.call('send_note', { to: 'ada' });
    const [row] = (await helve.audited()).filter(({ executionId }) => executionId === direct.executionId);
    expect(row?.body).not.toHaveProperty('through');
    expect(row?.body.inputHash).toBe(rows[0]?.body.inputHash);
  });

  test.each([
    'discovery.call_tool',
    'DISCOVERY_CALL_TOOL',
    'call_tool',
  ])('R-meta-tools: %s works too, and any form of the inner name is accepted', async (name) => {
    await open();
    const result = await helve.call(name, { tool: 'custom.send_note', arguments: { to: 'b' } });
    expect(result).toMatchObject({ ok: true, tool: 'send_note' });
  });

  test('R-meta-tools: a tool that was not granted is not reached', async () => {
    await open({ granted: ['pay_bill'] });
    expect(await by('send_note', { to: 'ada' })).toMatchObject({ ok: false, tool: 'send_note', rule: 'grant.tools' });
    expect(ran).toEqual([]);
    expect(await lastRow()).toMatchObject({
      type: 'execution.refused',
      tool: 'Custom.sendNote',
      body: { through: 'call_tool', rule: 'grant.tools' },
    });
  });

  test('R-meta-tools: argument limits and policies are those of the named tool', async () => {
    const deny = {
      id: 'no-bob',
      effect: 'deny',
      when: { arguments: { properties: { to: { const: 'bob' } }, required: ['to'] } },
    } as const;
    await open({ toolLimits: { send_note: { properties: { to: { enum: ['ada', 'bob'] } } } }, policies: [deny] });
    expect(await by('send_note', { to: 'eve' })).toMatchObject({ ok: false, error: { code: 'not_granted' } });
    expect(await by('send_note', { to: 'bob' })).toMatchObject({ ok: false, rule: 'policy:no-bob' });
    expect(await by('send_note', { to: 'ada' })).toMatchObject({ ok: true });
    expect(await by('wipe_disk')).toMatchObject({ ok: false, rule: 'default.destructive' });
  });

  test('R-limits: a policy’s rate limit counts both ways of calling as one', async () => {
    const slow = {
      id: 'slow',
      effect: 'allow',
      when: { tools: ['send_note'] },
      rateLimit: { calls: 2, seconds: 60 },
    } as const;
    await open({ policies: [slow] });
    expect((await by('send_note', { to: 'a' })).ok).toBe(true);
    expect((await helve.call('send_note', { to: 'b' })).ok).toBe(true);
    expect(await by('send_note', { to: 'c' })).toMatchObject({ error: { code: 'rate_limited' } });
  });

  test('R-approval: an approval is for the inner call: once, for these arguments, by either way of calling', async () => {
    await open();
    const asked = await by('pay_bill', { sum: 5 });
    expect(asked).toMatchObject({ ok: false, tool: 'pay_bill', error: { code: 'approval_required' } });
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    expect(approval).toMatchObject({ tool: 'pay_bill', arguments: { sum: 5 } });
    await helve.plane.decideApproval(helve.admin, approval?.id ?? '', 'approved', 'api');
    expect(await by('pay_bill', { sum: 6 })).toMatchObject({ ok: false, error: { code: 'approval_required' } });
    expect(await by('pay_bill', { sum: 5 })).toMatchObject({ ok: true });
    expect(await helve.call('pay_bill', { sum: 5 })).toMatchObject({ error: { code: 'approval_required' } });
  });
});

describe('mistakes of a model', () => {
  test('R-meta-tools: call_tool does not call itself, under any name', async () => {
    await open();
    for (const name of ['call_tool', 'discovery.call_tool', 'DISCOVERY_CALL_TOOL'])
      expect(await by(name, { tool: 'send_note' })).toMatchObject({ ok: false, rule: 'meta.nested' });
    expect(await lastRow()).toMatchObject({ type: 'execution.refused', tool: 'Discovery.callTool' });
  });

  test('R-meta-tools: a wrong name is answered with similar names, and none that is hidden', async () => {
    await open({ granted: ['send_note'] });
    const typo = await by('send_not', { to: 'a' });
    expect(typo).toMatchObject({
      ok: false,
      error: { code: 'tool_not_found', hint: expect.stringContaining('send_note') },
    });
    const words = await by('notes.send', { to: 'a' });
    expect(words).toMatchObject({ error: { hint: expect.stringContaining('send_note') } });
    const hidden = await by('pay_bil');
    expect(JSON.stringify(hidden)).not.toContain('pay_bill');
  });

  test('R-meta-tools: wrong arguments are answered with the signature, so that the next call can succeed', async () => {
    await open();
    const result = await by('send_note', { whom: 'ada' });
    expect(result).toMatchObject({ ok: false, tool: 'send_note', error: { code: 'invalid_input' } });
    expect(!result.ok && result.error.hint).toContain('send_note(to: string, text?: string)');
    expect(await helve.call('call_tool', { name: 'send_note' })).toMatchObject({
      ok: false,
      tool: 'call_tool',
      error: { code: 'invalid_input', hint: expect.stringContaining('call_tool(tool: string') },
    });
    expect(ran).toEqual([]);
  });

  test('R-meta-tools: a tool whose name only looks like call_tool, or that does not exist, is not it', async () => {
    const recall = testTool({ name: 'recall_tool' });
    await open({ tools: [send, recall] });
    const input = { tool: 'send_note', arguments: { to: 'ada' } };
    expect(await helve.call('recall_tool', input)).toMatchObject({ ok: true, output: { echoed: input } });
    expect(await helve.call('uncall_tool', input)).toMatchObject({ ok: false, rule: 'tool.unknown' });
    expect(ran).toEqual([]);
  });

  test('R-layers: where the workspace has switched the meta-tools off, they are off', async () => {
    await open();
    await helve.plane.enableTools(helve.admin, 'discovery', { enabled: false });
    expect(await by('send_note', { to: 'ada' })).toMatchObject({ ok: false, rule: 'workspace.toolkit' });
    await helve.plane.enableTools(helve.admin, 'discovery', { enabled: true, enabledTools: ['search_tools'] });
    expect(await by('send_note', { to: 'ada' })).toMatchObject({ ok: false, rule: 'workspace.tools' });
    expect(ran).toEqual([]);
    await helve.plane.enableTools(helve.admin, 'discovery', { enabled: true });
    expect(await by('send_note', { to: 'ada' })).toMatchObject({ ok: true, tool: 'send_note' });
  });
});

describe('R-capability: the intent', () => {
  const slack = {
    slug: 'slack',
    title: 'Slack',
    description: '',
    category: 'communication',
    load: async () => [
      testTool({
        name: 'create_channel_based_conversation',
        description: 'Creates a new public or private channel based conversation.',
        capabilities: ['create channel based conversation'],
        execute: async () => ran.push('created'),
      }),
      testTool({ name: 'send_message', description: 'Sends a message to a channel.', execute: async () => 'sent' }),
      testTool({ name: 'find_channels', description: 'Find channels by name.', execute: async () => 'found' }),
    ],
  };
  const intent = 'send a message to #general';
  const wrong = 'SLACK_CREATE_CHANNEL_BASED_CONVERSATION';

  test('R-capability: “send a message” never creates a channel; the hint names tools that fit', async () => {
    await open({
      nativeToolkits: [slack],
      toolkits: [(await import('../../toolkits/discovery/toolkit.js')).discovery],
    });
    const refused = await helve.call(wrong, {}, { intent });
    expect(refused).toMatchObject({ ok: false, rule: 'intent.mismatch', error: { code: 'intent_mismatch' } });
    expect(!refused.ok && refused.error.hint).toContain('send_message');
    const does = refused.ok ? [] : (/\((.+?)\)/.exec(refused.error.message)?.[1] ?? '').split(', ');
    expect(does).toEqual([...new Set(does)]);
    expect(!refused.ok && refused.error.details?.fitting).not.toContain(refused.tool);
    expect(await lastRow()).toMatchObject({
      type: 'execution.refused',
      tool: 'Slack.createChannelBasedConversation',
      body: { rule: 'intent.mismatch', intent },
    });
    expect(await by(wrong, {}, { intent })).toMatchObject({ ok: false, rule: 'intent.mismatch' });
    expect(ran).toEqual([]);
    expect(await helve.call('send_message', {}, { intent })).toMatchObject({ ok: true });
    // An agent that is to send a message may have to look for the channel first.
    expect(await helve.call('find_channels', {}, { intent })).toMatchObject({ ok: true });
    expect(await helve.call(wrong, {}, { intent: 'create a channel' })).toMatchObject({ ok: true });
    expect(await helve.call(wrong, {}, { intent: 'general' })).toMatchObject({ ok: true });
    for (const none of [undefined, ' '])
      expect(await helve.call(wrong, {}, { intent: none })).toMatchObject({ ok: true });
  });
});
