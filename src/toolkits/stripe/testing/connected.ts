/** Options of `createTestHelve` for a plane with Stripe alone, one account, and no tool denied. */
import { stripe } from '../toolkit.js';

export const testKey = 'sk_test_0123456789abcdef';

export function connectedTo(baseUrl: string, more: { readonly key?: string; readonly check?: boolean } = {}) {
  const { key = testKey, check = false } = more;
  return {
    nativeToolkits: [stripe],
    config: `toolkits:\n  stripe:\n    base_url: ${baseUrl}\n`,
    connections: [{ toolkit: 'stripe', name: 'Shop', scheme: 'api_key', credentials: { key }, check }],
    policies: [{ id: 'all', effect: 'allow' as const, when: {} }],
  };
}

/** The tool's name as models see it. */
export const named = (tool: string): string => `shop__${tool}`;
