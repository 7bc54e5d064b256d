/** The service behind the tools: GraphQL at one address. */
import type { ServiceDefinition } from '../../domain/service.js';
import { chooseServer } from '../../util/service-address.js';
import { explain } from './explain.js';
import { pauseSeconds } from './rate-limit.js';

export const linearService: ServiceDefinition = {
  servers: ({ base_url }) => ({ default: chooseServer(base_url, 'https://api.linear.app') }),
  headers: { accept: 'application/json' },
  explain,
  pause: pauseSeconds,
};
