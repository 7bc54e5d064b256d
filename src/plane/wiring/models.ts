/**
 * Models for the tools that need one: those of the embedding program (any AI SDK model), else the endpoint in
 * `helve.yaml`, with OpenAI's protocol and through the egress wall.
 */
import type { ConfigFile, ModelSettings, ToolEmbeddingSettings } from '../../config/index.js';
import type { AgentModel, ModelPrice } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { EmbeddingModel, LanguageModel, Models } from '../../domain/reach.js';
import type { EmbeddingSettings } from '../../flows/finding/index.js';
import { defined } from '../../util/defined.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import type { Egress, EgressPolicy } from '../../walls/egress/index.js';
import { type GivenLanguageModel, type GivenQuestion, toAgentModel, toChatMessages } from './given-model.js';

/** The part of the AI SDK's `EmbeddingModelV2` and later that is used here. */
export interface GivenEmbeddingModel {
  readonly modelId: string;
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
  doEmbed(options: { values: string[]; abortSignal: AbortSignal }): PromiseLike<{ embeddings: number[][] }>;
}

export interface GivenModels {
  readonly language?: GivenLanguageModel;
  /** What `language` costs. */
  readonly price?: ModelPrice;
  readonly embedding?: GivenEmbeddingModel;
}

const embeddingsPerCall = 96;
const mostBytes = 32 * 1_024 * 1_024;
/** A vector has at most 4,096 numbers of about twenty characters each. */
const bytesPerVector = 96 * 1_024;
const bytesPerAnswer = 64 * 1_024;

export function createModels(
  settings: ConfigFile['models'],
  given: GivenModels = {},
  egress: EgressPolicy = {},
): (signal: AbortSignal) => Models {
  const language = findLanguage(settings, given, egress);
  const { embedding = settings.embedding && remoteEmbedding(settings.embedding, egress) } = given;
  return (signal) => ({
    language: language && boundLanguage(language, signal),
    embedding: embedding && boundEmbedding(embedding, signal),
  });
}

/** The model that finding tools may ask. Undefined if the operator named none. */
export function createToolEmbeddings(
  settings: ToolEmbeddingSettings | undefined,
  egress: EgressPolicy = {},
): EmbeddingSettings | undefined {
  if (settings === undefined) return undefined;
  let kept: Promise<Egress> | undefined;
  const model = remoteEmbedding(settings, egress, () => {
    kept ??= openEgress(settings, egress);
    return kept;
  });
  return {
    model: (signal) => boundEmbedding(model, signal),
    close: async () => (await kept)?.close(),
    timeoutMs: settings.timeout_ms,
    weight: settings.weight,
    queryPrefix: settings.query_prefix,
    toolPrefix: settings.tool_prefix,
  };
}

/** The language model of the installation, as a model that works with tools. Undefined if there is none. */
export function createAgentModel(
  settings: ConfigFile['models'],
  given: GivenModels = {},
  egress: EgressPolicy = {},
): AgentModel | undefined {
  const language = findLanguage(settings, given, egress);
  const price = given.language ? given.price : settings.language?.price;
  return language && toAgentModel(language, price);
}

function findLanguage(
  settings: ConfigFile['models'],
  given: GivenModels,
  egress: EgressPolicy,
): GivenLanguageModel | undefined {
  return given.language ?? (settings.language && remoteLanguage(settings.language, egress));
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
            `${model.modelId} answered with ${embeddings.length} vectors for ${values.length} texts`,
          );
        vectors.push(...embeddings);
      }
      return vectors;
    },
  };
}

const finishReasons: Readonly<Record<string, string>> = { stop: 'stop', length: 'length', tool_calls: 'tool-calls' };

interface ChatAnswer {
  readonly choices?: readonly {
    readonly message?: {
      readonly content?: string | null;
      readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
    };
    readonly finish_reason?: string;
  }[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  };
}

function remoteLanguage(settings: ModelSettings, egress: EgressPolicy): GivenLanguageModel {
  return {
    modelId: settings.model,
    async doGenerate({ prompt, tools, maxOutputTokens, abortSignal }: GivenQuestion) {
      const functions = tools?.map(({ name, description, inputSchema: parameters }) => {
        return { type: 'function', function: { name, description, parameters } };
      });
      const body = {
        model: settings.model,
        messages: toChatMessages(prompt),
        max_completion_tokens: maxOutputTokens,
        ...defined({ tools: functions?.length ? functions : undefined }),
      };
      const signal = abortSignal ?? new AbortController().signal;
      const answer = (await post(settings, egress, { path: 'chat/completions', body, signal })) as ChatAnswer;
      const [choice] = answer.choices ?? [];
      const { content: text, tool_calls: calls = [] } = choice?.message ?? {};
      if (typeof text !== 'string' && calls.length === 0) throw unusable(settings);
      return {
        content: [
          { type: 'text', text: text ?? '' },
          ...calls.map(({ id, function: { name, arguments: input } }) => {
            return { type: 'tool-call', toolCallId: id, toolName: name, input };
          }),
        ],
        finishReason: finishReasons[choice?.finish_reason ?? ''] ?? 'other',
        usage: {
          inputTokens: answer.usage?.prompt_tokens,
          outputTokens: answer.usage?.completion_tokens,
          cachedInputTokens: answer.usage?.prompt_tokens_details?.cached_tokens,
        },
      };
    },
  };
}

function remoteEmbedding(
  settings: ModelSettings,
  egress: EgressPolicy,
  kept?: () => Promise<Egress>,
): GivenEmbeddingModel {
  return {
    modelId: settings.model,
    async doEmbed({ values, abortSignal }) {
      const body = { model: settings.model, input: values, encoding_format: 'float' };
      const maxBytes = bytesPerAnswer + values.length * bytesPerVector;
      const answer = await post(settings, egress, { path: 'embeddings', body, signal: abortSignal, maxBytes, kept });
      const { data } = answer as { data?: { index: number; embedding: number[] }[] };
      if (!Array.isArray(data)) throw unusable(settings);
      return { embeddings: [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding) };
    },
  };
}

interface Posted {
  readonly path: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly maxBytes?: number | undefined;
  /** Connections that stay open for the next question; the default are those of this question alone. */
  readonly kept?: (() => Promise<Egress>) | undefined;
}

/** A redirect would take the text to a host that the operator did not name. */
async function post(
  { base_url, api_key }: ModelSettings,
  operator: EgressPolicy,
  { path, body, signal, maxBytes = mostBytes, kept }: Posted,
): Promise<unknown> {
  const url = new URL(path, base_url.endsWith('/') ? base_url : `${base_url}/`);
  const egress = await (kept?.() ?? openEgress({ base_url }, operator));
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
      maxBytes,
      redirect: 'error',
    });
    if (response.status === 200) return JSON.parse(response.text());
    const doubt = [401, 403].includes(response.status) ? ': is its api_key in helve.yaml right?' : '';
    throw new HelveError('upstream_failed', `The model at ${url.host} answered ${response.status}${doubt}`, {
      details: { status: response.status },
    });
  } finally {
    if (kept === undefined) await egress.close();
  }
}

async function openEgress({ base_url }: Pick<ModelSettings, 'base_url'>, operator: EgressPolicy): Promise<Egress> {
  const { createEgress } = await import('../../walls/egress/index.js');
  return createEgress({ ...operator, openHosts: [httpEndpoint(base_url)], timeoutMs: 120_000 });
}

function unusable({ model }: ModelSettings): HelveError {
  return new HelveError('upstream_failed', `${model} did not answer in the format of OpenAI`);
}
