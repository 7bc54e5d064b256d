import Anthropic from '@anthropic-ai/sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { catching, corpus, differing, listing } from '../../tests/examples/corpus.js';
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
import { toolsFor } from './anthropic.js';

let helve: AdapterGround;
beforeAll(async () => {
  helve = await openGround();
});

const messages = [{ role: 'user' as const, content: 'Count' }];
const asked = { model: 'claude-opus-4', max_tokens: 100, messages };

describe('R-sdk: the Anthropic SDK', () => {
  test('R-sdk: its own tool runner: schema verbatim, wrong refused and recorded, right runs', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const model = await openModel(wrongThenRight);
    const client = new Anthropic({ apiKey: 'none', baseURL: model.url, fetch: model.fetch as never });
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    // The scripted model stores no conversation between requests, which the SDK would otherwise allow.
    const last = await client.beta.messages.toolRunner({ ...asked, tools, thread: false });
    expect(last.content).toMatchObject([{ type: 'text', text: 'Counted five.' }]);
    const [first, second] = model.requests;
    expect(Object.keys(first.tools[0])).toEqual(['type', 'name', 'description', 'input_schema']);
    expect(same(first.tools[0].input_schema, awkward)).toBe(true);
    expect(second.messages.at(-1).content[0]).toMatchObject({ type: 'tool_result', is_error: true });
    expect(second.messages.at(-1).content[0].content).toMatch(
      /invalid_input: awkward: \/count must be integer\nHint: Correct/,
    );
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-schema: real schemas and an awkward one, byte for byte', async () => {
    const schemas = corpus();
    const { fetch, body } = catching();
    const client = new Anthropic({ apiKey: 'none', baseURL: 'http://127.0.0.1:1', maxRetries: 0, fetch });
    const tools = await toolsFor(listing(schemas), {});
    await expect(client.messages.create({ ...asked, tools })).rejects.toMatchObject({ status: 400 });
    const sent = body().tools.map((tool: any) => tool.input_schema);
    expect(differing(sent, schemas)).toBe(0);
  });

  test('R-sdk: a failure throws, as this SDK wants it; the signal reaches the tool', async () => {
    const [failing, slow] = await toolsFor(helve, { principal: helve.principal, tools: ['failing', 'slow'] });
    await expect(failing?.run({})).rejects.toThrow('tool_failed: the tool broke');
    const stop = new AbortController();
    const answer = slow?.run({}, { signal: stop.signal });
    await helve.slowRuns();
    stop.abort();
    await expect(answer).rejects.toThrow(/^outcome_unknown: /);
    const [standard] = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'], format: 'standard' });
    expect(JSON.parse((await standard?.run({ count: 3 })) ?? '')).toMatchObject({ ok: true, output: { counted: 3 } });
  });

  test('R-approval: the text for the model has the link', async () => {
    const asking = await openGround({ policies: askForAwkward, publicUrl: 'https://tools.example.com' });
    const [tool] = await toolsFor(asking, { principal: asking.principal, tools: ['awkward'] });
    await expect(tool?.run({ count: 1 })).rejects.toThrow('https://tools.example.com/approvals/');
  });
});
