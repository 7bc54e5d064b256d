import { z } from 'zod';
import type { HttpResponse } from '../../../domain/context.js';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { isUtf8 } from '../../../util/decode-charset.js';
import { defined } from '../../../util/defined.js';

const domains = z.array(z.string().min(1)).describe('Host names; *.example.com stands for its subdomains');

/** The egress wall, not this file, decides which addresses can be reached. */
export const fetchUrl = defineTool({
  name: 'fetch_url',
  title: 'Fetch a URL',
  description: 'Send an HTTP request to a public address and return status, headers and body. Redirects are followed.',
  searchWords:
    'call API endpoint REST GET POST PUT PATCH DELETE request headers JSON response status code curl ping download link is the site up online reachable check address',
  inputSchema: z.strictObject({
    url: z.string().min(1).max(8_192).describe('http: or https: address'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).default('GET'),
    headers: z.record(z.string(), z.string()).optional().describe('Request headers'),
    body: z.string().optional().describe('Request body'),
  }),
  outputSchema: z.strictObject({
    status_code: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string().describe('As text. Of a long JSON body result_read reads values: $.body.items[0].name'),
    encoding: z.enum(['text', 'base64']).describe('How body is written: text, or base64 for binary content'),
    url: z.string().describe('The address that answered, after redirects'),
    truncated: z.boolean().describe('Whether the body was cut at the size limit'),
  }),
  configSchema: z.strictObject({
    allowed_domains: domains.optional(),
    blocked_domains: domains.optional(),
    timeout_seconds: z.number().positive().max(300).default(30),
    max_bytes: z.int().positive().max(52_428_800).default(5_242_880),
    max_redirects: z.int().min(0).max(20).default(5),
  }),
  annotations: effects.runs,
  idempotency: {
    by: 'probe',
    how: 'HTTP allows every method to be repeated except POST and PATCH, which are left to a person',
  },
  capabilities: ['fetch url', 'send request'],
  examples: [{ input: { url: 'https://api.example.com/data' } }],
  egress: (config) => ({
    timeoutMs: config.timeout_seconds * 1_000,
    maxBytes: config.max_bytes,
    maxRedirects: config.max_redirects,
    ...defined({ allowedDomains: config.allowed_domains, blockedDomains: config.blocked_domains }),
  }),
  async probe({ method }) {
    if (method !== 'POST' && method !== 'PATCH') return undefined;
    throw new HelveError('outcome_unknown', `A ${method} may have another effect each time`);
  },
  async execute(input, { http }) {
    const response = await http.fetch(input);
    const binary = isBinary(response);
    return {
      status_code: response.status,
      headers: response.headers,
      body: binary ? Buffer.from(response.body).toString('base64') : response.text(),
      encoding: binary ? 'base64' : 'text',
      url: response.url,
      truncated: response.truncated,
    } as const;
  },
});

function isBinary({ headers, body, truncated }: HttpResponse): boolean {
  const contentType = headers['content-type'];
  if (
    contentType &&
    /^(text\/|application\/([\w.+-]*\+)?(json|xml|javascript|x-www-form-urlencoded|yaml))/i.test(contentType)
  )
    return false;
  return (
    body.subarray(0, 1_024).includes(0) ||
    (contentType !== undefined && /^(image|audio|video|font)\//i.test(contentType)) ||
    !isUtf8(body, truncated)
  );
}
