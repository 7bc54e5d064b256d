/** The trace that a request belongs to, from its headers. */
import type { TraceContext } from '../domain/trace-context.js';

/** Undefined without `traceparent`. Its form is checked where a trace begins. */
export function traceInHeaders(headers: Pick<Headers, 'get'>): TraceContext | undefined {
  const traceparent = headers.get('traceparent');
  if (traceparent === null) return undefined;
  const tracestate = headers.get('tracestate');
  return { traceparent, ...(tracestate === null ? {} : { tracestate }) };
}
