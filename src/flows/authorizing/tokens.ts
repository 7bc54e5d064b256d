/**
 * The token endpoint: which requests it reads, and what ends when a token is revoked. A code or token is exchanged in
 * `exchange.ts`.
 *
 * Stricter than the library: no client secrets, parameters once, the resource, `invalid_grant` for a different address,
 * and our own clock.
 */
import type { AuthorizationActs } from '../../domain/authorization.js';
import { type AuthorizationParts, endAuthorization, findToken, grantTypes, refusal } from './parts.js';
import { shapeProblem } from './request.js';

const parameters = [
  'grant_type',
  'code',
  'redirect_uri',
  'client_id',
  'client_secret',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  'client_assertion',
  'client_assertion_type',
  'token',
  'token_type_hint',
];

export function createTokenActs(parts: AuthorizationParts): Pick<AuthorizationActs, 'exchangeToken' | 'revokeToken'> {
  return {
    async exchangeToken(form, authorization) {
      const misshapen = shapeProblem(form, parameters);
      if (misshapen !== undefined) return refusal(400, 'invalid_request', misshapen);
      if (form.has('client_assertion') || form.has('client_secret') || authorization !== undefined)
        return refusal(401, 'invalid_client', 'Only public clients are served: send client_id and no secret');
      const grant = form.get('grant_type') ?? '';
      if (grant === '') return refusal(400, 'invalid_request', 'grant_type is missing');
      if (!grantTypes.includes(grant))
        return refusal(400, 'unsupported_grant_type', `grant_type must be one of: ${grantTypes.join(' ')}`);
      // Loaded at the first exchange, with the library.
      const { exchange } = await import('./exchange.js');
      return exchange(parts, form);
    },
    async revokeToken(form) {
      const misshapen = shapeProblem(form, parameters);
      if (misshapen !== undefined) return refusal(400, 'invalid_request', misshapen);
      const token = form.get('token') ?? '';
      const clientId = form.get('client_id') ?? '';
      if (token === '' || clientId === '') return refusal(400, 'invalid_request', 'token and client_id are needed');
      const authorization = (await findToken(parts, token))?.authorization;
      // RFC 7009: an unknown token counts as revoked. The caller does not learn that it belongs to another program.
      if (authorization?.clientId === clientId) await endAuthorization(parts, authorization, 'revoked by the program');
      return { status: 200 };
    },
  };
}
