/** Metrics, traces and logs for the operator of a process. */
export { type Counts, createCounts } from './counts.js';
export { logCall, openLog } from './log.js';
export { type OpenTracing, openTracing } from './open-tracing.js';
export { createPrometheus, type ProcessReadings, type Prometheus } from './prometheus.js';
export { createTracing } from './tracing.js';
