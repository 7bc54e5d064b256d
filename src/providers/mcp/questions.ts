/**
 * Questions of a server during a call: to a person (elicitation), to a model (sampling), or for the roots. They go to the
 * client of the call they belong to, marked as the server's words, or are refused; no other client is ever asked.
 *
 * Up to 2025-11-25 such a request does not say which call it belongs to. Over HTTP it comes on that call's own stream,
 * which is read in the call's asynchronous context. Over stdio the call is known only while a single one is running, and
 * with several running the question is declined.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { ClientRoot } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { ProviderCall } from '../../domain/provider.js';
import { createAsyncContext } from '../../util/async-context.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { visibleStart } from '../../util/visible-text.js';
import { admitSchema } from './admit-schema.js';
import { limits } from './limits.js';

type FormValue = string | number | boolean | string[];

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, FormValue>;
}

export interface SampleAnswer {
  readonly model: string;
  readonly role: 'assistant';
  readonly content: { readonly type: 'text'; readonly text: string };
}

export interface Questions {
  /** Runs `work` as this call: questions meanwhile go to its client. */
  during<T>(call: ProviderCall, work: () => Promise<T>): Promise<T>;
  /** The call that a request on the connection belongs to. */
  elicit(params: unknown): Promise<ElicitAnswer>;
  sample(params: unknown): Promise<SampleAnswer>;
  /** The folders that the client of that call works in. */
  roots(): Promise<readonly ClientRoot[]>;
  /** 2026-07-28: answers the questions of an interim result under the same keys. Throws `tool_failed` if they cannot be answered. */
  answer(requests: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

interface OpenCall {
  readonly call: ProviderCall;
  asked: number;
  open: boolean;
}

const maxMessageLength = 2_000;
const maxPromptLength = 20_000;
const maxSampleTokens = 4_096;

/** Returns the handler of questions. `server` names the server in the text that the client sees. */
export function createQuestions(server: string): Questions {
  const running = new Set<OpenCall>();
  const context = createAsyncContext<OpenCall>();

  /** Returns the call to ask, and counts one question against its limit. */
  function asker(): OpenCall | undefined {
    const found = context.find() ?? (running.size === 1 ? [...running][0] : undefined);
    if (!found?.open || found.call.signal.aborted) return undefined;
    found.asked += 1;
    return found.asked > limits.questions ? undefined : found;
  }

  const questions: Questions = {
    async during(call, work) {
      const open: OpenCall = { call, asked: 0, open: true };
      running.add(open);
      try {
        return await context.run(open, work);
      } finally {
        open.open = false;
        running.delete(open);
      }
    },
    async elicit(params) {
      return elicit(server, params, asker());
    },
    async sample(params) {
      return sample(server, params, asker());
    },
    async roots() {
      const ask = asker()?.call.client?.roots;
      // A client that does not declare its roots has none.
      return (await ask?.().catch(() => undefined)) ?? [];
    },
    async answer(requests) {
      const entries = Object.entries(requests);
      if (entries.length > limits.questions) throw refusal(server, 'asks too many questions at the same time');
      // In parallel, so that a client of 2026-07-28 is asked once. The door asks older clients one question after the other.
      return Object.fromEntries(
        await Promise.all(
          entries.map(async ([key, request]) => [key, await answerOne(server, request, questions)] as const),
        ),
      );
    },
  };
  return questions;
}

async function answerOne(server: string, request: unknown, questions: Questions): Promise<unknown> {
  const { method, params } = objectOrEmpty(request);
  if (method === 'elicitation/create') return questions.elicit(params);
  if (method === 'roots/list') return { roots: await questions.roots() };
  if (method !== 'sampling/createMessage') throw refusal(server, 'asks for something that is not known here');
  return questions.sample(params).catch((error: unknown) => {
    throw error instanceof HelveError ? error : refusal(server, 'asks for a model, which it does not get');
  });
}

async function elicit(server: string, params: unknown, asker: OpenCall | undefined): Promise<ElicitAnswer> {
  const ask = asker?.call.client?.elicit;
  // Forms only: Helve opens no page that an untrusted server chose.
  if (!asker || !ask || !isPlainObject(params) || (params.mode ?? 'form') !== 'form') return { action: 'decline' };
  const form = admitSchema(params.requestedSchema);
  if ('refused' in form || typeof params.message !== 'string') return { action: 'decline' };
  try {
    const { action, content } = await ask(quoted(server, params.message), form.schema);
    if (action !== 'accept') return { action };
    return { action, ...defined({ content: isPlainObject(content) ? formValues(content) : undefined }) };
  } catch {
    return { action: 'cancel' };
  }
}

/** A form has no other fields. */
function formValues(content: Readonly<Record<string, unknown>>): Record<string, FormValue> {
  const isValue = (value: unknown): value is FormValue =>
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string'));
  return Object.fromEntries(Object.entries(content).filter((entry): entry is [string, FormValue] => isValue(entry[1])));
}

async function sample(server: string, params: unknown, asker: OpenCall | undefined): Promise<SampleAnswer> {
  const ask = asker?.call.client?.sample;
  const prompt = isPlainObject(params) ? getPrompt(params) : undefined;
  if (!asker || !ask || prompt === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'Sampling is not available for this call');
  }
  const { maxTokens } = params as { maxTokens?: unknown };
  const max =
    typeof maxTokens === 'number' && maxTokens > 0 ? Math.min(Math.ceil(maxTokens), maxSampleTokens) : maxSampleTokens;
  const text = await ask(quoted(server, prompt, maxPromptLength), max);
  return { model: 'unknown', role: 'assistant', content: { type: 'text', text } };
}

/** The server's text, after a line that names the server. */
function quoted(server: string, words: string, max = maxMessageLength): string {
  return `The MCP server “${server}” asks (its own words, not checked):\n\n${visibleStart(words, max)}`;
}

/** Only text; undefined for anything else. */
function getPrompt({ messages, systemPrompt }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  const parts = typeof systemPrompt === 'string' ? [systemPrompt] : [];
  for (const message of messages) {
    const { content } = objectOrEmpty(message);
    for (const block of Array.isArray(content) ? content : [content]) {
      if (!isPlainObject(block) || block.type !== 'text' || typeof block.text !== 'string') return undefined;
      parts.push(block.text);
    }
  }
  return parts.join('\n\n');
}

function refusal(server: string, what: string): HelveError {
  return new HelveError('tool_failed', `The MCP server ${server} ${what}`);
}
