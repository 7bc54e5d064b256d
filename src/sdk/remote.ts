/**
 * A Helve that is served elsewhere, over REST: for agents in another process, or in a Cloudflare Worker. Imports
 * nothing of Node.
 */
import { type ClientOptions, createClient } from '../api/index.js';
import { HelveError } from '../domain/errors.js';
import type { ListedTool, ToolResult } from '../domain/execution.js';
import type { ToolSource } from './tool-source.js';

/** Who acts is the token's principal. With a key that holds `agents:act`, one of the workspace's agents. */
export type RemotePrincipal = { readonly agent: string } | undefined;

/** Throws what the server refuses (`unauthenticated`, `forbidden`, …) and `upstream_failed` where nothing answers. */
export function remote(options: ClientOptions): ToolSource<RemotePrincipal> {
  const client = createClient(options);
  return {
    async tools({ principal, all = false }) {
      const query = {
        ...(principal === undefined ? {} : { agent: principal.agent }),
        ...(all ? { all: 'true' as const } : {}),
      };
      const { tools } = await answered(options.url, client.call('GET /api/tools/workspace', { query }));
      return tools as unknown as readonly ListedTool[];
    },
    async execute({ principal, tool, input, approvalId, intent, signal }) {
      const body = {
        tool,
        input,
        ...(principal === undefined ? {} : { agent: principal.agent }),
        ...(approvalId === undefined ? {} : { approvalId }),
        ...(intent === undefined ? {} : { intent }),
      };
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
    throw new HelveError('upstream_failed', `Helve at ${new URL(url).origin} did not answer: ${problem}`, { cause });
  }
}
