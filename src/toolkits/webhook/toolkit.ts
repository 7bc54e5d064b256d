import { defineToolkit } from '../../domain/tool.js';

export const webhook = defineToolkit({
  slug: 'webhook',
  title: 'Webhooks',
  description: 'Signed JSON notifications to allow-listed URLs.',
  category: 'communication',
  load: async () => [(await import('./tools/webhook.js')).webhookTool],
});
