import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ScriptedTurn } from '../../examples/support/scripted-model.js';
import { catching, corpus, differing, leastSchemas, listing } from '../../tests/examples/corpus.js';
import {
  type AdapterGround,
  askForAwkward,
  awkward,
  executions,
  openGround,
  openModel,
  same,
  wrongThenRight,
} from '../../tests/examples/ground.js';
import { toolsFor } from './ai-sdk.js';

let helve: AdapterGround;
beforeAll(async () => {
  // The provider warns about what it removes from its copy of a schema.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  helve = await openGround();
});

async function loop(turns: readonly ScriptedTurn[], tools: ToolSet, api: 'chat' | 'responses' = 'chat') {
  const model = await openModel(turns);
  const openai = createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch as typeof fetch });
  const result = await generateText({ model: openai[api]('gpt-4o'), prompt: 'Count', tools, stopWhen: stepCountIs(5) });
  return { result, requests: model.requests };
}

async function ask(tools: ToolSet, api: 'chat' | 'responses') {
  const { fetch, body } = catching();
  const openai = createOpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:1/v1', fetch });
  await generateText({ model: openai[api]('gpt-4o'), prompt: 'x', tools, maxRetries: 0 }).catch(() => undefined);
  return body().tools.map((tool: any) => (api === 'chat' ? tool.function : tool).parameters);
}

const run = (tools: ToolSet, name: string, input: unknown, abortSignal?: AbortSignal) =>
  tools[name]?.execute?.(input, { toolCallId: '1', messages: [], context: {}, abortSignal } as never);

describe('R-sdk: a loop of the AI SDK', () => {
  test.each([
    'chat',
    'responses',
  ] as const)('R-sdk: over %s, schema verbatim, wrong refused, right runs', async (api) => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    const { result, requests } = await loop(wrongThenRight, tools, api);
    expect(result.text).toBe('Counted five.');
    const sent = requests[0]?.tools[0];
    const { name, parameters, strict } = api === 'chat' ? sent.function : sent;
    expect({ name, strict }).toEqual({ name: 'awkward', strict: false });
    expect(same(parameters, awkward)).toBe(true);
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    const told = JSON.stringify(requests[1]);
    expect(told).toContain('/count must be integer');
    expect(told).toContain('call awkward again');
    expect(await executions(helve, before)).toEqual(['execution.started', 'execution.finished']);
  });

  test('R-audit: with `validate: plane`, the refusal is in the record', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const tools = await toolsFor(helve, { principal: helve.principal, validate: 'plane' });
    const { requests } = await loop(wrongThenRight, tools);
    expect(requests[1]?.messages.at(-1).content).toMatch(/^invalid_input: awkward: \/count must be integer\nHint: /);
    expect(helve.reached).toHaveLength(1);
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-context: a key that a framework adds stays where the schema declares it', async () => {
    helve.reached.length = 0;
    const tools = await toolsFor(helve, { principal: helve.principal });
    const call = { name: 'wanting', arguments: { memory: 'kept', threadId: 'dropped' } };
    await loop([{ calls: [call] }, { text: 'Done' }], tools);
    expect(helve.reached).toEqual([{ tool: 'wanting', input: { memory: 'kept' } }]);
  });
});

describe('R-sdk: what the model receives', () => {
  test.each([
    'chat',
    'responses',
  ] as const)('R-schema: real schemas and an awkward one byte for byte, over %s', async (api) => {
    const schemas = corpus();
    expect(schemas.length).toBeGreaterThan(leastSchemas);
    expect(differing(await ask(await toolsFor(listing(schemas), {}), api), schemas)).toBe(0);
  });

  test('R-schema: what the provider of OpenAI changes if allowed', async () => {
    const [sent] = await ask(await toolsFor(listing([awkward]), { verbatim: false }), 'chat');
    expect(same(sent, awkward)).toBe(false);
    const expected = structuredClone(awkward) as any;
    delete expected.properties.labels.propertyNames;
    delete expected.properties.pattern.pattern;
    expected.properties.shared = { description: 'One of the definitions', $ref: '#/$defs/Shared' };
    expect(sent).toEqual(expected);
  });

  test('R-schema: an SDK that changes its copy does not change our schema', async () => {
    const source = structuredClone(awkward);
    const tools = await toolsFor(listing([source]), {});
    const { jsonSchema } = tools.tool_0?.inputSchema as { jsonSchema: any };
    delete jsonSchema.properties.count;
    jsonSchema.properties.shared.$ref = 'gone';
    expect(source).toEqual(awkward);
    expect(same(jsonSchema, awkward)).toBe(true);
  });
});

