/** What whoever runs a process sees of it. */
export { type Counts, createCounts } from './counts.js';
export { createPrometheus, type ProcessReadings, type Prometheus } from './prometheus.js';
