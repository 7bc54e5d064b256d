/** Language models as the AI SDK defines them, and how an agent's questions are put to them. */
import type { AgentModel, ModelAnswer, ModelMessage, ModelPrice, ModelQuestion } from '../../domain/agent-model.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import { defined } from '../../util/defined.js';
import { costInCents } from '../../util/money.js';

/** A part of a message, with the fields of its type. */
export interface GivenPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value?: unknown };
}

export type GivenPrompt =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly GivenPart[] };

export interface GivenTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** The part of the AI SDK's `LanguageModelV2` and later that is used here. */
export interface GivenLanguageModel {
  readonly modelId: string;
  doGenerate(options: GivenQuestion): PromiseLike<GivenAnswer>;
}

/** What is asked of it. */
export interface GivenQuestion {
  readonly prompt: readonly GivenPrompt[];
  readonly tools?: readonly GivenTool[];
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}

type Tokens = number | { readonly total?: number | undefined; readonly cacheRead?: number | undefined } | undefined;

interface GivenAnswer {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly input?: unknown;
  }[];
  readonly finishReason?: string | { readonly unified: string };
  readonly usage?: GivenUsage;
}

/** `cachedInputTokens`: those of the input that came from the provider's cache, as models of version 2 say it. */
interface GivenUsage {
  readonly inputTokens?: Tokens;
  readonly outputTokens?: Tokens;
  readonly cachedInputTokens?: number | undefined;
}

/** Any model of the AI SDK. Without a price, its answers do not say what they cost. */
export function toAgentModel(model: GivenLanguageModel, price?: ModelPrice): AgentModel {
  return {
    id: model.modelId,
    ...defined({ price }),
    async answer({ system, messages, tools, maxTokens }: ModelQuestion, abortSignal) {
      const answer = await model.doGenerate({
        prompt: [{ role: 'system', content: system }, ...messages.map(toPrompt)],
        tools: tools.map(({ name, description, inputSchema }): GivenTool => {
          return { type: 'function', name, description, inputSchema };
        }),
        maxOutputTokens: maxTokens,
        abortSignal,
      });
      const { content, finishReason, usage } = answer;
      const calls = content.filter((part) => part.type === 'tool-call');
      return {
        text: content.map(({ type, text = '' }) => (type === 'text' ? text : '')).join(''),
        calls: calls.map(({ toolCallId = '', toolName = '', input = '{}' }, at) => {
          return { id: toolCallId || `call-${at + 1}`, name: toolName, input: readInput(input) };
        }),
        inputTokens: countTokens(usage?.inputTokens) ?? 0,
        outputTokens: countTokens(usage?.outputTokens) ?? 0,
        ...defined({ cents: price && findCost(price, usage) }),
        finish: readFinish(finishReason),
      };
    },
  };
}

/** What is not JSON is passed on as it is: the tool's own check then tells the model. */
function readInput(input: unknown): JsonValue {
  if (typeof input !== 'string') return (input ?? {}) as JsonValue;
  try {
    return JSON.parse(input === '' ? '{}' : input) as JsonValue;
  } catch {
    return input;
  }
}

/** The AI SDK's models of version 2 say a number, those of version 3 an object. */
function countTokens(tokens: Tokens): number | undefined {
  return typeof tokens === 'object' ? tokens.total : tokens;
}

/** In cents; undefined if the model did not say how many tokens it used. */
function findCost(price: ModelPrice, { inputTokens, outputTokens, cachedInputTokens }: GivenUsage = {}) {
  const input = countTokens(inputTokens);
  const output = countTokens(outputTokens);
  if (input === undefined || output === undefined) return undefined;
  const cachedTokens = (typeof inputTokens === 'object' ? inputTokens.cacheRead : undefined) ?? cachedInputTokens;
  return costInCents(price, { inputTokens: input, outputTokens: output, cachedTokens });
}

function readFinish(reason: string | { readonly unified: string } | undefined): ModelAnswer['finish'] {
  const said = typeof reason === 'object' ? reason.unified : reason;
  if (said === 'stop' || said === 'length') return said;
  return said === 'tool-calls' ? 'tools' : 'other';
}

function toPrompt(message: ModelMessage): GivenPrompt {
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] };
  if (message.role === 'tool')
    return {
      role: 'tool',
      content: message.results.map(({ id, name, text, isError }): GivenPart => {
        const output = { type: isError ? ('error-text' as const) : ('text' as const), value: text };
        return { type: 'tool-result', toolCallId: id, toolName: name, output };
      }),
    };
  // Services refuse a text of blanks, which some models write before a call.
  const text: GivenPart[] = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
  const calls = message.calls.map(({ id, name, input }): GivenPart => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input };
  });
  return { role: 'assistant', content: [...text, ...calls] };
}

/** Messages as Chat Completions takes them. */
export function toChatMessages(prompt: readonly GivenPrompt[]): readonly JsonObject[] {
  return prompt.flatMap((message): JsonObject[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }];
    if (message.role === 'tool')
      return message.content.map(({ toolCallId = '', output }) => {
        return { role: 'tool', tool_call_id: toolCallId, content: String(output?.value ?? '') };
      });
    const content = message.content.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
    const calls = message.content
      .filter(({ type }) => type === 'tool-call')
      .map(({ toolCallId = '', toolName = '', input = {} }) => {
        return { id: toolCallId, type: 'function', function: { name: toolName, arguments: JSON.stringify(input) } };
      });
    return [{ role: message.role, content, ...defined({ tool_calls: calls.length === 0 ? undefined : calls }) }];
  });
}
