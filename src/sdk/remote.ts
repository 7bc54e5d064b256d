/**
 * A Helve server elsewhere, over REST: for agents in another process, or in a Cloudflare Worker. Imports no
 * Node built-ins.
 */
import { type ClientOptions, createClient } from '../api/index.js';
import { HelveError } from '../domain/errors.js';
import type { ListedTool, ToolResult } from '../domain/execution.js';
import { defined } from '../util/defined.js';
import type { ToolSource } from './tool-source.js';

/** By default the token's principal acts. With a key that has `agents:act`, this can name an agent of the workspace. */
export type RemotePrincipal = { readonly agent: string } | undefined;

export interface RemoteSource extends ToolSource<RemotePrincipal> {
  /** Without an argument: the tools that the token's principal sees. */
  tools(who?: { readonly principal?: RemotePrincipal; readonly all?: boolean }): Promise<readonly ListedTool[]>;
}

/** Returns a tool source. Its methods throw the server's refusals (`unauthenticated`, …) and `upstream_failed` if it cannot be reached. */
export function remote(options: ClientOptions): RemoteSource {
  const client = createClient(options);
  return {
    async tools({ principal, all = false } = {}) {
      const query = defined({ agent: principal?.agent, all: all ? ('true' as const) : undefined });
      const { tools } = await client.call('GET /api/tools/workspace', { query });
      return tools as unknown as readonly ListedTool[];
    },
    async execute({ principal, tool, input, approvalId, intent, idempotencyKey, signal }) {
      const body = { tool, input, ...defined({ agent: principal?.agent, approvalId, intent, idempotencyKey }) };
      const result = await client.call('POST /api/tools/execute', { body }, signal).catch(toUnreached);
      return result as unknown as ToolResult;
    },
  };
}

/** Whether a call that got no answer may have run depends on its tool, which `bindTools` knows. */
function toUnreached(thrown: unknown): never {
  if (!(thrown instanceof HelveError) || thrown.code !== 'outcome_unknown') throw thrown;
  throw new HelveError('upstream_failed', thrown.message, { cause: thrown.cause });
}
