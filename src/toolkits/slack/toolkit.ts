import { defineToolkit } from '../../domain/tool.js';
import { slackAuth } from './auth.js';
import { slackService } from './service.js';

export const slack = defineToolkit({
  slug: 'slack',
  title: 'Slack',
  description: 'Messages, threads, channels, people, reactions and files of a Slack workspace.',
  category: 'communication',
  auth: slackAuth,
  service: slackService,
  load: async () => (await import('./tools/index.js')).slackTools,
});
