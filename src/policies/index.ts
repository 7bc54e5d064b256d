/** Per-call rules and limits. */
export { decidePolicy, type PolicyAnswer, type PolicyQuestion } from './decide.js';
export { hasOnlyExactName, namesTool } from './names.js';
export { createRateLimits, type LimitedCall, type RateLimitOptions, type RateLimits } from './rate-limits.js';
