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

/** Returns a tool source. Its methods throw the server's refusals (`unauthenticated`, …) and `upstream_failed` if it cannot be reached. */
export function remote(options: ClientOptions): ToolSource<RemotePrincipal> {
  const client = createClient(options);
  return {
    async tools({ principal, all = false }) {
      const query = defined({ agent: principal?.agent, all: all ? ('true' as const) : undefined });
      const { tools } = await answered(options.url, client.call('GET /api/tools/workspace', { query }));
      return tools as unknown as readonly ListedTool[];
    },
    async execute({ principal, tool, input, approvalId, intent, idempotencyKey, signal }) {
      const body = { tool, input, ...defined({ agent: principal?.agent, approvalId, intent, idempotencyKey }) };
      const result = await answered(options.url, client.call('POST /api/tools/execute', { body }, signal));
      return result as unknown as ToolResult;
    },
  };
}

async function answered<Reply>(url: string, reply: Promise<Reply>): Promise<Reply> {
  try {
    return await reply;
  } catch (cause) {
    if (cause instanceof HelveError) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new HelveError('upstream_failed', `Helve at ${new URL(url).origin} did not respond: ${problem}`, { cause });
  }
}
