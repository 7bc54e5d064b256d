/**
 * Where Google's services are and how they refuse. The paths of requests are whole (`/gmail/v1/…`), so that one
 * `base_url` can stand for all of them.
 */
import type { Account } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { ServerAddress, ServiceClient, ServiceDefinition } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
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
          named(settings[`${name}_base_url`] ?? settings.base_url) ?? { url: addresses[name] },
        ]),
      ),
    headers: { accept: 'application/json' },
    explain: explainGoogle,
    // A message of 25 MB comes as base64.
    maxBytes: 40 * 1_048_576,
  };
}

const named = (url: JsonObject[string] | undefined): ServerAddress | undefined =>
  typeof url === 'string' ? { url, named: true } : undefined;

interface UserInfo {
  readonly id?: string;
  readonly sub?: string;
  readonly email?: string;
  readonly name?: string;
}

/** Both ways of signing in ask for `email`, without which Google does not say whose token it is. */
export async function identifyGoogle(service: ServiceClient): Promise<Account> {
  const { id, sub, email, name } = await service.json<UserInfo>({ server: 'userinfo', path: '/oauth2/v2/userinfo' });
  const stableId = id ?? sub ?? email;
  if (stableId === undefined) {
    throw new HelveError('upstream_failed', 'Google does not say whose account this is', {
      hint: 'Connect again, and allow that the e-mail address is seen.',
    });
  }
  return { id: stableId, ...defined({ name, email }) };
}
