/** Who may call: agents, users, API keys and their credentials. */
export { requirePermission } from '../domain/principal.js';
export { type Authenticator, createAuthenticator, findActingLost, Misdirected, mayNotActFor } from './authenticate.js';
export { keyBehind } from './credentials.js';
export { createDirectory, type Directory } from './directory.js';
export {
  createOpenIdClient,
  type OpenIdClaims,
  type OpenIdClient,
  type OpenIdRequest,
  readClaim,
} from './openid-client.js';
export { isLive, newCredential, secretShape } from './secrets.js';
