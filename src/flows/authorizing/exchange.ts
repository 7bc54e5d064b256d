/**
 * Exchanges a code or a refresh token. The library determines the order of checks and the error texts; this file defines what
 * a code or token is, that each is used once, and what ends when one is sent a second time.
 */
import { createHash } from 'node:crypto';
import OAuth2Server from '@node-oauth/oauth2-server';
import type { Authorization, AuthorizationScope, OAuthAnswer } from '../../domain/authorization.js';
import { HelveError } from '../../domain/errors.js';
import type { Credential, CredentialKind } from '../../domain/principal.js';
import { isLive, newCredential } from '../../principals/index.js';
import { sha256 } from '../../util/hash.js';
import {
  type AuthorizationParts,
  at,
  endAuthorization,
  findToken,
  grantTypes,
  refusal,
  row,
  storedAt,
} from './parts.js';

const accessSeconds = 60 * 60;
const refreshSeconds = 30 * 24 * 60 * 60;
/** How long a second use of a code or refresh token by its own program counts as a retry. */
const graceSeconds = 10;
const { InvalidGrantError, OAuthError } = OAuth2Server;

/** Codes are created when the person agrees, not by the library. */
type Model = Omit<OAuth2Server.AuthorizationCodeModel, 'saveAuthorizationCode'> & OAuth2Server.RefreshTokenModel;

/** Resolves with the answer of the token endpoint to a form that `exchangeToken` has read. Throws what the store throws. */
export async function exchange(parts: AuthorizationParts, form: URLSearchParams): Promise<OAuthAnswer> {
  const server = new OAuth2Server({
    model: createModel(parts, form),
    accessTokenLifetime: accessSeconds,
    refreshTokenLifetime: refreshSeconds,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
  });
  // The library checks for a body and its type; both were already read.
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' };
  const request = new OAuth2Server.Request({ method: 'POST', headers, query: {}, body: Object.fromEntries(form) });
  const response = new OAuth2Server.Response({});
  try {
    await server.token(request, response);
    return { status: 200, body: response.body as Record<string, unknown> };
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    const { inner } = thrown as { inner?: unknown };
    // The library wraps what the model threw; a store that is down is not the program's fault.
    if (thrown.name === 'server_error') throw inner instanceof Error ? inner : thrown;
    const isOtherAddress = /redirect_uri/.test(thrown.message);
    return refusal(thrown.code, isOtherAddress ? 'invalid_grant' : thrown.name, thrown.message);
  }
}

function createModel(parts: AuthorizationParts, form: URLSearchParams): Model {
  /** The authorization of this request's code or refresh token: set by the look-up, which always comes first. */
  let present: Authorization | undefined;
  let refresh: Credential | undefined;

  return {
    getClient: async (id) => (await parts.clients.find(id, false)) !== 'unknown' && describeClient(id),
    async getAuthorizationCode(code) {
      const found = await parts.storage.system.findAuthorization(sha256(code));
      if (found === undefined || found.status === 'asked') return false;
      if (found.status !== 'agreed')
        return cameBack(parts, found, { what: 'the code', form, usedAt: found.exchangedAt });
      if (found.expiresAt <= (await storedAt(parts))) return false;
      requireResource(form, found);
      present = found;
      return {
        authorizationCode: code,
        expiresAt: farFuture(),
        redirectUri: found.redirectUri,
        scope: [...found.scopes],
        client: describeClient(found.clientId),
        user: { id: found.user.id },
        codeChallenge: found.challenge,
        codeChallengeMethod: 'S256',
      };
    },
    async revokeAuthorizationCode() {
      const found = known(present);
      const { authorizations } = parts.storage.workspace(found.workspaceId);
      const usedAt = await storedAt(parts);
      const redeemed = await authorizations.redeem(found.id, at(parts, refreshSeconds), usedAt);
      return redeemed || cameBack(parts, found, { what: 'the code', form, usedAt });
    },
    async getRefreshToken(token) {
      const found = await findToken(parts, token);
      if (found?.credential.kind !== 'refresh_token') return false;
      const { credential, authorization } = found;
      const usedAt = credential.revokedAt;
      if (usedAt !== undefined) return cameBack(parts, authorization, { what: 'a refresh token', form, usedAt });
      if (!isLive(credential, parts.now())) return false;
      requireResource(form, authorization);
      present = authorization;
      refresh = credential;
      const { clientId, scopes, user } = authorization;
      return { refreshToken: token, client: describeClient(clientId), scope: [...scopes], user: { id: user.id } };
    },
    // It is used up in the commit that issues the next pair, so that a process that dies between the two uses up
    // nothing.
    revokeToken: async () => true,
    async saveToken(token, client, user) {
      const issued = await issue(parts, known(present), {
        scopes: (token.scope ?? []) as AuthorizationScope[],
        spent: refresh,
      });
      return { ...token, ...issued, client, user };
    },
    getAccessToken: async () => false,
  };
}

