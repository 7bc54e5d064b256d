/** Accounts: credentials at rest and in flight, OAuth, renewal, and the service behind them. */
export {
  attach,
  type CredentialContent,
  isUsable,
  listSecrets,
  parseContent,
  renewalTime,
} from './content.js';
export { endsExchange, endsRefresh } from './ends-account.js';
export { createGate, type Gate } from './gate.js';
export {
  type AuthorizationRequest,
  authorizationUrl,
  exchangeCode,
  newState,
  newVerifier,
  type OAuthClient,
  type OAuthTokens,
  refreshTokens,
  revokeToken,
} from './oauth/client.js';
export { type Discovered, discover, registerClient } from './oauth/discovery.js';
export { providerFor, providerSlugs } from './providers/index.js';
export { heldContent, type LockParts, renewed, tradeTimeoutMs } from './renewal.js';
export { type CallScrub, createCallScrub, createPlainScrub } from './scrub.js';
export { type AttachedCredentials, createServiceClient, type ServiceClientParts } from './service-client.js';
