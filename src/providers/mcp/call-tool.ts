/** `tools/call`, with what belongs to it: progress, the caller's wish to stop, and questions of the server. */
import type { CallToolRequestOptions, CallToolResult, Tool as McpTool } from '@modelcontextprotocol/client';
import { HelveError } from '../../spec/errors.js';
import type { ProviderCall } from '../../spec/provider.js';
import { visibleText } from '../../util/visible-text.js';
import type { ListedTool } from './describe-tool.js';
import { limits } from './limits.js';
import type { Link } from './link.js';

/** Since 2026-07-28 a server asks by an interim result; this often at most. */
const mostRounds = 10;

interface Interim {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

export async function callTool(link: Link, listed: ListedTool, call: ProviderCall): Promise<CallToolResult> {
  const { dropped } = link;
  const options: CallToolRequestOptions = {
    signal: AbortSignal.any([call.signal, dropped]),
    // The caller's own time limit is stricter; this one only stands behind it.
    timeout: call.tool.timeoutMs + 5_000,
    resetTimeoutOnProgress: true,
    maxTotalTimeout: call.tool.timeoutMs + 5_000,
    onprogress: progressOf(call),
    allowInputRequired: true,
    toolDefinition: definitionFor(listed),
  };
  try {
    return await link.questions.during(call, () => rounds(link, listed.name, call, options));
  } catch (error) {
    // The library has put the reason into words of its own.
    throw dropped.aborted && !call.signal.aborted ? dropped.reason : error;
  }
}

async function rounds(
  link: Link,
  name: string,
  call: ProviderCall,
  options: CallToolRequestOptions,
): Promise<CallToolResult> {
  let more: { inputResponses?: Record<string, unknown>; requestState?: string } = {};
  for (let round = 0; round <= mostRounds; round++) {
    const params = { name, arguments: call.input as Record<string, unknown>, ...more };
    const result: CallToolResult | Interim = await link.client.callTool(params, options);
    if (!isInterim(result)) return result;
    const { inputRequests = {}, requestState } = result;
    const inputResponses = await link.questions.answer(inputRequests);
    more = {
      ...(Object.keys(inputResponses).length === 0 ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }
  throw new HelveError('tool_failed', `${name} asked more than ${mostRounds} times before it answered`);
}

function isInterim(result: CallToolResult | Interim): result is Interim {
  return 'resultType' in result && result.resultType === 'input_required';
}

/** From it the library takes which arguments are repeated in headers. What comes back is checked by the plane. */
function definitionFor({ name, inputSchema }: ListedTool): McpTool {
  return { name, inputSchema: inputSchema as McpTool['inputSchema'] };
}

function progressOf(call: ProviderCall): NonNullable<CallToolRequestOptions['onprogress']> {
  let told = 0;
  return ({ progress, total, message }) => {
    told += 1;
    if (told > limits.progressUpdates) return;
    call.progress({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: visibleText(message).slice(0, 500) }),
    });
  };
}
