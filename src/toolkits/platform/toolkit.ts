import { defineToolkit } from '../../domain/tool.js';

/** What an agent may change in Helve itself, within the rights of the person for whom it acts. */
export const platform = defineToolkit({
  slug: 'platform',
  title: 'Platform',
  description:
    'Agents, grants and accounts of this workspace, as far as the person for whom the agent acts may change them.',
  category: 'plane',
  internal: true,
  load: async () => (await import('./tools/index.js')).platformTools,
});
