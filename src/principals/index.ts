/** Who may knock: agents, users, API keys and what stands for them. */
export { type Authenticator, createAuthenticator, Misdirected } from './authenticate.js';
export { createDirectory, type Directory, requirePermission } from './directory.js';
export { isLive, newCredential, secretShape } from './secrets.js';
