/** The service behind the tools: GraphQL at one address. */
import type { ServiceDefinition } from '../../domain/service.js';
import { explain } from './explain.js';
import { pauseSeconds } from './rate-limit.js';

export const linearService: ServiceDefinition = {
  servers: ({ base_url }) => ({
    default: typeof base_url === 'string' ? { url: base_url, named: true } : { url: 'https://api.linear.app' },
  }),
  headers: { accept: 'application/json' },
  explain,
  pause: pauseSeconds,
};
