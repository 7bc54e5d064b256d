/** R-hints in both modes, descriptions, and who sees the meta-tools. */
import { afterEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const tools = [
  testTool({ name: 'send_message', description: 'Sends a message to a channel.' }),
  testTool({ name: 'create_channel', description: 'Creates a channel.' }),
  testTool({ name: 'list_invoices', description: 'Lists invoices by date.' }),
  testTool({ name: 'pay', description: 'Pays an invoice.', highRisk: true }),
  testTool({ name: 'wipe', description: 'Erases everything.', risk: 'destructive' }),
];

async function open(options: TestHelveOptions = {}): Promise<TestHelve> {
  helve = await createTestHelve({ tools, ...options });
  return helve;
}

const hints = (text: string, mode: 'chat' | 'recipe', limit?: number) =>
  helve.plane.toolHints(helve.agent, { text, mode, ...(limit === undefined ? {} : { limit }) });

describe('R-hints', () => {
  test('R-hints: chat: tools that do what is asked, and none that does something else', async () => {
    await open();
    const found = await hints('please send a message to #general', 'chat');
    expect(found.tier).toBe('capability');
    expect(found.tools[0]?.name).toBe('send_message');
    expect(found.text).toContain('- send_message() — Sends a message to a channel');
    expect(found.text).not.toContain('create_channel');
    expect(found.text).not.toContain('call_tool');
  });

  test('R-hints: chat: if nothing fits it says so, and lists what there is', async () => {
    await open({ granted: ['list_invoices', 'pay'] });
    const found = await hints('bake a sourdough loaf', 'chat', 2);
    expect(found.tier).toBe('fallback');
    expect(found.tools.length).toBeGreaterThan(0);
    expect(found.tools.length).toBeLessThanOrEqual(2);
    expect(found.text).toMatch(/^No tool clearly does what is asked here/);
  });

  test('R-hints: recipe: exact names, or the words of names; no guessing', async () => {
    await open();
    const exact = await hints('First run CUSTOM_LIST_INVOICES, then report', 'recipe');
    expect([exact.tier, exact.tools.map(({ name }) => name)]).toEqual(['exact', ['list_invoices']]);
    const words = await hints('List all invoices of June', 'recipe');
    expect([words.tier, words.tools[0]?.name]).toEqual(['token', 'list_invoices']);
    expect(await hints('Tell the team what happened', 'recipe')).toEqual({ text: '', tools: [], tier: 'none' });
    expect(await hints('Bake a sourdough loaf', 'recipe')).toEqual({ text: '', tools: [], tier: 'none' });
  });

  test('R-hints: a caller without tools gets no hints', async () => {
    await open();
    await helve.plane.replaceGrants(helve.admin, 'tester', []);
    expect(await hints('send a message', 'chat')).toEqual({ text: '', tools: [], tier: 'none' });
  });

  test('R-hints: an agent with the meta-tools is told to call through them', async () => {
    await open();
    await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'meta' });
    expect((await hints('send a message', 'chat')).text).toContain('Call them with call_tool');
  });
});

