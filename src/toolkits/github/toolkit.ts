import { defineToolkit } from '../../domain/tool.js';
import { githubAuth } from './auth.js';
import { githubService } from './service.js';

export const github = defineToolkit({
  slug: 'github',
  title: 'GitHub',
  description: 'Repositories, branches, files, issues, pull requests, reviews and checks on GitHub.',
  category: 'development',
  auth: githubAuth,
  service: githubService,
  load: async () => (await import('./tools/index.js')).githubTools,
});
