/** Tools: the caller's tools, whether a call would be allowed, and the call itself. */
import { z } from 'zod';
import {
  accessQuery,
  decision,
  executeBody,
  executionEvent,
  exportQuery,
  jsonObject,
  listedTool,
  listQuery,
  shapeQuery,
  toolResult,
} from '../../../api/index.js';
import { type ErrorCode, errorTable, HelveError, toHelveError } from '../../../domain/errors.js';
import type { CallRequest, ToolResult } from '../../../domain/execution.js';
import type { JsonObject } from '../../../domain/json.js';
import type { Plane } from '../../../domain/plane.js';
import type { Principal } from '../../../domain/principal.js';
import {
  forPanel,
  toAnthropicTool,
  toMcpTool,
  toOpenAiFunction,
  toOpenAiResponsesFunction,
  type Widget,
} from '../../../formats/index.js';
import { isPlainObject } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { parseBoundedJson } from '../../../util/json-text.js';
import { traceInHeaders } from '../../../util/trace-headers.js';
import { eventStream } from '../event-stream.js';
import { readIdempotencyKey } from '../idempotency-key.js';
import { retryAfter } from '../problem.js';
import { defineRoute } from '../route.js';
import { toolData } from './executions.js';

export const listTools = defineRoute({
  method: 'GET',
  path: '/api/tools/workspace',
  summary: 'The tools that the caller may use, as a model sees them',
  acts: ['tools', 'actAs'],
  query: listQuery,
  reply: z.object({ tools: z.array(listedTool) }),
  async handle({ plane, principal, query }) {
    const all = query.all === 'true';
    const actor = await getActor(plane, principal, query.agent);
    return { tools: await plane.tools(actor, { all, ...readCategories(query.categories) }) };
  },
});

function readCategories(categories: string | undefined): { readonly categories?: readonly string[] } {
  return categories === undefined ? {} : { categories: categories.split(',').map((name) => name.trim()) };
}

const exporters = {
  openai: toOpenAiFunction,
  'openai-responses': toOpenAiResponsesFunction,
  anthropic: toAnthropicTool,
  mcp: toMcpTool,
};

export const exportTools = defineRoute({
  method: 'GET',
  path: '/api/tools/export',
  summary: "The same tools in a model API's own shape, ready to be sent to it",
  acts: ['tools', 'actAs'],
  query: exportQuery,
  reply: z.object({ tools: z.array(jsonObject) }),
  async handle({ plane, principal, query }) {
    const actor = await getActor(plane, principal, query.agent);
    const tools = await plane.tools(actor, readCategories(query.categories));
    return { tools: tools.map((tool) => ({ ...exporters[query.format](tool) }) as JsonObject) };
  },
});

export const validateAccess = defineRoute({
  method: 'GET',
  path: '/api/tools/access',
  summary: 'Whether a call of a tool would be allowed, or the rule that refuses it',
  acts: ['validateAccess', 'actAs'],
  query: accessQuery,
  reply: decision,
  async handle({ plane, principal, query }) {
    const input = query.input === undefined ? undefined : readArguments(query.input);
    return plane.validateAccess(await getActor(plane, principal, query.agent), query.tool, input);
  },
});

function readArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch (error) {
    throw toHelveError(error, 'invalid_input');
  }
  if (isPlainObject(value)) return value as JsonObject;
  throw new HelveError('invalid_input', 'input: the arguments are not a JSON object', {
    hint: 'Send an object with the arguments by name.',
  });
}

export const executeTool = defineRoute({
  method: 'POST',
  path: '/api/tools/execute',
  summary: 'Call a tool. With Accept: text/event-stream the response is the progress as events',
  acts: ['execute', 'actAs'],
  query: shapeQuery,
  body: executeBody,
  reply: toolResult,
  refusesInReply: true,
  stream: { mediaType: 'text/event-stream', item: executionEvent },
  async handle({ plane, principal, body, query, request }) {
    const show = query.as === 'panel' ? withWidget : (result: ToolResult) => result;
    const actor = await getActor(plane, principal, body.agent);
    const { tool, input = {}, approvalId, intent } = body;
    const idempotencyKey = readIdempotencyKey(body.idempotencyKey, request);
    const call = {
      principal: actor,
      tool,
      input,
      door: 'api' as const,
      ...defined({ approvalId, intent, idempotencyKey, trace: traceInHeaders(request.headers) }),
    };
    if (request.headers.get('accept')?.includes('text/event-stream')) return followCall(plane, call, { request, show });
    const result = show(await plane.execute({ ...call, signal: request.signal }));
    if (result.ok) return result;
    return Response.json(result, { status: getStatus(result.error.code), headers: retryAfter(result.error) });
  },
});

/** The call ran and failed: that is a result with status 200. Everything else is a refusal to run it. */
const answers: Partial<Record<ErrorCode, true>> = {
  tool_failed: true,
  upstream_failed: true,
  invalid_output: true,
  outcome_unknown: true,
  timeout: true,
  egress_blocked: true,
  cancelled: true,
};

function getStatus(code: ErrorCode): number {
  return answers[code] ? 200 : errorTable[code].status;
}

export function getActor(
  plane: Pick<Plane, 'actAs'>,
  principal: Principal,
  agent: string | undefined,
): Principal | Promise<Principal> {
  return agent === undefined ? principal : plane.actAs(principal, agent);
}

/** Adds the widget that shows the result. */
function withWidget(result: ToolResult): ToolResult & { readonly widget: Widget } {
  return { ...result, widget: forPanel(result) };
}

interface Following {
  readonly request: Request;
  readonly show: (result: ToolResult) => ToolResult;
}

/** Streams started, progress …, finished, in that order; a client that disconnects cancels the call. */
function followCall(plane: Pick<Plane, 'execute'>, call: CallRequest, { request, show }: Following): Response {
  return eventStream(request, toolData, async (send, signal) => {
    let executionId = '';
    const result: ToolResult = await plane.execute({
      ...call,
      signal,
      onStart(id) {
        executionId = id;
        send({ type: 'started', executionId, tool: call.tool, at: new Date().toISOString() });
      },
      onProgress: (update) => send({ type: 'progress', executionId, update, at: new Date().toISOString() }),
    });
    send({ type: 'finished', executionId: result.executionId, result: show(result), at: new Date().toISOString() });
  });
}
