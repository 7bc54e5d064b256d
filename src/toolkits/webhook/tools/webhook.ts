import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { allowedHosts, allowedUrl, buildBody, checkedHeaders, sendOnce, signatureHeaders } from '../send.js';
import { webhookConfig, webhookSettings } from '../shapes.js';

/** Redirects are not followed, so that content signed for one receiver is not sent to another. */
export const webhookTool = defineTool({
  name: 'webhook',
  title: 'Call a webhook',
  description:
    'Send a JSON payload to an allowed webhook URL, once. Any status is an answer; redirects are not followed.',
  searchWords: 'notify ping post payload hook trigger external system callback push event',
  inputSchema: z.strictObject({
    url: z.string().min(1).max(2_048).describe('https: address of the webhook'),
    payload: z.record(z.string(), z.unknown()).describe('JSON object to send'),
    method: z.enum(['POST', 'PUT']).default('POST'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('Only a few are allowed: idempotency-key, x-request-id …'),
  }),
  outputSchema: z.strictObject({
    status_code: z.int(),
    response: z.string().describe('Body of the answer'),
    truncated: z.boolean().describe('Whether response was cut at the size limit'),
    webhook_id: z.string().describe('By which the receiver recognises this message'),
  }),
  configSchema: webhookConfig,
  settingsSchema: webhookSettings,
  annotations: effects.creates,
  idempotency: {
    by: 'key',
    how: 'The webhook-id stays the same, by which a receiver recognises a second delivery as Standard Webhooks demands; one that does not look at it acts twice',
  },
  capabilities: ['call webhook', 'send notification'],
  examples: [{ input: { url: 'https://hooks.slack.com/services/T0/B0/x', payload: { text: 'Task completed!' } } }],
  timeoutMs: 120_000,
  egress: (config) => ({
    allowedDomains: allowedHosts(config),
    maxRedirects: 0,
    timeoutMs: config.timeout_seconds * 1_000,
    maxBytes: config.max_response_bytes,
  }),
  check(input, { config }) {
    allowedUrl(input.url, config);
    checkedHeaders(input.headers);
    buildBody(input.payload, config);
  },
  async execute(input, context) {
    const url = allowedUrl(input.url, context.config);
    const given = checkedHeaders(input.headers);
    const body = buildBody(input.payload, context.config);
    const headers = { ...given, 'content-type': 'application/json', ...signatureHeaders(url, body, context) };
    const answer = await sendOnce({ url, method: input.method, headers, body }, context);
    const { status, truncated } = answer;
    return { status_code: status, response: answer.text(), truncated, webhook_id: headers['webhook-id'] };
  },
});
