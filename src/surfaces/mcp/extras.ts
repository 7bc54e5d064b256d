/**
 * What an MCP server can offer besides tools, as plain ports. Helve itself offers none of it;
 * providers with resources or prompts plug in here.
 */
import type { ClientChannel } from '../../domain/context.js';
import type { Principal } from '../../domain/principal.js';
import type { ContentBlock, ResourceContents } from '../../domain/tool.js';

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

export interface AskedPrompt {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  /** The client of the prompt, for further questions. */
  readonly client: ClientChannel;
}

export interface McpPromptText {
  readonly description?: string;
  readonly messages: readonly McpPromptMessage[];
}

export interface McpExtras {
  readonly resources?: {
    list(principal: Principal): Promise<readonly McpResource[]>;
    templates(principal: Principal): Promise<readonly McpResourceTemplate[]>;
    /** Undefined if the resource does not exist. */
    read(principal: Principal, uri: string): Promise<readonly ResourceContents[] | undefined>;
    /** Calls `changed` when the resource changes. Returns a function that stops this. */
    subscribe?(principal: Principal, uri: string, changed: () => void): () => void;
  };
  readonly prompts?: {
    list(principal: Principal): Promise<readonly McpPrompt[]>;
    /** Undefined if the prompt does not exist. */
    get(principal: Principal, asked: AskedPrompt): Promise<McpPromptText | undefined>;
  };
  complete?(
    principal: Principal,
    asked: { readonly of: string; readonly argument: string; readonly value: string },
  ): Promise<readonly string[]>;
}

/** How many resources one connection may watch. */
export const maxSubscriptions = 100;

export function extraCapabilities({ resources, prompts, complete }: McpExtras) {
  return {
    ...(resources === undefined ? {} : { resources: { subscribe: resources.subscribe !== undefined } }),
    ...(prompts === undefined ? {} : { prompts: {} }),
    ...(complete === undefined ? {} : { completions: {} }),
  };
}
