/** The actors of tasks: the hosts that keep them, and the service through which they reach the store. */
export { createEmbeddedActorHost, type EmbeddedActorHost } from './embedded/host.js';
export { createPersistence, type Persistence } from './persistence.js';
export type { OwnRestate, RestateAddresses } from './restate/endpoint.js';
export { createRestateActorHost } from './restate/host.js';
