/** The OAuth servers of the integrations in this repository, according to their documentation. */
import type { OAuthProvider } from '../../domain/connection.js';

export const firstParty: readonly OAuthProvider[] = [
  {
    slug: 'google',
    name: 'Google',
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenEndpoint: 'https://oauth2.googleapis.com/token',
    revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
    issuer: 'https://accounts.google.com',
    tokenAuth: 'client_secret_post',
    // Without these, Google gives a refresh token only the first time, and forgets what was granted before.
    authorizationParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    consoleUrl: 'https://console.cloud.google.com/apis/credentials',
    docsUrl: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  },
  {
    slug: 'github',
    name: 'GitHub',
    authorizationEndpoint: 'https://github.com/login/oauth/authorize',
    tokenEndpoint: 'https://github.com/login/oauth/access_token',
    tokenAuth: 'client_secret_post',
    consoleUrl: 'https://github.com/settings/developers',
    docsUrl: 'https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
  },
  {
    slug: 'linear',
    name: 'Linear',
    authorizationEndpoint: 'https://linear.app/oauth/authorize',
    tokenEndpoint: 'https://api.linear.app/oauth/token',
    revocationEndpoint: 'https://api.linear.app/oauth/revoke',
    scopeDelimiter: ',',
    tokenAuth: 'client_secret_post',
    consoleUrl: 'https://linear.app/settings/api/applications/new',
    docsUrl: 'https://linear.app/developers/oauth-2-0-authentication',
  },
  {
    slug: 'slack',
    name: 'Slack',
    authorizationEndpoint: 'https://slack.com/oauth/v2/authorize',
    tokenEndpoint: 'https://slack.com/api/oauth.v2.access',
    revocationEndpoint: 'https://slack.com/api/auth.revoke',
    scopeDelimiter: ',',
    consoleUrl: 'https://api.slack.com/apps',
    docsUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
  },
  {
    slug: 'stripe',
    name: 'Stripe',
    authorizationEndpoint: 'https://connect.stripe.com/oauth/authorize',
    tokenEndpoint: 'https://connect.stripe.com/oauth/token',
    tokenAuth: 'client_secret_post',
    pkce: 'none',
    consoleUrl: 'https://dashboard.stripe.com/settings/connect',
    docsUrl: 'https://docs.stripe.com/connect/oauth-reference',
  },
];
