/** `tools/call` with progress, cancellation, and questions of the server. */
import {
  type CallToolRequestOptions,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Tool as McpTool,
} from '@modelcontextprotocol/client';
import { HelveError } from '../../domain/errors.js';
import type { ProviderCall } from '../../domain/provider.js';
import { defined } from '../../util/defined.js';
import { joinSignals } from '../../util/join-signals.js';
import { visibleText } from '../../util/visible-text.js';
import type { ListedTool } from './describe-tool.js';
import { isSessionLost } from './failures.js';
import { limits } from './limits.js';
import type { Link } from './link.js';

/** How many times a server may ask by an interim result (2026-07-28). */
const maxRounds = 10;

interface Interim {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly requestState?: string;
}

/** Calls the tool and returns the server's result. Throws `HelveError`; `outcome_unknown` if the call may have had its effect. */
export async function callTool(link: Link, listed: ListedTool, call: ProviderCall): Promise<CallToolResult> {
  const { dropped } = link;
  const ends = joinSignals(call.signal, dropped);
  const options: CallToolRequestOptions = {
    signal: ends.signal,
    // The plane's own limit ends the call. It pauses while the client is asked, so this limit must not be shorter.
    timeout: limits.maxCallMs,
    maxTotalTimeout: limits.maxCallMs,
    onprogress: getProgress(call),
    allowInputRequired: true,
    toolDefinition: definitionFor(listed),
  };
  try {
    return await link.questions.during(call, () => rounds(link, listed.name, call, options));
  } catch (error) {
    // The library replaced the reason by its own message.
    throw dropped.aborted && !call.signal.aborted ? dropped.reason : error;
  } finally {
    ends.leave();
  }
}

async function rounds(
  link: Link,
  name: string,
  call: ProviderCall,
  options: CallToolRequestOptions,
): Promise<CallToolResult> {
  let more: { inputResponses?: Record<string, unknown>; requestState?: string } = {};
  // The capabilities of this call's client, not those of any client.
  const modern = link.client.getProtocolEra() !== 'legacy';
  const capabilities = modern ? { [CLIENT_CAPABILITIES_META_KEY]: capabilitiesFor(call) } : undefined;
  const _meta = capabilities || call.trace ? { _meta: { ...capabilities, ...call.trace } } : {};
  for (let round = 0; round <= maxRounds; round++) {
    const params = { name, arguments: call.input as Record<string, unknown>, ..._meta, ...more };
    const result: CallToolResult | Interim = await link.client.callTool(params, options).catch((error: unknown) => {
      // Restarting the call would repeat what the server did before it asked.
      throw round > 0 && isSessionLost(error) ? answerLost(error) : error;
    });
    if (!isInterim(result)) return result;
    const { inputRequests = {}, requestState } = result;
    const inputResponses = await link.questions.answer(inputRequests);
    const answered = Object.keys(inputResponses).length > 0;
    more = defined({ inputResponses: answered ? inputResponses : undefined, requestState });
  }
  throw new HelveError('tool_failed', `${name} asked more than ${maxRounds} times before it answered`);
}

function capabilitiesFor({ client }: ProviderCall): ClientCapabilities {
  return defined({
    elicitation: client?.elicit && { form: {} },
    sampling: client?.sample && {},
    roots: client?.roots && {},
  });
}

function answerLost(cause: unknown): HelveError {
  return new HelveError('outcome_unknown', 'The MCP server lost the call while it waited for an answer', {
    hint: 'The call may have had its effect. Check before you call again.',
    cause,
  });
}

function isInterim(result: CallToolResult | Interim): result is Interim {
  return 'resultType' in result && result.resultType === 'input_required';
}

/** Tells the library which arguments are repeated in headers. The plane checks the result. */
function definitionFor({ name, inputSchema }: ListedTool): McpTool {
  return { name, inputSchema: inputSchema as McpTool['inputSchema'] };
}

function getProgress(call: ProviderCall): NonNullable<CallToolRequestOptions['onprogress']> {
  let told = 0;
  return ({ progress, total, message }) => {
    told += 1;
    if (told > limits.progressUpdates) return;
    const shown = message === undefined ? undefined : visibleText(message).slice(0, 500);
    call.progress({ progress, ...defined({ total, message: shown }) });
  };
}
