/** What the librarian's tools share: their configuration, the operator's settings and some fields. */
import { z } from 'zod';
import type { EgressLimits } from '../../domain/tool.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import { parseUrl } from '../../util/parse-url.js';

export const collection = z.string().min(1).max(512).describe('Collection path, e.g. /db/agents/greeter');
export const optionalCollection = z
  .string()
  .min(1)
  .max(512)
  .optional()
  .describe('Only documents in this collection and those below it; default: all that are allowed');
export const path = z.string().min(1).max(1_024).describe('Full path of the document, e.g. /db/agents/greeter/1.xml');

export const configSchema = z.strictObject({
  allowed_collections: z
    .array(z.string().regex(/^\//, 'begins with /').max(512))
    .min(1)
    .optional()
    .describe('Collections with all below them (/db/agents), or patterns of documents (/db/*/public/**)'),
  max_document_bytes: z.int().positive().max(20_000_000).default(1_000_000),
  query_timeout_seconds: z.number().positive().max(30).default(2),
  memory_mb: z.int().min(64).max(2_048).default(256).describe('Of the process that parses and queries'),
});
export type LibrarianConfig = z.infer<typeof configSchema>;

export const settingsSchema = z.strictObject({
  exist: z
    .strictObject({
      url: z
        .string()
        .regex(/^https?:\/\/\S+$/)
        .describe('REST address, e.g. http://127.0.0.1:8080/exist/rest'),
      user: z.string().optional(),
      password: z.string().optional(),
    })
    .optional()
    .describe('An eXist-db that holds the documents, instead of the embedded engine'),
});
export type LibrarianSettings = z.infer<typeof settingsSchema>;

/** Allows the one server that the operator named, also in a private network; nothing without one. */
export function egress(_config: LibrarianConfig, { exist }: LibrarianSettings): EgressLimits {
  if (!exist || !parseUrl(exist.url)) return { allowedDomains: [] };
  const { host: written, port } = httpEndpoint(exist.url);
  const host = written.replace(/^\[|\]$/g, '');
  return {
    allowedDomains: [host],
    operatorHosts: [{ host, port }],
    timeoutMs: 30_000,
    maxBytes: 20_000_000,
    maxRedirects: 0,
  };
}
