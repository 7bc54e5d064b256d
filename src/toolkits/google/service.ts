/**
 * The addresses of Google's services, and who has signed in. The paths of requests are complete (`/gmail/v1/…`), so that
 * one `base_url` can replace all addresses.
 */
import type { Account } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { ServerAddress, ServiceClient, ServiceDefinition } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { chooseServer } from '../../util/service-address.js';
import { explainGoogle } from './explain.js';

const addresses = {
  gmail: 'https://gmail.googleapis.com',
  sheets: 'https://sheets.googleapis.com',
  calendar: 'https://www.googleapis.com',
  drive: 'https://www.googleapis.com',
  userinfo: 'https://www.googleapis.com',
} as const;

type GoogleService = keyof typeof addresses;

export function googleService(used: readonly GoogleService[]): ServiceDefinition {
  return {
    servers: (settings) =>
      Object.fromEntries(
        used.map((name): [string, ServerAddress] => [
          name === 'gmail' ? 'default' : name,
          chooseServer(settings[`${name}_base_url`] ?? settings.base_url, addresses[name]),
        ]),
      ),
    headers: { accept: 'application/json' },
    explain: explainGoogle,
    // Messages of 25 MB arrive in base64.
    maxBytes: 40 * 1_048_576,
  };
}

interface UserInfo {
  readonly id?: string;
  readonly sub?: string;
  readonly email?: string;
  readonly name?: string;
}

/** Both ways of signing in request the scope `email`, without which Google does not say whose token it is. */
export async function identifyGoogle(service: ServiceClient): Promise<Account> {
  const { id, sub, email, name } = await service.json<UserInfo>({ server: 'userinfo', path: '/oauth2/v2/userinfo' });
  const stableId = id ?? sub ?? email;
  if (stableId === undefined) {
    throw new HelveError('upstream_failed', 'Google did not say whose account this is', {
      hint: 'Connect again, and allow access to the e-mail address.',
    });
  }
  return { id: stableId, ...defined({ name, email }) };
}
