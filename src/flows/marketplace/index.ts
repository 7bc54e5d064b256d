/**
 * The marketplace's operations: browsing, synchronising the catalogue, receiving events, handling callbacks of a
 * provider.
 */
import type { MarketplaceActs } from '../../domain/marketplace.js';
import { finishHosted } from '../connecting/index.js';
import { createBrowsing } from './browsing.js';
import { createChoosing } from './choosing.js';
import type { MarketplaceParts } from './parts.js';
import { createSyncing } from './syncing.js';
import { createTriggering } from './triggering.js';

export type { EventSender, MarketplaceParts } from './parts.js';

/** Creates the plane's marketplace operations. */
export function createMarketplaceActs(parts: MarketplaceParts): MarketplaceActs {
  return {
    ...createBrowsing(parts),
    ...createChoosing(parts),
    ...createSyncing(parts),
    ...createTriggering(parts),
    finishHostedSignIn: (callback) => finishHosted(parts.accounts, callback),
  };
}
