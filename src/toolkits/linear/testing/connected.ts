/** Options of `createTestHelve` for a plane with only Linear, one account, and nothing denied. */
import { linear } from '../toolkit.js';

export const apiKey = 'lin_api_0123456789abcdef';

export const connectedTo = (baseUrl: string) => ({
  nativeToolkits: [linear],
  config: `toolkits:\n  linear:\n    base_url: ${baseUrl}\n`,
  connections: [{ toolkit: 'linear', name: 'Team', scheme: 'api_key', credentials: { key: apiKey } }],
  policies: [{ id: 'destructive', effect: 'allow' as const, when: {} }],
});

/** As models see it. */
export const named = (tool: string): string => `team__${tool}`;
