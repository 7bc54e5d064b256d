/** Apps that a workspace uses without an account: it starts and stops using them. */

import { HelveError } from '../../domain/errors.js';
import type { MarketplaceActs } from '../../domain/marketplace.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { changedInLine, draft, knownToolkit } from '../workspaces/index.js';
import type { MarketplaceParts } from './parts.js';

export function createChoosing({
  registry,
  storage,
  configurations,
  now,
}: MarketplaceParts): Pick<MarketplaceActs, 'useToolkit' | 'withoutAccounts'> {
  return {
    async useToolkit(principal, slug, use) {
      if ((await loaded(registry, slug)).needsConnection)
        throw new HelveError('invalid_input', `${slug} acts with accounts`, { hint: 'Connect one.' });
      const { workspaceId } = principal;
      const row = draft('toolkit.changed', principal, now(), { toolkit: slug, enabled: use });
      await changedInLine({ configurations }, workspaceId, async ({ toolkits, revision }) => {
        // The choice of enabled tools stays unchanged.
        const setting = { ...toolkits.find(({ toolkit }) => toolkit === slug), toolkit: slug, enabled: use };
        await storage.workspace(workspaceId).change([row], (tables) => tables.putToolkitSetting(setting), revision);
      });
    },
    async withoutAccounts(_principal, slug) {
      return !(await loaded(registry, slug)).needsConnection;
    },
  };
}

/** Only the document itself says whether its toolkit needs an account. */
async function loaded(registry: Registry, slug: string): Promise<Toolkit> {
  const toolkit = await knownToolkit(registry, slug);
  if (toolkit.provider === 'openapi') await registry.tools(slug);
  return toolkit;
}
