/**
 * Tools for Cloudflare Agents, which take those of the AI SDK: `AIChatAgent` hands them to `streamText`. A Worker has
 * no Helve of its own, so they come over REST.
 */
import type { ToolSet } from 'ai';
import { type AiSdkOptions, toolsFor as aiSdkToolsFor } from './ai-sdk.js';
import { type RemotePrincipal, remote } from './remote.js';
import type { ToolSource } from './tool-source.js';

export interface CloudflareHelve {
  /** Where Helve is served: `https://tools.example.com`. */
  readonly url: string;
  /** An agent token or an API key. Keep it in a Worker secret. */
  readonly token?: string;
  /** A service binding's, for example. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** `helve` is where it is served, or what `remote` made of it. */
export async function toolsFor(
  helve: CloudflareHelve | ToolSource<RemotePrincipal>,
  options: AiSdkOptions<RemotePrincipal> = {},
): Promise<ToolSet> {
  return aiSdkToolsFor('execute' in helve ? helve : remote(helve), options);
}
