import { ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
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
import { toolsFor } from './langchain.js';

let helve: AdapterGround;
beforeAll(async () => {
  helve = await openGround();
});

function chat({ url, fetch }: { url: string; fetch: unknown }, useResponsesApi = false) {
  const configuration = { baseURL: `${url}/v1`, fetch: fetch as typeof globalThis.fetch };
  return new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', maxRetries: 0, useResponsesApi, configuration });
}

const call = (name: string, args: Record<string, unknown>) => ({ type: 'tool_call' as const, id: 'c1', name, args });

describe('R-sdk: LangChain', () => {
  test('R-sdk: an agent of LangGraph: schema verbatim, wrong refused and recorded, right runs', async () => {
    helve.reached.length = 0;
    const before = (await executions(helve)).length;
    const model = await openModel(wrongThenRight);
    const tools = await toolsFor(helve, { principal: helve.principal, tools: ['awkward'] });
    const agent = createAgent({ model: chat(model), tools });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Count' }] });
    expect(messages.at(-1)?.content).toBe('Counted five.');
    expect(same(model.requests[0].tools[0].function.parameters, awkward)).toBe(true);
    expect(helve.reached).toEqual([{ tool: 'awkward', input: { count: 5 } }]);
    const answers = messages.filter((message) => ToolMessage.isInstance(message)) as ToolMessage[];
    expect(answers.map(({ status }) => status)).toEqual(['error', 'success']);
    expect(answers[0]?.content).toMatch(/^invalid_input: awkward: \/count must be integer\nHint: Correct/);
    expect(answers[1]?.artifact).toMatchObject({ ok: true, output: { counted: 5 } });
    const record = ['execution.refused', 'execution.started', 'execution.finished'];
    expect(await executions(helve, before)).toEqual(record);
  });

  test('R-schema: real schemas and an awkward one, byte for byte, over both APIs', async () => {
    const schemas = corpus();
    for (const responses of [false, true]) {
      const { fetch, body } = catching();
      const bound = chat({ url: 'http://127.0.0.1:1', fetch }, responses).bindTools(
        await toolsFor(listing(schemas), {}),
      );
      await bound.invoke('x').catch(() => undefined);
      const sent = body().tools.map((tool: any) => (tool.function ?? tool).parameters);
      expect(differing(sent, schemas)).toBe(0);
    }
  });

  test('R-schema: a pattern that would block LangChain’s own validator forever never reaches it', async () => {
    const strange = { type: 'object', properties: { at: { type: 'string', pattern: '^(a+)+$' } } };
    const own = await openGround({ tools: [], granted: [] });
    const source = {
      tools: async () => (await listing([strange]).tools({ principal: undefined })) as never,
      execute: own.execute,
    };
    const [tool] = await toolsFor(source, { principal: own.principal });
    const answer = await tool?.invoke(call('tool_0', { at: `${'a'.repeat(40)}!` }));
    expect(answer.content).toMatch(/^tool_not_found: /);
  });

  test('R-sdk: a failure is a result; without a call’s id it is text; the signal reaches the tool', async () => {
    const [failing, slow, long] = await toolsFor(helve, {
      principal: helve.principal,
      tools: ['failing', 'slow', 'long'],
      maxChars: 300,
    });
    const failed = await failing?.invoke(call('failing', {}));
    expect(failed).toMatchObject({ status: 'error', content: 'tool_failed: the tool broke', name: 'failing' });
    expect(await failing?.invoke({})).toBe('tool_failed: the tool broke');
    const stop = new AbortController();
    const answer = slow?.invoke(call('slow', {}), { signal: stop.signal });
    await helve.slowRuns();
    stop.abort();
    expect((await answer).content).toMatch(/^outcome_unknown: /);
    const cut = await long?.invoke({});
    expect(cut).toContain('result_read');
    expect(cut.length).toBeLessThanOrEqual(300);
  });
});