interface Return {
  readonly what: 'the code' | 'a refresh token';
  readonly form: URLSearchParams;
  /** When it was valid. */
  readonly usedAt: string | undefined;
}

/**
 * A code or token that was already used has been sent again; it is never accepted again. Shortly after its use, from
 * its own program, that is a retry, or two processes of one program at the same time: they get an explanation, and the
 * first tokens stay valid. In every other case it may have been stolen, and everything issued from it ends (OAuth 2.1,
 * 4.1.3 and 4.3.1; RFC 9700, 4.14.2). Returns false in that case, so that the library words the error.
 */
async function cameBack(
  parts: AuthorizationParts,
  authorization: Authorization,
  { what, form, usedAt }: Return,
): Promise<false> {
  if (authorization.status === 'ended') return false;
  const isRecent = (usedAt ?? '') > (await storedAt(parts, -graceSeconds));
  if (isRecent && isOwnProgram(form, authorization)) throw usedMomentsAgo(what);
  await endAuthorization(parts, authorization, `${what} was sent again`);
  return false;
}

/** A code also comes with its verifier, which only the requesting program knows. */
function isOwnProgram(form: URLSearchParams, { clientId, challenge, redirectUri }: Authorization): boolean {
  if (form.get('client_id') !== clientId) return false;
  if (form.get('grant_type') !== 'authorization_code') return true;
  const verifier = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return verifier === challenge && form.get('redirect_uri') === redirectUri;
}

function usedMomentsAgo(what: Return['what']): Error {
  return new InvalidGrantError(
    `Invalid grant: ${what} was used a moment ago; continue with the tokens that were issued for it`,
  );
}

/** `spent`: the refresh token that these replace; absent after a code. */
async function issue(
  parts: AuthorizationParts,
  authorization: Authorization,
  { scopes, spent }: { readonly scopes: readonly AuthorizationScope[]; readonly spent: Credential | undefined },
) {
  const { id, workspaceId, agentId, clientName: name, user, parentId } = authorization;
  const parent =
    parentId === undefined ? undefined : await parts.storage.workspace(workspaceId).findCredential(parentId);
  const principalId = agentId ?? user.id;
  const make = (kind: CredentialKind, expiresInSeconds: number, permissions = scopes) =>
    newCredential(kind, principalId, permissions, { name, expiresInSeconds }, parts.now(), parent);
  const access = make(agentId === undefined ? 'user_token' : 'agent_token', accessSeconds);
  const refresh = make('refresh_token', refreshSeconds, []);
  const rows = [access, refresh].map(({ stored }) =>
    row(parts, 'credential.created', user, {
      credentialId: stored.id,
      kind: stored.kind,
      principalId,
      authorizationId: id,
      permissions: [...stored.permissions],
    }),
  );
  const usedAt = await storedAt(parts);
  await parts.storage.workspace(workspaceId).change(rows, async (tables) => {
    // It may have ended since: the same code or token was sent at the same time, or a person revoked it.
    const open = await tables.extendAuthorization(id, at(parts, refreshSeconds));
    if (!open) throw new InvalidGrantError('Invalid grant: it has been revoked');
    // Of several simultaneous requests exactly one uses it up. The others come from the same program: the library has
    // checked.
    if (spent && !(await tables.spendCredential(spent.id, usedAt))) throw usedMomentsAgo('a refresh token');
    for (const { stored } of [access, refresh]) await tables.insertCredential({ ...stored, authorizationId: id });
  });
  return { accessToken: access.issued.secret, refreshToken: refresh.issued.secret };
}

/** The library only reads what the client may do. */
function describeClient(id: string) {
  return { id, grants: [...grantTypes] };
}

function requireResource(form: URLSearchParams, { resource }: Authorization): void {
  const asked = form.get('resource');
  if (asked !== null && asked !== resource)
    throw new OAuthError('resource differs from the one that was agreed to', { name: 'invalid_target', code: 400 });
}

/** The library would compare with its own clock; ours has already been used. */
function farFuture(): Date {
  return new Date(Date.now() + refreshSeconds * 1_000);
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new HelveError('internal', 'A token without the code that it was issued for');
  return value;
}
