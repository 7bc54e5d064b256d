/** Per-call rules and limits. */
export { decidePolicy, type PolicyAnswer, type PolicyQuestion } from './decide.js';
export { namesTool } from './names.js';
export { createRateLimits, type LimitedCall, type RateLimitOptions, type RateLimits } from './rate-limits.js';
