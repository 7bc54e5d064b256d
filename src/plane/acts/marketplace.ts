/** The marketplace, for the doors: who follows a synchronisation loses it with their rights. */
import type { MarketplaceActs } from '../../domain/marketplace.js';
import { createMarketplaceActs, type MarketplaceParts } from '../../flows/marketplace/index.js';
import { whileAllowed } from './rights-check.js';

export function createMarketplace(parts: MarketplaceParts): MarketplaceActs {
  const acts = createMarketplaceActs(parts);
  return {
    ...acts,
    async *followSync(principal, jobId, signal) {
      for await (const [job] of whileAllowed(parts, principal, acts.followSync(principal, jobId, signal))) yield job;
    },
  };
}
