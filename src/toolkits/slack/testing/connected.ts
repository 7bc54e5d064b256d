/** Options of `createTestHelve` for a plane with only Slack, one account, and nothing denied. */
import { slack } from '../toolkit.js';

export const botToken = 'xoxb-0123456789-abcdef';

export const connectedTo = (baseUrl: string, filesBaseUrl = baseUrl) => ({
  nativeToolkits: [slack],
  config: `toolkits:\n  slack:\n    base_url: ${baseUrl}\n    files_base_url: ${filesBaseUrl}\n`,
  connections: [{ toolkit: 'slack', name: 'Team', scheme: 'bot_token', credentials: { token: botToken } }],
  policies: [{ id: 'destructive', effect: 'allow' as const, when: {} }],
});

/** As models see it. */
export const named = (tool: string): string => `team__${tool}`;
