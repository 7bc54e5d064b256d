import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ScriptedTurn } from '../../examples/support/scripted-model.js';
import { catching, corpus, differing, listing } from '../../tests/examples/corpus.js';
import {
  type AdapterGround,
  awkward,
  executions,
  openGround,
  openModel,
  same,
  wrongThenRight,
} from '../../tests/examples/ground.js';
import { keepSchemas, type MastraTools, toolsFor } from './mastra.js';

let helve: AdapterGround;
beforeAll(async () => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  helve = await openGround();
});

interface Setup {
  readonly fetch: unknown;
  readonly url: string;
  readonly processors?: boolean;
  readonly modelId?: string;
}

function agentWith(tools: MastraTools, { fetch, url, processors = true, modelId = 'gpt-4o' }: Setup) {
  const openai = createOpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch: fetch as typeof globalThis.fetch });
  return new Agent({
    id: 'counter',
    name: 'counter',
    instructions: 'Count',
    model: openai.chat(modelId) as never,
    tools,
    ...(processors ? { inputProcessors: [keepSchemas(tools)] } : {}),
  });
}

async function loop(turns: readonly ScriptedTurn[], tools: MastraTools) {
  const model = await openModel(turns);
  const result = await agentWith(tools, model).generate('Count', { maxSteps: 5 });
  return { text: result.text, requests: model.requests };
}

async function ask(tools: MastraTools, setup: Partial<Setup> = {}) {
  const { fetch, body } = catching();
  const agent = agentWith(tools, { fetch, url: 'http://127.0.0.1:1', ...setup });
  await agent.generate('x', { modelSettings: { maxRetries: 0 } }).catch(() => undefined);
  return body().tools.map((tool: any) => tool.function.parameters);
}

describe('R-sdk: Mastra', () => {
  test('R-sdk: a loop: schema verbatim, wrong refused and recorded, right runs', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    const { text, requests } = await loop(wrongThenRight, tools);
    expect(text).toBe('Counted five.');
    const sent = requests[0]?.tools[0].function;
    expect(sent.name).toBe('awkward');
    expect(same(sent.parameters, awkward)).toBe(true);
    expect(same(requests[2]?.tools[0].function.parameters, awkward)).toBe(true);
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    expect(requests[1]?.messages.at(-1).content).toMatch(/^invalid_input: awkward: \/count must be integer\nHint: /);
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-sdk: arguments are not corrected by guesses: a null is refused like any other wrong type', async () => {
    helve.reached.length = 0;
    const tools = await toolsFor(helve, { principal: helve.principal });
    const wrong = { name: 'awkward', arguments: { count: 1, labels: null } };
    const { requests } = await loop([{ calls: [wrong] }, { text: 'Refused' }], tools);
    expect(requests[1]?.messages.at(-1).content).toContain('/labels must be object');
    expect(helve.reached).toEqual([]);
  });

  test('R-schema: real schemas and an awkward one, byte for byte', async () => {
    const schemas = corpus();
    expect(differing(await ask(await toolsFor(listing(schemas), {})), schemas)).toBe(0);
  });

  test('R-schema: what Mastra and the provider change without `keepSchemas`', async () => {
    const [sent] = await ask(await toolsFor(listing([awkward]), {}), { processors: false });
    const expected = structuredClone(awkward) as any;
    const { properties } = expected;
    const anyType = { type: ['string', 'number', 'integer', 'boolean', 'object', 'null'] };
    // Mastra marks every schema as draft 7, and gives a type to properties that have none.
    expected.$schema = 'http://json-schema.org/draft-07/schema#';
    Object.assign(properties.anything, anyType);
    Object.assign(properties.choice, anyType);
    Object.assign(properties.rows.items.properties.cell, anyType);
    // The provider's package: see docs/sdk/ai-sdk.md.
    delete properties.labels.propertyNames;
    delete properties.pattern.pattern;
    properties.shared = { description: 'One of the definitions', $ref: '#/$defs/Shared' };
    expect(sent).toEqual(expected);
  });

  test('R-schema: the layers that Mastra has for each model are off, and would not be for another tool', async () => {
    const bare = { processors: false };
    const tools = await toolsFor(listing([awkward]), {});
    const [usual] = await ask(tools, bare);
    for (const modelId of ['o3-mini', 'claude-opus-4', 'gemini-2.5-pro', 'deepseek-chat', 'llama-4']) {
      expect((await ask(tools, { ...bare, modelId }))[0]).toEqual(usual);
    }
    Object.assign(tools.tool_0 as object, { strict: undefined });
    expect((await ask(tools, { ...bare, modelId: 'o3-mini' }))[0]).not.toEqual(usual);
  });

  test('R-sdk: a failure is a result; the abort signal reaches the tool; a tool’s own key stays', async () => {
    const tools = await toolsFor(helve, { principal: helve.principal });
    expect(await tools.failing?.execute?.({}, {} as never)).toBe('tool_failed: the tool broke');
    const stop = new AbortController();
    const answer = tools.slow?.execute?.({}, { abortSignal: stop.signal } as never);
    await helve.slowRuns();
    stop.abort();
    expect(await answer).toMatch(/^outcome_unknown: /);
    const own = { name: 'own', inputSchema: {} };
    const { tools: kept } = (keepSchemas(tools) as any).processInputStep({ tools: { own } });
    expect(kept.own).toBe(own);
  });
});
