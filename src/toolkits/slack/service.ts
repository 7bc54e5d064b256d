/** The service behind the tools. Files go to a separate host, each to an address that Slack creates for it. */
import type { JsonValue } from '../../domain/json.js';
import type { ServerAddress, ServiceDefinition } from '../../domain/service.js';
import { explain } from './explain.js';

export const slackService: ServiceDefinition = {
  servers: ({ base_url, files_base_url }) => ({
    default: named(base_url) ?? { url: 'https://slack.com/api' },
    files: named(files_base_url) ?? { url: 'https://files.slack.com' },
  }),
  headers: { accept: 'application/json, */*;q=0.5' },
  explain,
  timeoutMs: 60_000,
};

const named = (url: JsonValue | undefined): ServerAddress | undefined =>
  typeof url === 'string' ? { url, named: true } : undefined;
