/** The contract of every provider: one suite, given a provider that offers at least one toolkit. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Provider, ProviderCall } from '../domain/provider.js';
import type { Tool } from '../domain/tool.js';
import { outputText } from '../util/json-text.js';

export interface ProviderUnderTest {
  readonly provider: Provider;
  /** Toolkits whose code or description has been fetched so far. */
  readonly loads: () => readonly string[];
  /** A tool that returns its own input, under `echoed`. */
  readonly echo: { readonly toolkit: string; readonly name: string };
  /** A tool that throws an `Error` with the message `broke`. */
  readonly broken: { readonly toolkit: string; readonly name: string };
  /** A tool that runs until its signal is aborted, and then rejects or resolves. */
  readonly patient: { readonly toolkit: string; readonly name: string };
}

type Under = () => ProviderUnderTest;

export function providerContract(name: string, open: () => Promise<ProviderUnderTest>): void {
  describe(`the provider contract: ${name}`, () => {
    let under: ProviderUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.provider.close());
    listing(() => under);
    calling(() => under);
  });
}

async function call({ provider }: ProviderUnderTest, id: Tool['id'], more: Partial<ProviderCall> = {}) {
  const tools = await provider.tools(id.toolkit);
  const tool = tools.find((one) => one.id.name === id.name);
  if (!tool) throw new Error(`The provider under test has no ${id.toolkit}.${id.name}`);
  return provider.execute({
    tool,
    input: {},
    config: {},
    executionId: 'e1',
    effectKey: '0123456789abcdef0123456789abcdef',
    caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
    signal: new AbortController().signal,
    progress: () => undefined,
    ...more,
  });
}

function listing(under: Under): void {
  test('R-registry: toolkits are listed without loading any, each under its own slug and kind', async () => {
    const toolkits = await under().provider.toolkits();
    expect(toolkits.length).toBeGreaterThan(0);
    expect(new Set(toolkits.map(({ slug }) => slug)).size).toBe(toolkits.length);
    expect(new Set(toolkits.map(({ provider }) => provider))).toEqual(new Set([under().provider.kind]));
    expect(under().loads()).toEqual([]);
  });

  test('R-registry: a toolkit is loaded once, at its first use, also by parallel callers', async () => {
    const { toolkit } = under().echo;
    await Promise.all([under().provider.tools(toolkit), under().provider.tools(toolkit), call(under(), under().echo)]);
    await under().provider.tools(toolkit);
    expect(under().loads()).toEqual([toolkit]);
  });

  test('R-registry: tools carry all that the plane decides by', async () => {
    for (const { slug } of await under().provider.toolkits()) {
      const tools = await under().provider.tools(slug);
      expect(new Set(tools.map(({ id }) => id.name)).size).toBe(tools.length);
      for (const tool of tools) {
        expect(tool).toMatchObject({ id: { toolkit: slug }, provider: under().provider.kind });
        expect(tool.inputSchema).toMatchObject({ type: 'object' });
        expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(Array(4).fill('boolean'));
        expect(['read', 'write', 'destructive']).toContain(tool.risk);
        expect(tool.timeoutMs).toBeGreaterThan(0);
        // Only what the provider declares as unchanging changes nothing; without a declaration, effects are assumed.
        if (!tool.hasEffects) expect(tool.annotations.readOnlyHint).toBe(true);
        expect(JSON.parse(JSON.stringify(tool))).toEqual(tool);
      }
    }
  });

  test('R-registry: an unknown toolkit has no tools, and is not an error', async () => {
    expect(await under().provider.tools('there-is-no-such-toolkit')).toEqual([]);
  });
}

function calling(under: Under): void {
  test('R-pipeline: a call returns its own JSON, which cannot be changed afterwards', async () => {
    const input = { text: 'Zażółć \u0000 \ud83d\ude00', list: [1, null, { deep: true }] };
    const { output, text = outputText(output) } = await call(under(), under().echo, { input });
    expect(output).toEqual({ echoed: input });
    expect(text).toBe(outputText(output));
    input.list.push(2);
    expect((output as { echoed: { list: unknown[] } }).echoed.list).toHaveLength(3);
  });

  test('R-pipeline: a tool that does not exist is tool_not_found; one that throws rejects with its error', async () => {
    const [tool] = await under().provider.tools(under().echo.toolkit);
    const gone = { ...(tool as Tool), id: { toolkit: under().echo.toolkit, name: 'gone' } };
    await expect(call(under(), under().echo, { tool: gone })).rejects.toMatchObject({ code: 'tool_not_found' });
    await expect(call(under(), under().broken)).rejects.toThrow('broke');
    expect((await call(under(), under().echo)).output).toEqual({ echoed: {} });
  });

  test('R-pipeline: an aborted call ends', async () => {
    const stop = new AbortController();
    const ended = call(under(), under().patient, { signal: stop.signal }).then(
      () => 'ended',
      () => 'ended',
    );
    stop.abort();
    expect(await ended).toBe('ended');
  });
}
