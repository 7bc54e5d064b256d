/**
 * tools/call: one call of the plane. A refusal by the pipeline is a result that a model can act on;
 * only a tool that does not exist is a protocol error, as both revisions specify.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolFailure, ToolResult } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import type { TraceContext } from '../../domain/trace-context.js';
import { toMcpResult, type WrittenResult } from '../../formats/index.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { traceInHeaders } from '../../util/trace-headers.js';
import { askPerson, continueAfterPerson, type Round } from './ask-person.js';
import { openChannel } from './client-channel.js';
import { converse } from './converse.js';
import type { McpParts } from './parts.js';
import { prepareFingerprint, readWaiting } from './request-state.js';
import { noteStructured } from './written-answer.js';

const maxIntentLength = 2_000;

export async function callTool(
  parts: McpParts,
  server: Server,
  { name, arguments: input = {}, _meta }: CallToolRequest['params'],
  context: ServerContext,
  principal: Principal,
): Promise<CallToolResult | InputRequiredResult> {
  const meta = _meta ?? context.mcpReq._meta;
  const intent = intentIn(meta);
  const trace = traceIn(meta) ?? (context.http?.req && traceInHeaders(context.http.req.headers));
  let text: string | undefined;
  const round: Round = {
    parts,
    server,
    context,
    principal,
    tool: name,
    input,
    call: prepareFingerprint('tools/call', name, input),
    execute: (approvalId) =>
      converse({ parts, server, context, principal }, round.call, (talk) => {
        const { client, onProgress } = openChannel(talk, name);
        return parts.plane.execute({
          principal,
          tool: name,
          input,
          door: 'mcp',
          signal: talk.signal,
          client,
          onProgress,
          onOutput: (written) => {
            text = written;
          },
          ...defined({ approvalId, intent, trace }),
        });
      }),
  };
  const answer = await run(round);
  if ('resultType' in answer) return answer;
  // If an earlier request began the call, the text was written for that request. This is not a spread, because an object
  // literal that begins with a spread and then grows takes 3 µs.
  return await toAnswer(round, answer.ok && text !== undefined ? Object.assign({ text }, answer) : answer);
}

async function run(round: Round): Promise<ToolResult | InputRequiredResult> {
  const waiting = readWaiting(round.context, round.call);
  if (waiting !== undefined && 'conversation' in waiting) {
    return round.parts.conversations.resume(waiting, round.context);
  }
  if (waiting !== undefined) return continueAfterPerson(round, waiting);
  const result = await round.execute();
  if ('resultType' in result || result.ok || result.error.code !== 'approval_required') return result;
  return askPerson(round, result);
}

async function toAnswer(round: Round, result: WrittenResult): Promise<CallToolResult> {
  const { parts, server, principal, tool } = round;
  // If `call_tool` named a tool that does not exist, that is its result: `call_tool` itself exists.
  if (!result.ok && result.error.code === 'tool_not_found' && result.error.details?.through === undefined)
    throw unknownTool(tool, result);
  if (!result.ok) refuseIncapableClient(round, result);
  const listed = result.ok ? await listedTool(parts, principal, tool) : undefined;
  // Text without a handle is lost where it is cut. The plane omits the handle only for results that were requested by length:
  // a part from result_read, which as JSON is longer than the characters that it counts.
  const max = result.ok && result.handle === undefined ? Number.POSITIVE_INFINITY : parts.resultMaxChars;
  const answer = toMcpResult(result, max, listed?.outputSchema) as unknown as CallToolResult;
  // 2025-11-25 allows only objects here, so other results are converted.
  const sent = server.projectCallToolResult(
    answer,
    listed?.outputSchema as Parameters<Server['projectCallToolResult']>[1],
  );
  if (
    result.ok &&
    result.text !== undefined &&
    sent.structuredContent === result.output &&
    isPlainObject(result.output)
  )
    noteStructured(round.context, result.text);
  return sent;
}

/** What the person asked for, if the client states it: `_meta` of the request, `helve/intent`. */
function intentIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const intent = meta?.['helve/intent'];
  return typeof intent === 'string' && intent.length <= maxIntentLength ? intent : undefined;
}

/** The trace of the client: `_meta` names it as the headers of W3C Trace Context would. */
function traceIn(meta: Readonly<Record<string, unknown>> | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = meta ?? {};
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, ...(typeof tracestate === 'string' ? { tracestate } : {}) };
}

/** The call has run; a failure to read the listing does not change that. */
async function listedTool({ knownTools }: McpParts, principal: Principal, tool: string) {
  return knownTools.find(principal, tool).catch(() => undefined);
}

/** At 2026-07-28 this is a protocol error that names the capability. The older revisions have no such error. */
function refuseIncapableClient({ context }: Round, { error }: ToolFailure): void {
  const requiredCapabilities = error.details?.requiredCapabilities;
  if (context.mcpReq.envelope === undefined || !isPlainObject(requiredCapabilities)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities }, error.message);
}

function unknownTool(tool: string, { executionId, error }: ToolResult & { ok: false }): ProtocolError {
  const message = `Unknown tool: ${tool.slice(0, 200)}${error.hint === undefined ? '' : `. ${error.hint}`}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code: error.code, executionId });
}
