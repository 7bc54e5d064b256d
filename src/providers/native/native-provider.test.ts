/** The native provider passes the contract, and restricts dangerous capabilities itself. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../domain/json.js';
import type { EgressLimits, ToolDefinition, ToolkitDefinition } from '../../domain/tool.js';
import { createHelve } from '../../helve.js';
import { testTool } from '../../testing/index.js';
import { providerContract } from '../../testing/provider-contract.js';
import { createNativeProvider, type NativeServices } from './index.js';

const notHere = (): never => {
  throw new Error('not here');
};
const services: NativeServices = {
  http: () => ({ fetch: () => Promise.reject(new Error('not here')) }),
  keyValues: () => ({ get: async () => undefined, set: async () => undefined, delete: async () => false }),
  results: () => ({ read: () => Promise.reject(new Error('not here')) }),
  files: () => notHere(),
  commands: () => notHere(),
  checkReach: async () => {},
  connector: () => notHere(),
  browser: () => notHere(),
  documents: () => notHere(),
  models: () => ({ language: undefined, embedding: undefined }),
  workers: { use: () => notHere(), ask: () => notHere() },
  programs: () => notHere(),
};

const toolkit = (slug: string, tools: readonly ToolDefinition[], loaded: string[] = []): ToolkitDefinition => ({
  slug,
  title: slug,
  description: slug,
  category: 'test',
  async load() {
    loaded.push(slug);
    return tools;
  },
});

const patient = testTool({
  name: 'patient',
  execute: (_, { signal }) =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});
const broken = testTool({ name: 'broken', execute: () => Promise.reject(new Error('broke')) });

providerContract('native', async () => {
  const loaded: string[] = [];
  const one = toolkit('one', [testTool({ name: 'echo' }), broken, patient], loaded);
  return {
    provider: createNativeProvider([one, toolkit('two', [testTool({ name: 'echo' })], loaded)], services),
    loads: () => loaded,
    echo: { toolkit: 'one', name: 'echo' },
    broken: { toolkit: 'one', name: 'broken' },
    patient: { toolkit: 'one', name: 'patient' },
  };
});

describe('what is bound here', () => {
  async function run(definition: ToolDefinition, config: JsonObject = {}, more: Partial<NativeServices> = {}) {
    const provider = createNativeProvider([toolkit('one', [definition])], { ...services, ...more });
    const [tool] = await provider.tools('one');
    if (!tool) throw new Error('no tool');
    return provider.execute({
      tool,
      input: {},
      config,
      executionId: 'e1',
      effectKey: '0123456789abcdef0123456789abcdef',
      progress: () => undefined,
      caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
      signal: new AbortController().signal,
    });
  }
  const fetching = (more: Partial<ToolDefinition> = {}) =>
    testTool({
      name: 'get',
      execute: async (_, { http }) => (await http.fetch({ url: 'https://x.test/' })).status,
      ...more,
    });

  test('R-http: a tool that declares no egress reaches nothing', async () => {
    await expect(run(fetching())).rejects.toMatchObject({ code: 'egress_blocked' });
  });

  test('R-tool-config: a tool’s http is narrowed by its configuration, with defaults filled in', async () => {
    const asked: EgressLimits[] = [];
    const http: NativeServices['http'] = (limits) => {
      asked.push(limits);
      const answer = {
        status: 204,
        statusText: '',
        headers: {},
        url: '',
        body: new Uint8Array(),
        truncated: false,
        text: () => '',
      };
      return { fetch: async () => answer };
    };
    const configSchema = z.strictObject({ hosts: z.array(z.string()), redirects: z.int().default(3) });
    const tool = fetching({
      configSchema,
      egress: (config) => ({ allowedDomains: (config as any).hosts, maxRedirects: (config as any).redirects }),
    });
    expect((await run(tool, { hosts: ['x.test'] }, { http })).output).toBe(204);
    expect(asked).toEqual([{ allowedDomains: ['x.test'], maxRedirects: 3 }]);
  });

  test('R-tool-config: a configuration that no longer fits fails the call, which does not run', async () => {
    let ran = 0;
    const configSchema = z.strictObject({ limit: z.int() });
    const tool = testTool({ name: 'counted', configSchema, execute: async () => ++ran });
    await expect(run(tool, { limit: 'x' })).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(run(tool, { limit: 1, more: 1 })).rejects.toMatchObject({ code: 'invalid_config' });
    expect(ran).toBe(0);
    expect((await run(tool, { limit: 1 })).output).toBe(1);
  });

  test('R-registry: a toolkit whose code fails to load is tried again', async () => {
    let turns = 0;
    const flaky: ToolkitDefinition = {
      ...toolkit('one', []),
      load: async () => (turns++ === 0 ? Promise.reject(new Error('no disk')) : [testTool({ name: 'echo' })]),
    };
    const provider = createNativeProvider([flaky], services);
    await expect(provider.tools('one')).rejects.toThrow('no disk');
    expect(await provider.tools('one')).toHaveLength(1);
  });
});

describe('a tool that could never be called', () => {
  const whole = testTool({ name: 'greet' });
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['without a schema', { ...whole, inputSchema: undefined }, /tool "greet" of .*inputSchema is missing/],
    ['with a text for a schema', { ...whole, inputSchema: 'text' }, /inputSchema is missing or not a schema/],
    ['without work', { ...whole, execute: undefined }, /execute is missing or not a function/],
    ['without a name', { ...whole, name: undefined }, /tool null of .*name is missing or not a text/],
    ['without hints', { ...whole, annotations: undefined }, /annotations is missing or not an object/],
    // Searches read these, so that one such tool would make every search fail.
    ['without a title', { ...whole, title: undefined }, /title is missing or not a text/],
    ['without a description', { ...whole, description: undefined }, /description is missing or not a text/],
    ['without capabilities', { ...whole, capabilities: undefined }, /capabilities is missing or not a list of texts/],
    ['with a text for capabilities', { ...whole, capabilities: 'greet' }, /capabilities is missing or not a list/],
    ['of a tier that no policy names', { ...whole, risk: 'danger' }, /risk is missing or not a tier/],
    [
      'with a time limit in words',
      { ...whole, timeoutMs: '5s' },
      /timeoutMs is missing or not a number of milliseconds/,
    ],
    ['with a type that does not exist', { ...whole, inputSchema: { type: 'objekt' } }, /type at \/type is "objekt"/],
    [
      'with a broken schema of its output',
      { ...whole, outputSchema: { required: 'n' } },
      /outputSchema cannot be used/,
    ],
    [
      'with what JSON does not have',
      { ...whole, inputSchema: z.object({ on: z.date() }) },
      /inputSchema .*: Date cannot/,
    ],
    ['that takes nothing at all', { ...whole, inputSchema: { not: {} } }, /no arguments satisfy its inputSchema/],
    ['that takes a text', { ...whole, inputSchema: z.string() }, /no arguments satisfy/],
    [
      'with a required argument that nothing fits',
      { ...whole, inputSchema: { allOf: [{ required: ['n'], properties: { n: false } }] } },
      /no arguments satisfy/,
    ],
    [
      'with a required argument that it does not take',
      { ...whole, inputSchema: { properties: { n: {} }, required: ['m'], additionalProperties: false } },
      /no arguments satisfy/,
    ],
  ])('R-sdk: createHelve refuses one %s, and its toolkit does too', async (_what, tool, message) => {
    await expect(createHelve({ tools: [tool as never] })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(message),
    });
    const provider = createNativeProvider([toolkit('one', [tool as never])], services);
    await expect(provider.tools('one')).rejects.toMatchObject({ code: 'invalid_config' });
  });

  test.each<[string, object]>([
    ['is empty', {}],
    ['has an optional field that nothing fits', { type: 'object', properties: { n: { not: {} } } }],
    ['has one way that fits', { anyOf: [{ type: 'string' }, { type: ['object', 'null'], required: ['n'] }] }],
    [
      'refers to another',
      { $ref: '#/$defs/one', type: 'string', $schema: 'http://json-schema.org/draft-07/schema#', $defs: { one: {} } },
    ],
  ])('R-sdk: a JSON Schema that %s is taken', async (_what, inputSchema) => {
    const helve = await createHelve({ tools: [testTool({ name: 'greet', inputSchema: inputSchema as never })] });
    await helve.close();
  });

  test('R-sdk: of two tools with one name, both are named at the start, in a toolkit too', async () => {
    const twice = [whole, testTool({ name: 'leave' }), whole];
    for (const options of [{ tools: twice }, { toolkits: [toolkit('one', twice)] }])
      await expect(createHelve(options)).rejects.toMatchObject({
        code: 'invalid_config',
        message: expect.stringMatching(/^tool "greet" of .*: the tools 1 and 3 of the list have this name$/),
      });
  });

  test.each<[string, readonly string[]]>([
    ['two toolkits', ['one', 'one']],
    ['a toolkit and one of Helve', ['math']],
    ['a toolkit and the tools of the installation', ['custom']],
  ])('R-sdk: %s with one slug are refused, because the tools of one would be lost', async (_what, slugs) => {
    const toolkits = slugs.map((slug, place) => ({ ...toolkit(slug, [whole]), title: `Own ${place}` }));
    await expect(createHelve({ tools: [whole], toolkits })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/^createHelve: the toolkits ".*" and "Own \d" both have the slug "/),
    });
  });
});
