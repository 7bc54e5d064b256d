import { defineToolkit } from '../../domain/tool.js';

export const keyValue = defineToolkit({
  slug: 'key_value',
  title: 'Key-value store',
  description: 'Values that an agent keeps between calls.',
  category: 'storage',
  load: async () => (await import('./tools/index.js')).keyValueTools,
});
