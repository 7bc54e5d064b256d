/** The service behind the tools. Files go to a separate host, each to an address that Slack creates for it. */
import type { ServiceDefinition } from '../../domain/service.js';
import { chooseServer } from '../../util/service-address.js';
import { explain } from './explain.js';

export const slackService: ServiceDefinition = {
  servers: ({ base_url, files_base_url }) => ({
    default: chooseServer(base_url, 'https://slack.com/api'),
    files: chooseServer(files_base_url, 'https://files.slack.com'),
  }),
  headers: { accept: 'application/json, */*;q=0.5' },
  explain,
  timeoutMs: 60_000,
};
