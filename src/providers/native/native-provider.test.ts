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
  ])('R-sdk: createHelve refuses one %s, and its toolkit does too', async (_what, tool, message) => {
    await expect(createHelve({ tools: [tool as never] })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(message),
    });
    const provider = createNativeProvider([toolkit('one', [tool as never])], services);
    await expect(provider.tools('one')).rejects.toMatchObject({ code: 'invalid_config' });
  });

  test('R-sdk: a JSON Schema that accepts nothing is a schema', async () => {
    const helve = await createHelve({ tools: [testTool({ name: 'greet', inputSchema: {} })] });
    await helve.close();
  });
});
