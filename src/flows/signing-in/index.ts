/** How people get a session: the last step of every sign-in, and signing in with an account at an OpenID provider. */
export { createIdentityActs } from './identity-acts.js';
export { openSession } from './open-session.js';
