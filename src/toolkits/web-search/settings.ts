/** `toolkits.web_search` in `helve.yaml`. */
import { z } from 'zod';
import type { EgressLimits } from '../../domain/tool.js';
import { httpEndpoint } from '../../util/http-endpoint.js';

const engineNames = ['brave', 'tavily', 'serpapi', 'google', 'searxng', 'duckduckgo'] as const;

export const searchSettings = z.strictObject({
  engine: z.enum(engineNames).default('duckduckgo'),
  api_key: z.string().optional(),
  /** Google's `cx`. */
  engine_id: z.string().optional(),
  /** The address of the engine; required for one's own SearXNG. */
  base_url: z.url({ protocol: /^https?$/ }).optional(),
});

export type SearchSettings = z.infer<typeof searchSettings>;

/** Only the engine may be reached; one that the operator named may be in a private network. */
export function searchEgress(address: string, named: boolean): EgressLimits {
  const endpoint = httpEndpoint(address);
  return {
    allowedDomains: [endpoint.host],
    ...(named ? { operatorHosts: [endpoint] } : {}),
    maxRedirects: 0,
    maxBytes: 2 * 1024 * 1024,
    timeoutMs: 20_000,
  };
}
