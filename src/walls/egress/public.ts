/** The package entry `helve/egress`: outgoing HTTP that reaches public hosts and no internal ones. */
export { connectEndpoint, openSocket } from './connector.js';
export { createEgress } from './egress.js';
export type {
  Egress,
  EgressLookup,
  EgressPolicy,
  EgressRequest,
  EgressResponse,
  EgressScheme,
} from './types.js';
