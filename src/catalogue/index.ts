/** The catalogue: synchronised with its sources, and read. */
export {
  createMarketplace,
  type Marketplace,
  type MarketplaceEntry,
  type Standing,
  type StandingOf,
} from './marketplace.js';
export { createReader, type KeptCatalogue } from './reader.js';
export { createSynchroniser, type Synchroniser, type SyncRequest } from './synchroniser.js';
