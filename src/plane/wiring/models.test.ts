/** Models behind an endpoint with OpenAI's protocol, tested with aimock, and models that a program provides. */
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costInCents } from '../../util/money.js';
import { createAgentModel, createModels } from './models.js';

const { signal } = new AbortController();
const mock = new LLMock({ port: 0, host: '127.0.0.1' });
const ask = { system: 'Answer with SQL.', prompt: 'How many orders?', maxTokens: 50 };

beforeAll(async () => {
  mock.onMessage('How many orders?', { content: 'select count(*) from orders' });
  await mock.start();
});
afterAll(() => mock.stop());

const remote = (model: string, more: object = {}) => ({ base_url: `${mock.url}/v1`, model, api_key: 'k', ...more });

describe('models of helve.yaml', () => {
  test('R-database: a language model is asked in the protocol of OpenAI, in a private network if the operator says so', async () => {
    const { language } = createModels({ language: remote('gpt-x') })(signal);
    expect(language?.id).toBe('gpt-x');
    expect(await language?.generate(ask)).toBe('select count(*) from orders');
    const { body, headers } = mock.getLastRequest() ?? {};
    expect(body).toMatchObject({ model: 'gpt-x', max_completion_tokens: 50 });
    expect(body?.messages).toMatchObject([{ role: 'system', content: ask.system }, { role: 'user' }]);
    expect(headers?.authorization).toBeDefined();
  });

  test('R-agent-worker: an answer says what it cost if the file says the price, and else nothing', async () => {
    const price = { input: 300, output: 1_500, cached: 30 };
    const question = { system: '', messages: [{ role: 'user', text: ask.prompt }], tools: [], maxTokens: 50 } as const;
    const priced = await createAgentModel({ language: { ...remote('gpt-x'), price } })?.answer(question, signal);
    const { inputTokens = 0, outputTokens = 0, cents } = priced ?? {};
    expect([inputTokens > 0, outputTokens > 0]).toEqual([true, true]);
    expect(cents).toBe(costInCents(price, { inputTokens, outputTokens }));
    const free = await createAgentModel({ language: remote('gpt-x') })?.answer(question, signal);
    expect(free).not.toHaveProperty('cents');
    // The price of the file is not that of another model.
    const given = {
      modelId: 'mine',
      doGenerate: async () => ({ content: [], usage: { inputTokens: 1, outputTokens: 1 } }),
    };
    const other = createAgentModel({ language: { ...remote('gpt-x'), price } }, { language: given });
    expect([other?.price, (await other?.answer(question, signal))?.cents]).toEqual([undefined, undefined]);
  });

  test('R-agent-worker: tokens of the cache are counted as both versions of the AI SDK say them', async () => {
    const price = { input: 300, output: 1_500, cached: 30 };
    const question = { system: '', messages: [], tools: [], maxTokens: 50 };
    const answerWith = async (usage: object) => {
      const language = { modelId: 'mine', doGenerate: async () => ({ content: [], usage }) };
      return (await createAgentModel({}, { language, price })?.answer(question, signal))?.cents;
    };
    expect(await answerWith({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 })).toBe(0.942);
    expect(await answerWith({ inputTokens: { total: 10, cacheRead: 4 }, outputTokens: { total: 5 } })).toBe(0.942);
    expect(await answerWith({ inputTokens: 10, outputTokens: 5 })).toBe(1.05);
    expect(await answerWith({})).toBeUndefined();
  });

  test('R-agent-worker: blanks that a model wrote before a call are not sent back, since services refuse such a text', async () => {
    const call = { id: 'c1', name: 'look', input: {} };
    const messages = [{ role: 'assistant', text: '\n\n', calls: [call] }] as const;
    const prompts: unknown[] = [];
    const doGenerate = async ({ prompt }: { prompt: readonly unknown[] }) => {
      prompts.push(prompt.at(-1));
      return { content: [] };
    };
    const model = createAgentModel({}, { language: { modelId: 'mine', doGenerate } });
    await model?.answer({ system: '', messages, tools: [], maxTokens: 50 }, signal);
    const content = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} }];
    expect(prompts).toEqual([{ role: 'assistant', content }]);
  });

  test('R-knowledge: an embedding model returns one vector per text, in order', async () => {
    const { embedding } = createModels({ embedding: remote('embed-x') })(signal);
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    const vectors = await embedding?.embed(texts);
    expect(vectors).toHaveLength(200);
    expect(vectors?.[150]).toEqual((await embedding?.embed(['text 150']))?.[0]);
    expect(vectors?.[150]).not.toEqual(vectors?.[151]);
  });

  test('R-database: an endpoint that refuses or does not exist fails with a clear message', async () => {
    const { language } = createModels({ language: remote('gpt-x') })(signal);
    await expect(language?.generate({ ...ask, prompt: 'nobody knows' })).rejects.toMatchObject({
      code: 'upstream_failed',
    });
    const nowhere = createModels({ language: remote('x', { base_url: 'http://127.0.0.1:1/v1' }) })(signal);
    await expect(nowhere.language?.generate(ask)).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  test('R-database: without settings there is none', () => {
    expect(createModels({})(signal)).toEqual({ language: undefined, embedding: undefined });
  });
});

describe('models that a program provides', () => {
  test('R-database: takes precedence over the file, and is called as the AI SDK calls it', async () => {
    const seen: unknown[] = [];
    const given = {
      modelId: 'mine',
      doGenerate: async (options: unknown) => {
        seen.push(options);
        return { content: [{ type: 'reasoning' }, { type: 'text', text: 'a' }, { type: 'text', text: 'b' }] };
      },
    };
    const { language } = createModels({ language: remote('file') }, { language: given })(signal);
    expect(await language?.generate(ask)).toBe('ab');
    expect(seen).toMatchObject([{ maxOutputTokens: 50, abortSignal: signal }]);
  });

  test('R-knowledge: no more texts per call than the model accepts; a wrong number of vectors is refused', async () => {
    const sizes: number[] = [];
    const doEmbed = async ({ values }: { values: string[] }) => {
      sizes.push(values.length);
      return { embeddings: values.map((value) => [value.length]) };
    };
    const given = { modelId: 'mine', maxEmbeddingsPerCall: 2, doEmbed };
    const { embedding } = createModels({}, { embedding: given })(signal);
    expect(await embedding?.embed(['a', 'bb', 'ccc'])).toEqual([[1], [2], [3]]);
    expect(sizes).toEqual([2, 1]);
    const short = createModels({}, { embedding: { modelId: 'm', doEmbed: async () => ({ embeddings: [] }) } })(signal);
    await expect(short.embedding?.embed(['a'])).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});
