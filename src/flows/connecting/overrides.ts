/** Which provider data a workspace may override: the keys of its data, with https addresses only. */
import { z } from 'zod';
import type { OAuthProvider } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';

const address = z.url({ protocol: /^https$/ });
const shape = z.strictObject({
  authorizationEndpoint: address.optional(),
  tokenEndpoint: address.optional(),
  revocationEndpoint: address.optional(),
  issuer: z.string().optional(),
  issuerRequired: z.boolean().optional(),
  scopeDelimiter: z.string().max(5).optional(),
  scopeParameter: z.string().max(100).optional(),
  pkce: z.enum(['S256', 'none']).optional(),
  tokenAuth: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  authorizationParameters: z.record(z.string(), z.string()).optional(),
  tokenParameters: z.record(z.string(), z.string()).optional(),
});

/** Throws `invalid_input`. */
export function checkedOverrides(overrides: Partial<OAuthProvider>): JsonObject {
  const parsed = shape.safeParse(overrides);
  if (parsed.success) return parsed.data as JsonObject;
  const [issue] = parsed.error.issues;
  throw new HelveError('invalid_input', `overrides/${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'not valid'}`);
}
