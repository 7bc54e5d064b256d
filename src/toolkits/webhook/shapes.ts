/** What the operator sets for webhooks: per agent in `tool_config`, for all in `toolkits.webhook` of `helve.yaml`. */
import { z } from 'zod';
import { urlPatternShape } from './url-pattern.js';

const secret = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);

export const webhookConfig = z.strictObject({
  allowed_urls: z
    .array(z.string().max(2_048).regex(urlPatternShape))
    .default([])
    .describe(
      'https://host/path exactly; /* at the end for all below; https://*.example.com/… for subdomains. None: nothing',
    ),
  timeout_seconds: z.int().min(1).max(60).default(15),
  max_bytes: z.int().positive().max(10_485_760).default(1_048_576).describe('Of the payload as JSON'),
  max_response_bytes: z.int().positive().max(1_048_576).default(65_536).describe('The rest of a response is cut'),
});

export const webhookSettings = z.strictObject({
  signing_secrets: z
    .record(z.string(), z.union([secret, z.array(secret).min(1).max(5)]))
    .default({})
    .describe('By URL pattern, or `default`: whsec_…; several while one replaces another'),
});

export type WebhookConfig = z.infer<typeof webhookConfig>;
export type WebhookSettings = z.infer<typeof webhookSettings>;
