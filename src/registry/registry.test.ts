/** Which provider's tool is called, what the lists contain, and in which format. */
import { describe, expect, test, vi } from 'vitest';
import type { Provider } from '../domain/provider.js';
import type { ProviderKind } from '../domain/provider-kind.js';
import { createHttpApp } from '../surfaces/http/index.js';
import { createTestHelve, testTool } from '../testing/index.js';
import { testProviderTool } from '../testing/provider-tool.js';
import { createRegistry } from './index.js';

/** Offers `names` in the toolkit `mail` and answers with its own kind. */
function fake(kind: ProviderKind, names: readonly string[]): Provider {
  const toolkit = {
    slug: 'mail',
    title: kind,
    description: '',
    category: 'mail',
    provider: kind,
    needsConnection: false,
    internal: false,
  };
  const tool = (name: string) =>
    testProviderTool({ toolkit: 'mail', name }, { description: `from ${kind}`, provider: kind });
  return {
    kind,
    toolkits: async () => [toolkit],
    tools: vi.fn(async (slug: string) => (slug === 'mail' ? names.map(tool) : [])),
    execute: async () => ({ output: { by: kind } }),
    close: async () => undefined,
  };
}

const byName = async (registry: ReturnType<typeof createRegistry>) =>
  Object.fromEntries((await registry.tools('mail')).map(({ tool, provider }) => [tool.id.name, provider.kind]));

describe('priority', () => {
  const openapi = () => fake('openapi', ['send', 'read']);
  const composio = () => fake('composio', ['send', 'drop']);

  test('R-priority: for each tool the provider with the highest priority wins, in any order of registration', async () => {
    const wanted = { send: 'openapi', read: 'openapi', drop: 'composio' };
    expect(await byName(createRegistry([openapi(), composio()]))).toEqual(wanted);
    expect(await byName(createRegistry([composio(), openapi()]))).toEqual(wanted);
    const all = createRegistry([composio(), openapi(), fake('native', ['drop'])]);
    expect(await byName(all)).toEqual({ ...wanted, drop: 'native' });
    expect((await all.findToolkit('mail'))?.provider).toBe('native');
    expect((await all.toolkits()).map(({ slug }) => slug)).toEqual(['mail']);
  });

  test('R-priority: the winner is the one that a call reaches', async () => {
    const helve = await createTestHelve({ providers: [composio(), openapi()] });
    const send = (await helve.tools({ principal: helve.agent })).filter(({ tool }) => tool.id.toolkit === 'mail');
    const answers = await Promise.all(
      send.map(async ({ name, tool }) => [tool.id.name, await helve.call(name)] as const),
    );
    expect(Object.fromEntries(answers.map(([name, result]) => [name, result.ok && result.output]))).toEqual({
      send: { by: 'openapi' },
      read: { by: 'openapi' },
      drop: { by: 'composio' },
    });
    await helve.close();
  });

  test('R-registry: a provider that is added later is used, and earlier listings can tell that they are stale', async () => {
    const registry = createRegistry([composio()]);
    const before = registry.generation;
    expect(await byName(registry)).toEqual({ send: 'composio', drop: 'composio' });
    registry.register(openapi());
    expect(registry.generation).toBeGreaterThan(before);
    expect(await byName(registry)).toEqual({ send: 'openapi', read: 'openapi', drop: 'composio' });
  });

  test('R-registry: a toolkit is loaded once, on first request; a failed load is retried', async () => {
    const provider = fake('openapi', ['send']);
    const registry = createRegistry([provider]);
    await registry.toolkits();
    expect(provider.tools).not.toHaveBeenCalled();
    await Promise.all([registry.tools('mail'), registry.tools('mail'), registry.find('mail', 'send')]);
    expect(provider.tools).toHaveBeenCalledTimes(1);

    const flaky = fake('openapi', ['send']);
    vi.mocked(flaky.tools).mockRejectedValueOnce(new Error('down'));
    const other = createRegistry([flaky]);
    await expect(other.tools('mail')).rejects.toThrow('down');
    expect(await other.tools('mail')).toHaveLength(1);
  });

  test('R-registry: a missing tool is undefined for find and an error for get; categories filter', async () => {
    const registry = createRegistry([openapi()]);
    expect(await registry.find('mail', 'nope')).toBeUndefined();
    expect(await registry.tools('nope')).toEqual([]);
    await expect(registry.get('mail', 'nope')).rejects.toMatchObject({ code: 'tool_not_found' });
    expect(await registry.byCategory('mail')).toHaveLength(2);
    expect(await registry.byCategory('math')).toEqual([]);
  });
});

