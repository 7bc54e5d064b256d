/**
 * One trace for each call: a span for the call and, below it, one for each stage that it passed. The stages are timed by the
 * pipeline in any case, so their spans are made when the call ends. The names are those of the OpenTelemetry conventions for
 * GenAI and MCP. No attribute contains arguments, answers, messages or credentials.
 */
import type { Attributes, Context, Span, Tracer, TracerProvider } from '@opentelemetry/api';
import { callStages, type StageEnds } from '../domain/stages.js';
import type { BegunCall, CallEnd, TraceCall } from '../domain/telemetry.js';
import type { TraceContext } from '../domain/trace-context.js';
import { readTraceparent, writeTraceparent } from './trace-context.js';

type Api = typeof import('@opentelemetry/api');

/** Creates the function that begins a trace. `api` is the package itself: it is loaded only where there are traces. */
export function createTracing(api: Api, provider: TracerProvider): TraceCall {
  const tracer = provider.getTracer('helve');
  return (call) => {
    // Not the process's own clock, which does not follow when the machine's clock is corrected.
    const startTime = Date.now();
    const isMcp = call.door === 'mcp';
    const kind = call.door === undefined ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
    const parent = findParent(api, call.from);
    const span = tracer.startSpan(
      nameSpan(isMcp),
      { kind, startTime: toTime(startTime), attributes: describeCall(call) },
      parent,
    );
    return {
      context: describeContext(span),
      end(end, stages) {
        if (span.isRecording()) {
          finishSpan(span, isMcp, end);
          if (end.code !== 'none') span.setStatus({ code: api.SpanStatusCode.ERROR });
          addStages({ tracer, below: api.trace.setSpan(parent, span), startTime }, stages);
        }
        span.end(toTime(startTime + end.milliseconds));
      },
    };
  };
}

/** Seconds and nanoseconds: the SDK takes a number that is smaller than the start of this process for one since that start. */
const toTime = (milliseconds: number): [number, number] => [
  Math.floor(milliseconds / 1_000),
  Math.floor((milliseconds % 1_000) * 1e6),
];

const nameSpan = (isMcp: boolean, tool?: string): string =>
  [isMcp ? 'tools/call' : 'execute_tool', ...(tool === undefined ? [] : [tool])].join(' ');

/** What the caller sent; else the span that is active in this process. */
function findParent(api: Api, from: TraceContext | undefined): Context {
  const sent = readTraceparent(from?.traceparent);
  if (sent === undefined) return api.context.active();
  const traceState = from?.tracestate === undefined ? undefined : api.createTraceState(from.tracestate);
  const remote = { ...sent, isRemote: true, ...(traceState === undefined ? {} : { traceState }) };
  return api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
}

function describeContext(span: Span): TraceContext {
  const { traceState, ...own } = span.spanContext();
  const tracestate = traceState?.serialize();
  return { traceparent: writeTraceparent(own), ...(tracestate ? { tracestate } : {}) };
}

function describeCall({ executionId, door, principal }: BegunCall): Attributes {
  const caller =
    principal.kind === 'agent'
      ? { 'gen_ai.agent.id': principal.id, 'gen_ai.agent.name': principal.name }
      : { 'helve.caller.kind': principal.kind };
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.call.id': executionId,
    ...(door === 'mcp' ? { 'mcp.method.name': 'tools/call' } : {}),
    ...caller,
  };
}

function finishSpan(span: Span, isMcp: boolean, { kind, outcome, code, tool }: CallEnd): void {
  // Only the name of a tool that exists: what a caller writes instead could be anything.
  if (tool !== undefined) {
    span.updateName(nameSpan(isMcp, tool.name));
    span.setAttributes({ 'gen_ai.tool.name': tool.name, 'helve.toolkit': tool.toolkit });
  }
  span.setAttributes({ 'helve.tool.kind': kind, 'helve.outcome': outcome });
  if (code !== 'none') span.setAttribute('error.type', code);
}

interface CallSpan {
  readonly tracer: Tracer;
  readonly below: Context;
  /** Milliseconds since 1970. */
  readonly startTime: number;
}

function addStages({ tracer, below, startTime }: CallSpan, ends: StageEnds): void {
  let before = startTime;
  for (const [place, stage] of callStages.entries()) {
    const end = ends[place];
    if (typeof end !== 'number') continue;
    const endTime = startTime + end / 1_000;
    tracer.startSpan(stage, { startTime: toTime(before) }, below).end(toTime(endTime));
    before = endTime;
  }
}
