/** Connected accounts at Composio. Token data in the responses is dropped here, before other code sees it. */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { defined } from '../../util/defined.js';
import { parseUrl } from '../../util/parse-url.js';
import type { Requests } from './requests.js';
import { accountLink, type ConnectedAccount, connectedAccount, createdAccount } from './shapes.js';

export interface AccountLink {
  readonly authConfigId: string;
  readonly userId: string;
  readonly callbackUrl: string;
  /** Fields that the app needs before the sign-in, such as a subdomain. */
  readonly data?: JsonObject | undefined;
}

export interface NewAccount extends AccountLink {
  readonly scheme: string;
  /** The credentials of the scheme, if it is not a sign-in. */
  readonly data?: JsonObject | undefined;
}

export interface StartedAccount {
  readonly id: string;
  readonly redirectUrl?: string;
}

export interface AccountCalls {
  /** Undefined if Composio does not know the account. */
  findAccount(id: string): Promise<ConnectedAccount | undefined>;
  createAccount(account: NewAccount): Promise<StartedAccount>;
  /** A page of Composio where the person signs in or enters the fields. */
  linkAccount(link: AccountLink): Promise<StartedAccount>;
  /** Returns false if the account no longer existed. */
  deleteAccount(id: string): Promise<boolean>;
}

const accounts = '/connected_accounts';
const account = '/connected_accounts/{}';
const link = '/connected_accounts/link';

/** Schemes whose accounts are connected on another site's page. */
export const redirectSchemes: ReadonlySet<string> = new Set(['OAUTH1', 'OAUTH2', 'DCR_OAUTH']);

/** Returns the account methods over `requests`. */
export function createAccountCalls(requests: Requests): AccountCalls {
  return {
    findAccount: (id) => requests.read({ route: account, parts: [id], accept: [404] }, connectedAccount.optional()),
    createAccount: (wanted) => createAccount(requests, wanted),
    async linkAccount({ authConfigId, userId, callbackUrl, data }) {
      const json = {
        auth_config_id: authConfigId,
        user_id: userId,
        callback_url: callbackUrl,
        ...defined({ connection_data: data }),
      };
      const started = await requests.read({ method: 'POST', route: link, json }, accountLink);
      return { id: started.connected_account_id, redirectUrl: webAddress(started.redirect_url, link) };
    },
    async deleteAccount(id) {
      const request = { method: 'DELETE', route: account, parts: [id], accept: [404], repeatable: true } as const;
      return (await requests.json(request)) !== undefined;
    },
  };
}

async function createAccount(requests: Requests, wanted: NewAccount): Promise<StartedAccount> {
  const { authConfigId, userId, callbackUrl, scheme, data } = wanted;
  const redirects = redirectSchemes.has(scheme);
  const state = { authScheme: scheme, val: { status: redirects ? 'INITIALIZING' : 'ACTIVE', ...data } };
  const json = {
    auth_config: { id: authConfigId },
    connection: { user_id: userId, callback_url: callbackUrl, state },
  };
  const answer = await requests.read({ method: 'POST', route: accounts, json }, createdAccount);
  if (!redirects) return { id: answer.id };
  const redirectUrl = answer.redirect_url ?? answer.redirect_uri ?? answer.connectionData?.val.redirectUrl;
  if (redirectUrl === undefined || redirectUrl === '')
    throw new HelveError('upstream_failed', `Composio's answer to POST ${accounts} contains no sign-in page`, {
      details: { route: `POST ${accounts}`, field: 'redirect_url' },
    });
  return { id: answer.id, redirectUrl: webAddress(redirectUrl, accounts) };
}

/** A browser is sent to this address. */
function webAddress(text: string, route: string): string {
  if (['https:', 'http:'].includes(parseUrl(text)?.protocol ?? '')) return text;
  throw new HelveError('upstream_failed', `Composio's answer to POST ${route} has no web address at redirect_url`, {
    details: { route: `POST ${route}`, field: 'redirect_url' },
  });
}