describe('R-sdk: the results', () => {
  test('R-format: text inside the budget with the handle, or the standard result', async () => {
    const text = await toolsFor(helve, { principal: helve.principal });
    const long = await run(text, 'long', {});
    expect(long).toMatch(/\[Cut: the first \d+ of 30000 characters\..*result_read, handle result_/);
    expect((long as string).length).toBeGreaterThan(9_900);
    expect((long as string).length).toBeLessThanOrEqual(10_000);
    const short = await toolsFor(helve, { principal: helve.principal, maxChars: 200 });
    expect(((await run(short, 'long', {})) as string).length).toBeLessThanOrEqual(200);
    const standard = await toolsFor(helve, { principal: helve.principal, format: 'standard' });
    expect(await run(standard, 'awkward', { count: 1 })).toMatchObject({ ok: true, output: { counted: 1 } });
    expect(await run(standard, 'failing', {})).toMatchObject({ ok: false, error: { code: 'tool_failed' } });
  });

  test('R-sdk: a failure is a result with code, message and hint', async () => {
    const tools = await toolsFor(helve, { principal: helve.principal });
    expect(await run(tools, 'failing', {})).toBe('tool_failed: the tool broke');
  });

  test('R-sdk: the abort signal reaches the tool', async () => {
    const tools = await toolsFor(helve, { principal: helve.principal });
    const stop = new AbortController();
    const answer = run(tools, 'slow', {}, stop.signal);
    await helve.slowRuns();
    stop.abort();
    expect(await answer).toMatch(/^outcome_unknown: /);
  });

  test('R-approval: the model gets the link; with a hook, the call runs once it is approved', async () => {
    const asking = await openGround({ policies: askForAwkward, publicUrl: 'https://tools.example.com' });
    const plain = await toolsFor(asking, { principal: asking.principal });
    expect(await run(plain, 'awkward', { count: 1 })).toMatch(
      /^approval_required: .*https:\/\/tools\.example\.com\/approvals\/.*\nHint: /,
    );
    expect(asking.reached).toEqual([]);
    const decided: string[] = [];
    const hooked = await toolsFor(asking, {
      principal: asking.principal,
      onApproval: async ({ approvalId, tool, url }) => {
        decided.push(tool);
        expect(url).toContain(approvalId);
        await asking.plane.decideApproval(asking.admin, approvalId, 'approved', 'api');
        return true;
      },
    });
    expect(await run(hooked, 'awkward', { count: 1 })).toBe('{"counted":1}');
    expect(decided).toEqual(['awkward']);
    expect(asking.reached).toHaveLength(1);
    const refusing = await toolsFor(asking, { principal: asking.principal, onApproval: async () => false });
    expect(await run(refusing, 'awkward', { count: 1 })).toMatch(/^approval_required: /);
  });

  test('R-sdk: only the requested tools; an unknown name is refused', async () => {
    const { principal } = helve;
    expect(Object.keys(await toolsFor(helve, { principal, tools: ['long'] }))).toEqual(['long']);
    const filtered = await toolsFor(helve, { principal, tools: ({ name }) => name.startsWith('w') });
    expect(Object.keys(filtered)).toEqual(['wanting']);
    await expect(toolsFor(helve, { principal, tools: ['lomg'] })).rejects.toMatchObject({
      code: 'tool_not_found',
      hint: 'Did you mean long?',
    });
  });
});
