/**
 * Questions that a tool asks its client during a call: each as a request of the protocol, and the check of its
 * answer. A client can send anything back, so an answer that does not fit its question does not count.
 */
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import type { ClientRoot, ElicitAnswer } from '../../domain/context.js';
import type { JsonSchema, JsonValue } from '../../domain/json.js';
import { satisfies } from '../../schema/index.js';
import { isPlainObject } from '../../util/canonical.js';

export interface Question<Answer> {
  /** The tool's own name for the question. A request can answer a named question before it is asked. */
  readonly key: string | undefined;
  readonly request: { readonly method: InputMethod; readonly params: Readonly<Record<string, unknown>> };
  /** Whether a client with these capabilities can be asked. */
  isPossible(capabilities: ClientCapabilities | undefined): boolean;
  /** Undefined if the client's reply is not an answer to this question. */
  readAnswer(response: unknown): Answer | undefined;
}

export type InputMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** `{}` is how clients wrote it before there were modes, and means forms. */
export function canElicit(capabilities: { elicitation?: { form?: unknown; url?: unknown } } | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export function canSample(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.sampling !== undefined;
}

export function canListRoots(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.roots !== undefined;
}

export function elicitQuestion(message: string, schema: JsonSchema, key?: string): Question<ElicitAnswer> {
  return {
    key,
    request: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: schema } },
    isPossible: canElicit,
    readAnswer(response) {
      const action = ownValue(response, 'action');
      if (action === 'decline' || action === 'cancel') return { action };
      if (action !== 'accept') return undefined;
      const content = ownValue(response, 'content') ?? {};
      return isPlainObject(content) && satisfies(schema, content)
        ? { action, content: content as JsonValue }
        : undefined;
    },
  };
}

export function sampleQuestion(prompt: string, maxTokens: number, key?: string): Question<string> {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
  return {
    key,
    request: { method: 'sampling/createMessage', params: { messages, maxTokens } },
    isPossible: canSample,
    readAnswer(response) {
      const content = ownValue(response, 'content');
      const blocks = Array.isArray(content) ? content : [content];
      if (!blocks.every(isPlainObject)) return undefined;
      return blocks.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('');
    },
  };
}

export function rootsQuestion(key?: string): Question<readonly ClientRoot[]> {
  return {
    key,
    request: { method: 'roots/list', params: {} },
    isPossible: canListRoots,
    readAnswer(response) {
      const roots = ownValue(response, 'roots');
      if (!Array.isArray(roots)) return undefined;
      return roots.flatMap((root) => {
        const [uri, name] = [ownValue(root, 'uri'), ownValue(root, 'name')];
        if (typeof uri !== 'string') return [];
        return [{ uri, ...(typeof name === 'string' ? { name } : {}) }];
      });
    },
  };
}

/** Reads only own properties: a client's `__proto__` is not an answer. */
export function ownValue(object: unknown, key: string): unknown {
  return isPlainObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}
