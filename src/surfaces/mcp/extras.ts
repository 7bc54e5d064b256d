/**
 * What else an MCP server can offer besides tools, as plain ports. Helve's own door offers none of it;
 * providers that bring resources or prompts along plug in here.
 */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Principal } from '../../spec/principal.js';
import type { ContentBlock, ResourceContents } from '../../spec/tool.js';
import { principalOf } from './principal.js';
import { guarded } from './protocol-errors.js';

export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

export interface McpPromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface McpExtras {
  readonly resources?: {
    list(principal: Principal): Promise<readonly McpResource[]>;
    templates(principal: Principal): Promise<readonly McpResourceTemplate[]>;
    /** Undefined: there is no such resource. */
    read(principal: Principal, uri: string): Promise<readonly ResourceContents[] | undefined>;
    /** Calls `changed` when the resource does. Returns the way to stop. */
    subscribe?(principal: Principal, uri: string, changed: () => void): () => void;
  };
  readonly prompts?: {
    list(principal: Principal): Promise<readonly McpPrompt[]>;
    /** Undefined: there is no such prompt. */
    get(
      principal: Principal,
      name: string,
      values: Readonly<Record<string, string>>,
    ): Promise<{ readonly description?: string; readonly messages: readonly McpPromptMessage[] } | undefined>;
  };
  complete?(
    principal: Principal,
    asked: { readonly of: string; readonly argument: string; readonly value: string },
  ): Promise<readonly string[]>;
}

type Subscribe = NonNullable<NonNullable<McpExtras['resources']>['subscribe']>;

/** One connection may watch so many resources. */
export const mostSubscriptions = 100;

export function extraCapabilities({ resources, prompts, complete }: McpExtras) {
  return {
    ...(resources === undefined ? {} : { resources: { subscribe: resources.subscribe !== undefined } }),
    ...(prompts === undefined ? {} : { prompts: {} }),
    ...(complete === undefined ? {} : { completions: {} }),
  };
}

export function handleExtras(server: Server, extras: McpExtras, fixed: Principal | undefined): void {
  if (extras.resources !== undefined) handleResources(server, extras.resources, fixed);
  if (extras.prompts !== undefined) handlePrompts(server, extras.prompts, fixed);
  const { complete } = extras;
  if (complete === undefined) return;
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    guarded(async () => {
      const { ref, argument } = params;
      const of = ref.type === 'ref/prompt' ? ref.name : ref.uri;
      const asked = { of, argument: argument.name, value: argument.value };
      const values = await complete(principalOf(context, fixed), asked);
      return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
    }),
  );
}

function handleResources(
  server: Server,
  resources: NonNullable<McpExtras['resources']>,
  fixed: Principal | undefined,
): void {
  server.setRequestHandler('resources/list', (_request, context) =>
    guarded(async () => ({ resources: [...(await resources.list(principalOf(context, fixed)))] })),
  );
  server.setRequestHandler('resources/templates/list', (_request, context) =>
    guarded(async () => ({ resourceTemplates: [...(await resources.templates(principalOf(context, fixed)))] })),
  );
  server.setRequestHandler('resources/read', ({ params }, context) =>
    guarded(async () => {
      const contents = await resources.read(principalOf(context, fixed), params.uri);
      if (contents === undefined) throw new ResourceNotFoundError(params.uri);
      return { contents: [...contents] };
    }),
  );
  const { subscribe } = resources;
  if (subscribe === undefined) return;
  handleSubscriptions(server, subscribe, fixed);
}

function handleSubscriptions(server: Server, subscribe: Subscribe, fixed: Principal | undefined): void {
  const watched = new Map<string, () => void>();
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) =>
    guarded(async () => {
      if (watched.size >= mostSubscriptions && !watched.has(uri)) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `At most ${mostSubscriptions} subscriptions`);
      }
      watched.get(uri)?.();
      const changed = () => void server.sendResourceUpdated({ uri }).catch(() => undefined);
      watched.set(uri, subscribe(principalOf(context, fixed), uri, changed));
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watched.get(uri)?.();
    watched.delete(uri);
    return {};
  });
  const before = server.onclose;
  server.onclose = () => {
    before?.();
    for (const stop of watched.values()) stop();
    watched.clear();
  };
}

function handlePrompts(server: Server, prompts: NonNullable<McpExtras['prompts']>, fixed: Principal | undefined): void {
  server.setRequestHandler('prompts/list', (_request, context) =>
    guarded(async () => ({
      prompts: (await prompts.list(principalOf(context, fixed))).map((prompt) => ({
        ...prompt,
        arguments: prompt.arguments === undefined ? [] : [...prompt.arguments],
      })),
    })),
  );
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    guarded(async () => {
      const prompt = await prompts.get(principalOf(context, fixed), params.name, params.arguments ?? {});
      if (prompt === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${params.name}`);
      }
      return { ...prompt, messages: [...prompt.messages] };
    }),
  );
}
