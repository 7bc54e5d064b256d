/**
 * tools/call: one call of the plane. What the pipeline refuses is an answer that a model can act on;
 * only a tool that does not exist is a protocol error, as both revisions have it.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toMcpResult } from '../../formats/index.js';
import type { ToolResult } from '../../spec/execution.js';
import type { Principal } from '../../spec/principal.js';
import { askPerson, continueAfterPerson, type Round } from './ask-person.js';
import { openChannel } from './client-channel.js';
import type { McpParts } from './parts.js';

const mostIntent = 2_000;

export async function callTool(
  parts: McpParts,
  server: Server,
  { name, arguments: input = {}, _meta }: CallToolRequest['params'],
  context: ServerContext,
  principal: Principal,
): Promise<CallToolResult | InputRequiredResult> {
  const channel = openChannel(server, context, name);
  const intent = intentIn(_meta ?? context.mcpReq._meta);
  const round: Round = {
    parts,
    server,
    context,
    principal,
    tool: name,
    input,
    execute: (approvalId) =>
      parts.plane.execute({
        principal,
        tool: name,
        input,
        signal: context.mcpReq.signal,
        client: channel.client,
        ...(channel.onProgress === undefined ? {} : { onProgress: channel.onProgress }),
        ...(approvalId === undefined ? {} : { approvalId }),
        ...(intent === undefined ? {} : { intent }),
      }),
  };
  try {
    const answer = await run(round);
    return 'resultType' in answer ? answer : await toAnswer(round, answer);
  } finally {
    channel.close();
  }
}

async function run(round: Round): Promise<ToolResult | InputRequiredResult> {
  const continued = await continueAfterPerson(round);
  if (continued !== undefined) return continued;
  const result = await round.execute();
  if (result.ok || result.error.code !== 'approval_required') return result;
  return askPerson(round, result);
}

async function toAnswer({ parts, server, principal, tool }: Round, result: ToolResult): Promise<CallToolResult> {
  // What `call_tool` was asked for in vain is its answer: that tool itself exists.
  if (!result.ok && result.error.code === 'tool_not_found' && result.error.details?.through === undefined)
    throw unknownTool(tool, result);
  const listed = result.ok ? await listedTool(parts, principal, tool) : undefined;
  // What no handle keeps is lost where it is cut. The plane leaves only what was asked for by length without one:
  // a part that result_read gives, which as JSON is longer than the characters that it counts.
  const most = result.ok && result.handle === undefined ? Number.POSITIVE_INFINITY : parts.resultMaxChars;
  const answer = toMcpResult(result, most, listed?.outputSchema) as unknown as CallToolResult;
  // Gives 2025-11-25, which knows only objects there, what it can take.
  return server.projectCallToolResult(answer, listed?.outputSchema as Parameters<Server['projectCallToolResult']>[1]);
}

/** What the person asked for, where the client says so: `_meta` of the request, `helve/intent`. */
function intentIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const intent = meta?.['helve/intent'];
  return typeof intent === 'string' && intent.length <= mostIntent ? intent : undefined;
}

/** The call has been made; that its listing cannot be read does not undo it. */
async function listedTool({ knownTools }: McpParts, principal: Principal, tool: string) {
  return knownTools.find(principal, tool).catch(() => undefined);
}

function unknownTool(tool: string, { executionId, error }: ToolResult & { ok: false }): ProtocolError {
  const message = `Unknown tool: ${tool.slice(0, 200)}${error.hint === undefined ? '' : `. ${error.hint}`}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code: error.code, executionId });
}
