/** tools/call at a door with tools of its own. */
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { openChannel } from './client-channel.js';
import { type Conversing, converse } from './converse.js';
import type { OwnResult, OwnTools } from './own-tools.js';
import { prepareFingerprint } from './request-state.js';

/** Throws a protocol error for an unknown tool. */
export async function callOwnTool(
  conversing: Conversing,
  tools: OwnTools,
  { name, arguments: input = {} }: CallToolRequest['params'],
): Promise<CallToolResult | InputRequiredResult> {
  const { principal } = conversing;
  const fingerprint = prepareFingerprint('tools/call', name, input);
  return converse(conversing, fingerprint, async (talk) => {
    const { onProgress } = openChannel(talk, name);
    const result = await tools.call({ principal, name, input, signal: talk.signal, onProgress });
    if (result === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`);
    return toCallResult(result);
  });
}

function toCallResult({ text, structured, isError, meta }: OwnResult): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    ...(structured === undefined ? {} : { structuredContent: structured as Record<string, unknown> }),
    ...(isError && { isError }),
    ...(meta && { _meta: { ...meta } }),
  };
}
