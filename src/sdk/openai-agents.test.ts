import { Agent, type FunctionTool, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner } from '@openai/agents';
import OpenAI from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
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
import { toolsFor } from './openai-agents.js';

let helve: AdapterGround;
beforeAll(async () => {
  helve = await openGround();
});

const models = { chat: OpenAIChatCompletionsModel, responses: OpenAIResponsesModel };
type Api = keyof typeof models;

function run(tools: FunctionTool[], api: Api, setup: { url: string; fetch: unknown }) {
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: `${setup.url}/v1`,
    maxRetries: 0,
    fetch: setup.fetch as typeof fetch,
  });
  const agent = new Agent({
    name: 'counter',
    instructions: 'Count',
    tools,
    model: new models[api](client as never, 'gpt-4o'),
  });
  return new Runner({ tracingDisabled: true }).run(agent, 'Count', { maxTurns: 5 });
}

const parameters = (tool: any) => (tool.function ?? tool).parameters;

describe('R-sdk: the OpenAI Agents SDK', () => {
  test.each(['chat', 'responses'] as const)('R-sdk: a loop over %s', async (api) => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const model = await openModel(wrongThenRight);
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    const result = await run(tools, api, model);
    expect(result.finalOutput).toBe('Counted five.');
    const [first, second] = model.requests;
    expect(same(parameters(first.tools[0]), awkward)).toBe(true);
    expect((first.tools[0].function ?? first.tools[0]).strict).toBe(false);
    const told = api === 'chat' ? second.messages.at(-1).content : second.input.at(-1).output;
    expect(JSON.stringify(told)).toContain('/count must be integer');
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-schema: real schemas and an awkward one, byte for byte, over both APIs', async () => {
    const schemas = corpus();
    for (const api of ['chat', 'responses'] as const) {
      const { fetch, body } = catching();
      await run(await toolsFor(listing(schemas), {}), api, { url: 'http://127.0.0.1:1', fetch }).catch(() => undefined);
      expect(differing(body().tools.map(parameters), schemas)).toBe(0);
    }
  });

  test('R-registry: names keep their hyphens, and are called by them', async () => {
    const called: string[] = [];
    const [tool] = await toolsFor(
      {
        tools: async () =>
          (await listing([{ type: 'object' }]).tools({ principal: undefined })).map((listed) => ({
            ...listed,
            name: 'work-gmail__send_gmail_message',
          })),
        execute: async ({ tool: name }) => {
          called.push(name);
          return { ok: true, executionId: '1', tool: name, rule: 'r', durationMs: 1, output: 'Sent' };
        },
      },
      {},
    );
    expect(tool?.name).toBe('work-gmail__send_gmail_message');
    const model = await openModel([
      { calls: [{ name: 'work-gmail__send_gmail_message', arguments: {} }] },
      { text: 'Done' },
    ]);
    expect((await run([tool as FunctionTool], 'chat', model)).finalOutput).toBe('Done');
    expect(called).toEqual(['work-gmail__send_gmail_message']);
    expect(model.requests[1].messages.at(-1).content).toBe('Sent');
  });

  test('R-sdk: a failure is a result; the signal reaches the tool', async () => {
    const [failing, slow] = await toolsFor(helve, { principal: helve.principal, tools: ['failing', 'slow'] });
    expect(await failing?.invoke({} as never, '{}')).toBe('tool_failed: the tool broke');
    const stop = new AbortController();
    const answer = slow?.invoke({} as never, '{}', { signal: stop.signal } as never);
    await helve.slowRuns();
    stop.abort();
    expect(await answer).toMatch(/^outcome_unknown: /);
  });
});
