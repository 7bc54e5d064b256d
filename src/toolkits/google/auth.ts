/** Signing in to Google: a person with OAuth, or a service account with its key. */
import type { AuthScheme } from '../../domain/connection.js';
import { exchangeServiceAccountKey } from './service-account.js';

/** `scopes` are those of all tools of the toolkit. A person grants them one by one; a service account's token has all. */
export const googleSchemes = (scopes: readonly string[]): readonly AuthScheme[] => [
  { id: 'oauth2', kind: 'oauth2', title: 'Sign in with Google', provider: 'google', scopes: ['openid', 'email'] },
  {
    id: 'service_account',
    kind: 'service_account',
    title: 'Service account',
    provider: 'google',
    scopes,
    fields: [
      { name: 'key', title: 'Key file', description: 'The whole text of the JSON key file', secret: true },
      {
        name: 'subject',
        title: 'User to act as',
        description: 'E-mail address; needs domain-wide delegation. Gmail has no mailbox without it',
        secret: false,
        optional: true,
        pattern: '[^\\s@]+@[^\\s@]+',
      },
    ],
    exchange: exchangeServiceAccountKey,
  },
];