describe('R-typedefs: everything about a tool', () => {
  test('R-typedefs: schemas, TypeScript, capabilities, and whether a person must approve', async () => {
    const deny = { id: 'no', effect: 'deny', when: { tools: ['create_channel'] } } as const;
    const when = { tools: ['send_message'], arguments: { required: ['to'] } } as const;
    const ask = { id: 'ask', effect: 'require_approval', when } as const;
    await open({ policies: [deny, ask] });
    const asked = ['calculate', 'pay', 'wipe', 'create_channel', 'custom.send_message', 'list_invoice'];
    const { tools: found, unknown } = await helve.plane.describeTools(helve.agent, asked);
    expect(found.map(({ name, approval }) => [name, approval])).toEqual([
      ['calculate', 'none'],
      ['pay', 'required'],
      ['send_message', 'depends'],
    ]);
    // Tools that are denied for all arguments are not mentioned.
    expect(unknown).toEqual([
      { name: 'wipe', nearest: [] },
      { name: 'create_channel', nearest: [] },
      { name: 'list_invoice', nearest: ['list_invoices'] },
    ]);
    expect(found[0]).toMatchObject({
      toolkit: 'math',
      risk: 'read',
      signature: '(expression: string)',
      capabilities: expect.any(Array),
      inputSchema: expect.objectContaining({ required: ['expression'] }),
      outputSchema: expect.any(Object),
    });
    expect(found[0]?.declaration).toMatch(/^export declare function calculate\(input:\{[^}]*\}\):Promise<\{/);
    expect(found[2]?.capabilities).toEqual(['send message']);
    const many = Array.from({ length: 51 }, (_, at) => `t${at}`);
    await expect(helve.plane.describeTools(helve.agent, many)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('R-meta-tools: who sees what', () => {
  const shown = async (who = helve.agent, all = false) =>
    (await helve.plane.tools(who, { all })).map(({ name }) => name);
  const meta = ['search_tools', 'describe_tools', 'call_tool', 'run_code'];

  test('R-meta-tools: all up to the threshold, beyond it the meta-tools and nothing else', async () => {
    await open({
      nativeToolkits: (await import('../../toolkits/index.js')).nativeToolkits,
      granted: ['send_message', 'pay'],
    });
    expect((await shown()).sort()).toEqual(['pay', 'result_read', 'send_message']);
    await helve.close();
    await open({ config: 'discovery: { direct_tools: 2 }', granted: ['send_message', 'pay'] });
    expect(await shown()).toEqual(meta);
    expect((await shown(helve.agent, true)).sort()).toEqual(
      [...meta, 'pay', 'result_read', 'run_status', 'send_message'].sort(),
    );
    // People see all tools.
    expect(await shown(helve.admin)).toContain('calculate');
    expect(await shown(helve.admin)).not.toContain('call_tool');
    expect((await helve.plane.grantCatalogue(helve.admin, 'tester')).entries.map((one) => one.toolkit.slug)).toContain(
      'math',
    );
  });

  test('R-meta-tools: chosen for each agent, by the API; listeners are notified of changes', async () => {
    await open({ granted: ['pay'] });
    let told = 0;
    const stop = helve.plane.onConfigurationChange(helve.agent, () => told++);
    expect(await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'meta' })).toMatchObject({
      toolMode: 'meta',
    });
    expect([await shown(), told]).toEqual([meta, 1]);
    await helve.plane.changeAgent(helve.admin, 'tester', { name: 'Tester', toolMode: 'direct' });
    expect(await shown()).toEqual(['result_read', 'pay']);
    expect(await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'auto' })).not.toHaveProperty('toolMode');
    const rows = (await helve.audited()).filter(({ type }) => type === 'agent.changed');
    expect(rows.map(({ body }) => body.toolMode)).toEqual(['meta', 'direct', 'auto']);
    stop();
    await expect(helve.plane.changeAgent(helve.agent, 'tester', { toolMode: 'meta' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(helve.plane.changeAgent(helve.admin, 'nobody', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  test('R-meta-tools: set in helve.yaml, which takes precedence', async () => {
    const config = 'agents: [{ name: big, tools: [calculate], tool_mode: meta }]';
    await open({ config });
    await helve.setUp();
    const [big] = (await helve.plane.agents(helve.admin)).filter(({ slug }) => slug === 'big');
    expect(big).toMatchObject({ toolMode: 'meta', managedBy: 'file' });
    expect((await helve.tools({ principal: { agent: 'big' } })).map(({ name }) => name)).toEqual(meta);
    await expect(helve.plane.changeAgent(helve.admin, 'big', { toolMode: 'auto' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(createTestHelve({ config: 'agents: [{ name: a, tool_mode: some }]' })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('agents.0.tool_mode'),
    });
  });

  test('R-layers: if the meta-tools are switched off, everyone sees all tools', async () => {
    await open({ config: 'discovery: { direct_tools: 0 }', granted: ['pay'] });
    expect(await shown()).toEqual(meta);
    await helve.plane.enableTools(helve.admin, 'discovery', { enabled: false });
    expect(await shown()).toEqual(['result_read', 'pay']);
  });
});
