/** The ways to sign in to Stripe: with a secret or restricted key, or through Connect OAuth. */
import type { Account, ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import { defined } from '../../util/defined.js';

export const stripeAuth: ToolkitAuth = {
  schemes: [
    {
      id: 'api_key',
      kind: 'api_key',
      title: 'API key',
      fields: [
        {
          name: 'key',
          title: 'Secret or restricted key',
          description:
            'dashboard.stripe.com/apikeys; sk_… or rk_…. A restricted key needs the permissions of what the tools do.',
          secret: true,
          pattern: '^(?:sk|rk)_[A-Za-z0-9_]{8,255}$',
        },
      ],
      placement: [{ in: 'header', name: 'authorization', value: 'Bearer {key}' }],
    },
    { id: 'oauth2', kind: 'oauth2', title: 'Sign in with Stripe', provider: 'stripe' },
  ],
  identify,
  impliedScopes: { read_write: ['read_only'] },
};

interface RawAccount {
  readonly id: string;
  readonly email?: string | null;
  readonly business_profile?: { readonly name?: string | null } | null;
  readonly settings?: { readonly dashboard?: { readonly display_name?: string | null } | null } | null;
}

async function identify(service: ServiceClient): Promise<Account> {
  const account = await readAccount(service);
  return { ...account, ...defined({ environment: await readEnvironment(service) }) };
}

/**
 * An account has the same id in live mode and in test mode: only the key decides which it is. Undefined if Stripe does not say; a refusal
 * names the beginning of the key.
 */
async function readEnvironment(service: ServiceClient): Promise<'live' | 'test' | undefined> {
  try {
    const { livemode } = await service.json<{ readonly livemode?: boolean }>({ path: '/v1/balance' });
    return livemode === undefined ? undefined : livemode ? 'live' : 'test';
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'forbidden') throw error;
    const [, mode] = /\bkey '[rs]k_(live|test)_/.exec(error.message) ?? [];
    return mode as 'live' | 'test' | undefined;
  }
}

async function readAccount(service: ServiceClient): Promise<Account> {
  try {
    const { id, email, business_profile, settings } = await service.json<RawAccount>({ path: '/v1/account' });
    const name = settings?.dashboard?.display_name || business_profile?.name;
    return { id, ...defined({ name: name || undefined, email: email || undefined }) };
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'forbidden') throw error;
    // A restricted key may not read the account, but the refusal names the account.
    const [, id] = /\baccount '(acct_[A-Za-z0-9]+)'/.exec(error.message) ?? [];
    if (id === undefined) throw error;
    return { id };
  }
}
