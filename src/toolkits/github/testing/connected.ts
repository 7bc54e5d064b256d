/** Options of `createTestHelve` for a plane with GitHub alone, one account, and no tool denied. */
import { github } from '../toolkit.js';

export function connectedTo(baseUrl: string, token = 'ghp_0123456789abcdef') {
  return {
    nativeToolkits: [github],
    config: `toolkits:\n  github:\n    base_url: ${baseUrl}\n`,
    connections: [{ toolkit: 'github', name: 'Work GitHub', scheme: 'token', credentials: { token } }],
    policies: [{ id: 'destructive', effect: 'allow' as const, when: {} }],
  };
}

/** The tool's name as models see it. */
export const named = (tool: string): string => `work-github__${tool}`;