describe('what a caller learns about its tools', () => {
  test('R-registry: validateAccess returns allow, or the rule that refuses', async () => {
    const helve = await createTestHelve({ tools: [testTool({ name: 'send' })], granted: ['send'] });
    const ask = (tool: string) => helve.plane.validateAccess(helve.agent, tool);
    expect(await ask('send')).toMatchObject({ effect: 'allow', rule: expect.stringMatching(/^grant:/) });
    expect(await ask('custom.send')).toMatchObject({ effect: 'allow' });
    expect(await ask('calculate')).toMatchObject({ effect: 'deny', rule: 'grant.missing' });
    expect(await ask('nope')).toMatchObject({ effect: 'deny', rule: 'tool.unknown' });
    await helve.plane.enableTools(helve.admin, 'custom', { enabled: false });
    expect(await ask('send')).toMatchObject({ effect: 'deny', rule: 'workspace.toolkit' });
    expect((await helve.audited()).filter((row) => row.type.startsWith('execution.'))).toEqual([]);
    await helve.close();
  });

  test('R-registry: the list is exported in each consumer’s shape, with only the granted tools', async () => {
    const helve = await createTestHelve({ granted: ['calculate'] });
    const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
    const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    const get = async (format: string) => {
      const headers = { authorization: `Bearer ${secret}` };
      const response = await app.request(`/api/tools/export?format=${format}`, { headers });
      const { tools = [] } = (await response.json()) as { tools?: any[] };
      return {
        status: response.status,
        tool: tools.find((one) => JSON.stringify(one).includes('calculate')),
        count: tools.length,
      };
    };
    const schema = expect.objectContaining({ type: 'object', properties: { expression: expect.anything() } });
    const name = 'calculate';
    expect((await get('openai')).tool).toMatchObject({ type: 'function', function: { name, parameters: schema } });
    expect((await get('openai-responses')).tool).toMatchObject({ type: 'function', name, parameters: schema });
    expect((await get('anthropic')).tool).toMatchObject({ name, input_schema: schema });
    expect((await get('mcp')).tool).toMatchObject({ name, inputSchema: schema, annotations: { readOnlyHint: true } });
    // calculate, and result_read that comes with any grant.
    expect((await get('mcp')).count).toBe(2);
    expect((await get('soap')).status).toBe(400);
    await helve.close();
  });

  test('R-registry: the list and the export can be limited to categories, whatever the tool mode shows', async () => {
    const helve = await createTestHelve({ granted: ['calculate', 'key_value_get', 'key_value_set'] });
    const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
    const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    const names = async (path: string) => {
      const response = await app.request(path, { headers: { authorization: `Bearer ${secret}` } });
      return ((await response.json()) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    };
    await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: 'meta' });
    expect(await names('/api/tools/workspace')).toContain('search_tools');
    expect(await names('/api/tools/workspace?categories=utilities')).toEqual(['calculate']);
    expect(await names('/api/tools/export?format=mcp&categories=storage,finance')).toEqual([
      'key_value_get',
      'key_value_set',
    ]);
    expect(await names('/api/tools/workspace?categories=nothing')).toEqual([]);
    await helve.close();
  });
});
