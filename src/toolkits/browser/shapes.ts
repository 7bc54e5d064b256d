/** What the tools of the browser share. */
import { z } from 'zod';
import type { EgressLimits } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';

const domains = z.array(z.string().min(1)).describe('Host names; *.example.com stands for its subdomains');

export const browserConfig = z.strictObject({
  allowed_domains: domains.optional(),
  blocked_domains: domains.optional(),
  timeout_seconds: z.number().positive().max(120).default(45),
});

export const pageUrl = z.string().min(1).max(8_192).describe('http: or https: address');
export const waitMs = z.int().min(0).max(20_000).optional().describe('Milliseconds to wait after the page has loaded');

export function browserEgress(config: z.infer<typeof browserConfig>): EgressLimits {
  return {
    timeoutMs: config.timeout_seconds * 1_000,
    ...defined({ allowedDomains: config.allowed_domains, blockedDomains: config.blocked_domains }),
  };
}
