import { defineToolkit } from '../../domain/tool.js';
import { linearAuth } from './auth.js';
import { linearService } from './service.js';

export const linear = defineToolkit({
  slug: 'linear',
  title: 'Linear',
  description: 'Issues, comments, projects, cycles, labels and teams of a Linear workspace.',
  category: 'development',
  auth: linearAuth,
  service: linearService,
  load: async () => (await import('./tools/index.js')).linearTools,
});
