import OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { beforeAll, describe, expect, test } from 'vitest';
import type { startScriptedModel } from '../../examples/support/scripted-model.js';
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
import { responsesToolsFor, toolsFor } from './openai.js';

let helve: AdapterGround;
beforeAll(async () => {
  helve = await openGround();
});

async function scripted(turns: Parameters<typeof startScriptedModel>[0]) {
  const model = await openModel(turns);
  const client = new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch as never });
  return { client, requests: model.requests };
}

const record = ['execution.refused', 'execution.started', 'execution.finished'];

describe('R-sdk: the OpenAI SDK', () => {
  test('R-sdk: its own runner: schema verbatim, wrong refused and recorded, right runs', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const { client, requests } = await scripted(wrongThenRight);
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    const runner = client.chat.completions.runTools({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Count' }],
      tools,
    });
    expect(await runner.finalContent()).toBe('Counted five.');
    const sent = requests[0]?.tools[0].function;
    expect(sent).toMatchObject({ name: 'awkward', strict: false });
    expect(same(sent.parameters, awkward)).toBe(true);
    expect(requests[1]?.messages.at(-1).content).toMatch(/^invalid_input: awkward: \/count must be integer\nHint: /);
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-sdk: the Responses API, by its own runner', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const { client, requests } = await scripted(wrongThenRight);
    const functions = await responsesToolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    const runner = new ResponsesToolRunner({ functions });
    const response = await runner.run(client, { model: 'gpt-4o', input: 'Count' });
    expect(response.output_text).toBe('Counted five.');
    expect(same(requests[0]?.tools[0].parameters, awkward)).toBe(true);
    expect(requests[1]?.input.at(-1).output).toContain('/count must be integer');
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-schema: real schemas and an awkward one, byte for byte, over both APIs', async () => {
    const schemas = corpus();
    const [chat, responses] = [catching(), catching()];
    const base = { apiKey: 'none', baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 };
    const messages = [{ role: 'user' as const, content: 'x' }];
    await new OpenAI({ ...base, fetch: chat.fetch }).chat.completions.create({
      model: 'gpt-4o',
      messages,
      tools: await toolsFor(listing(schemas), {}),
    });
    const bound = await responsesToolsFor(listing(schemas), {});
    const asked = new OpenAI({ ...base, fetch: responses.fetch }).responses.create({
      model: 'gpt-4o',
      input: 'x',
      tools: bound.map(({ tool }) => tool),
    });
    await expect(asked).rejects.toMatchObject({ status: 400 });
    const parameters = (tool: any) => (tool.function ?? tool).parameters;
    expect(differing(chat.body().tools.map(parameters), schemas)).toBe(0);
    expect(differing(responses.body().tools.map(parameters), schemas)).toBe(0);
  });

  test('R-sdk: arguments that are not JSON are refused and recorded; absent arguments are an empty object', async () => {
    const before = (await executions(helve)).length;
    const [awkwardTool] = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    expect(await awkwardTool?.function.function('{"count": ')).toMatch(
      /^invalid_input: The arguments are not an object\nHint: Send a JSON object/,
    );
    expect(await executions(helve, before)).toEqual(['execution.refused']);
    const [wanting] = await toolsFor(helve, { principal: helve.principal, tools: ['wanting'] });
    expect(await wanting?.function.function('')).toBe('{}');
  });

  test('R-sdk: the runner’s signal reaches the tool; a failure is a result', async () => {
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['slow', 'failing'] });
    const controller = new AbortController();
    const answer = tools[0]?.function.function('{}', { controller });
    await helve.slowRuns();
    controller.abort();
    expect(await answer).toMatch(/^outcome_unknown: /);
    expect(await tools[1]?.function.function('{}')).toBe('tool_failed: the tool broke');
    const standard = await responsesToolsFor(helve, {
      principal: helve.principal,
      tools: ['failing'],
      format: 'standard',
    });
    expect(JSON.parse((await standard[0]?.execute({})) ?? '')).toMatchObject({ ok: false });
  });
});

test('R-sdk: tools for nobody are refused, and it says who can be named', async () => {
  for (const make of [toolsFor, responsesToolsFor])
    await expect(make(helve)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('nobody is named'),
      hint: expect.stringContaining("{ agent: 'name' }"),
    });
});

test.each<[string, object, RegExp]>([
  ['a mistyped list of tools', { tool: ['awkward'] }, /^toolsFor: there is no option "tool"\nDid you mean tools\?$/],
  ['a mistyped intent', { intend: 'Count' }, /there is no option "intend"\nDid you mean intent\?$/],
  ['an option that is like none', { colour: 'red' }, /there is no option "colour"\nThe options are principal, tools/],
  ['a name in place of a list', { tools: 'awkward' }, /tools is not one of its values\nGive a list of names/],
  ['an unknown mode', { mode: 'codes' }, /mode is not one of its values/],
  ['an unknown format', { format: 'json' }, /format is not one of its values/],
])('attack: %s does not give a model all tools', async (_what, options, message) => {
  const refused = await toolsFor(helve, { principal: helve.principal, ...options }).then(
    () => 'given',
    ({ message, hint }) => `${message}\n${hint}`,
  );
  expect(refused).toMatch(message);
});
