/**
 * Tools for Cloudflare Agents, which use those of the AI SDK: `AIChatAgent` passes them to `streamText`. Helve does not run
 * in a Worker, so the tools come over REST.
 */
import type { ToolSet } from 'ai';
import { type AiSdkOptions, toolsFor as aiSdkToolsFor } from './ai-sdk.js';
import { type RemotePrincipal, remote } from './remote.js';
import type { ToolSource } from './tool-source.js';

export interface CloudflareHelve {
  /** The address of Helve: `https://tools.example.com`. */
  readonly url: string;
  /** An agent token or an API key. Keep it in a Worker secret. */
  readonly token?: string;
  /** The fetch of a service binding, for example. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Returns the tools of the token's principal. `helve`: the server's address and token, or the value of `remote`. */
export async function toolsFor(
  helve: CloudflareHelve | ToolSource<RemotePrincipal>,
  options: AiSdkOptions<RemotePrincipal> = {},
): Promise<ToolSet> {
  return aiSdkToolsFor('execute' in helve ? helve : remote(helve), options);
}
