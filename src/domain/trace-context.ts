/** W3C Trace Context: the values of the headers `traceparent` and `tracestate`, which join the spans of several programs. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}
