/** Runs work that may ask its client, in the way that the request's protocol revision provides. */
import type { InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { talkByRequests } from './client-channel.js';
import type { Talk } from './conversation.js';
import type { McpParts } from './parts.js';
import { principalKey } from './principal.js';

export interface Conversing {
  readonly parts: McpParts;
  readonly server: Server;
  readonly context: ServerContext;
  readonly principal: Principal;
}

/** `call`: the fingerprint of the request, which is computed only if it is needed. Only 2026-07-28 uses interim results. */
export async function converse<Result>(
  { parts, server, context, principal }: Conversing,
  call: () => string,
  work: (talk: Talk) => Promise<Result>,
): Promise<Result | InputRequiredResult> {
  if (context.mcpReq.envelope === undefined) return talkByRequests(server, context, work);
  return parts.conversations.begin({ context, owner: principalKey(principal), call: call(), work });
}
