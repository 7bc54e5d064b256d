/**
 * Models for the tools that need one: those of the embedding program (any AI SDK model), else the endpoint in
 * `helve.yaml`, with OpenAI's protocol and through the egress wall.
 */
import type { ConfigFile, ModelSettings } from '../../config/index.js';
import { HelveError } from '../../domain/errors.js';
import type { EmbeddingModel, LanguageModel, Models } from '../../domain/reach.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import type { EgressPolicy } from '../../walls/egress/index.js';

/** The part of the AI SDK's `LanguageModelV2` and later that is used here. */
export interface GivenLanguageModel {
  readonly modelId: string;
  doGenerate(options: {
    prompt: readonly (
      | { role: 'system'; content: string }
      | { role: 'user'; content: readonly { type: 'text'; text: string }[] }
    )[];
    maxOutputTokens: number;
    abortSignal: AbortSignal;
  }): PromiseLike<{ content: readonly { type: string; text?: string }[] }>;
}

/** The part of the AI SDK's `EmbeddingModelV2` and later that is used here. */
export interface GivenEmbeddingModel {
  readonly modelId: string;
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
  doEmbed(options: { values: string[]; abortSignal: AbortSignal }): PromiseLike<{ embeddings: number[][] }>;
}

export interface GivenModels {
  readonly language?: GivenLanguageModel;
  readonly embedding?: GivenEmbeddingModel;
}

const embeddingsPerCall = 96;

export function createModels(
  settings: ConfigFile['models'],
  given: GivenModels = {},
  egress: EgressPolicy = {},
): (signal: AbortSignal) => Models {
  const { language = settings.language && remoteLanguage(settings.language, egress) } = given;
  const { embedding = settings.embedding && remoteEmbedding(settings.embedding, egress) } = given;
  return (signal) => ({
    language: language && boundLanguage(language, signal),
    embedding: embedding && boundEmbedding(embedding, signal),
  });
}

function boundLanguage(model: GivenLanguageModel, abortSignal: AbortSignal): LanguageModel {
  return {
    id: model.modelId,
    async generate({ system, prompt, maxTokens }) {
      const { content } = await model.doGenerate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: prompt }] },
        ],
        maxOutputTokens: maxTokens,
        abortSignal,
      });
      return content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('');
    },
  };
}

function boundEmbedding(model: GivenEmbeddingModel, abortSignal: AbortSignal): EmbeddingModel {
  return {
    id: model.modelId,
    async embed(texts) {
      const most = Math.max(1, Math.min((await model.maxEmbeddingsPerCall) ?? embeddingsPerCall, embeddingsPerCall));
      const vectors: number[][] = [];
      for (let start = 0; start < texts.length; start += most) {
        const values = texts.slice(start, start + most);
        const { embeddings } = await model.doEmbed({ values, abortSignal });
        if (embeddings.length !== values.length)
          throw new HelveError(
            'upstream_failed',
            `${model.modelId} answered ${embeddings.length} vectors for ${values.length} texts`,
          );
        vectors.push(...embeddings);
      }
      return vectors;
    },
  };
}

function remoteLanguage(settings: ModelSettings, egress: EgressPolicy): GivenLanguageModel {
  return {
    modelId: settings.model,
    async doGenerate({ prompt, maxOutputTokens, abortSignal }) {
      const messages = prompt.map(({ role, content }) => ({
        role,
        content: typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
      }));
      const body = { model: settings.model, messages, max_completion_tokens: maxOutputTokens };
      const answer = await post(settings, egress, 'chat/completions', body, abortSignal);
      const { choices } = answer as { choices?: { message?: { content?: unknown } }[] };
      const text = choices?.[0]?.message?.content;
      if (typeof text !== 'string') throw unusable(settings);
      return { content: [{ type: 'text', text }] };
    },
  };
}

function remoteEmbedding(settings: ModelSettings, egress: EgressPolicy): GivenEmbeddingModel {
  return {
    modelId: settings.model,
    async doEmbed({ values, abortSignal }) {
      const body = { model: settings.model, input: values, encoding_format: 'float' };
      const answer = await post(settings, egress, 'embeddings', body, abortSignal);
      const { data } = answer as { data?: { index: number; embedding: number[] }[] };
      if (!Array.isArray(data)) throw unusable(settings);
      return { embeddings: [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding) };
    },
  };
}

async function post(
  { base_url, api_key }: ModelSettings,
  operator: EgressPolicy,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const url = new URL(path, base_url.endsWith('/') ? base_url : `${base_url}/`);
  const { createEgress } = await import('../../walls/egress/index.js');
  const egress = createEgress({ ...operator, openHosts: [httpEndpoint(url)], timeoutMs: 120_000 });
  try {
    const response = await egress.fetch({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(api_key === undefined ? {} : { authorization: `Bearer ${api_key}` }),
      },
      body: JSON.stringify(body),
      signal,
      maxBytes: 32 * 1024 * 1024,
    });
    if (response.status === 200) return JSON.parse(response.text());
    throw new HelveError('upstream_failed', `The model at ${url.host} answered ${response.status}`);
  } finally {
    await egress.close();
  }
}

function unusable({ model }: ModelSettings): HelveError {
  return new HelveError('upstream_failed', `${model} answered in a form that is not OpenAI's`);
}
