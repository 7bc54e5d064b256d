/**
 * Whether a new grant would reach something that no agent may reach: the provider checks, because it knows what a
 * setting means.
 */

import type { GrantInput } from '../../../domain/grant.js';
import type { Registry } from '../../../registry/index.js';

/** Throws `invalid_config`. */
export async function checkGrantedReach(
  registry: Registry,
  grants: readonly Pick<GrantInput, 'toolkit' | 'config'>[],
): Promise<void> {
  for (const { toolkit, config } of grants) {
    for (const [name, given] of Object.entries(config)) {
      const found = await registry.find(toolkit, name);
      await found?.provider.checkConfig?.(found.tool, given);
    }
  }
}
