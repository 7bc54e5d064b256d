/** GitHub's servers and the headers that they expect. */
import type { ServiceDefinition } from '../../domain/service.js';
import { chooseServer } from '../../util/service-address.js';
import { explain } from './explain.js';
import { pauseSeconds } from './rate-limit.js';

export const githubService: ServiceDefinition = {
  servers: ({ base_url }) => ({ default: chooseServer(base_url, 'https://api.github.com') }),
  headers: {
    // Plain JSON second: proxies and older Enterprise servers know only that.
    accept: 'application/vnd.github+json, application/json;q=0.9',
    'x-github-api-version': '2022-11-28',
  },
  explain,
  pause: pauseSeconds,
};
