/** The egress wall: outgoing HTTP that reaches public hosts and no internal ones. */
export { connectEndpoint, openSocket } from './connector.js';
export { commonDomains } from './domains.js';
export { createEgress } from './egress.js';
export { resolvePolicy } from './policy.js';
export type {
  Egress,
  EgressLookup,
  EgressPolicy,
  EgressRequest,
  EgressResponse,
  EgressScheme,
} from './types.js';
