/** Connected accounts at Composio. Token data in the responses is dropped here, before other code sees it. */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { parseUrl } from '../../util/parse-url.js';
import { type Place, readFields, within } from './answer-fields.js';
import { readPage } from './listings.js';
import type { Requests } from './requests.js';
import { accountFields, type ConnectedAccount, type Page } from './shapes.js';

export interface AccountsQuery {
  readonly userId?: string;
  readonly toolkit?: string;
  readonly cursor?: string;
}

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
  listAccounts(query: AccountsQuery): Promise<Page<ConnectedAccount>>;
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
    listAccounts({ userId, toolkit, cursor }) {
      const query = { user_ids: userId, toolkit_slugs: toolkit, limit: 100, cursor };
      return readPage(requests, { route: accounts, query }, cursor, readAccount);
    },
    async findAccount(id) {
      const answer = await requests.json({ route: account, parts: [id], accept: [404] });
      return answer === undefined ? undefined : readAccount(answer, { route: `GET ${account}`, path: '' });
    },
    createAccount: (wanted) => createAccount(requests, wanted),
    async linkAccount({ authConfigId, userId, callbackUrl, data }) {
      const json = {
        auth_config_id: authConfigId,
        user_id: userId,
        callback_url: callbackUrl,
        ...defined({ connection_data: data }),
      };
      const answer = await requests.json({ method: 'POST', route: link, json });
      const { connected_account_id: id, redirect_url } = readFields<{
        connected_account_id: string;
        redirect_url: string;
      }>(
        answer,
        [
          ['connected_account_id', 'text!'],
          ['redirect_url', 'text!'],
        ],
        { route: `POST ${link}`, path: '' },
      );
      return { id, redirectUrl: webAddress(redirect_url, link) };
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
  const answer = readFields<{ id: string; redirect_url?: string | null; redirect_uri?: string | null }>(
    await requests.json({ method: 'POST', route: accounts, json }),
    [
      ['id', 'text!'],
      ['redirect_url', 'text'],
      ['redirect_uri', 'text'],
    ],
    { route: `POST ${accounts}`, path: '' },
  );
  const redirectUrl = answer.redirect_url ?? answer.redirect_uri ?? stateRedirect(answer);
  if (!redirects) return { id: answer.id };
  if (redirectUrl === undefined || redirectUrl === '')
    throw new HelveError('upstream_failed', `Composio's answer to POST ${accounts} contains no sign-in page`, {
      details: { route: `POST ${accounts}`, field: 'redirect_url' },
    });
  return { id: answer.id, redirectUrl: webAddress(redirectUrl, accounts) };
}

/** Newer versions have it in `connectionData.val.redirectUrl`. */
function stateRedirect(answer: object): string | undefined {
  const data = (answer as { connectionData?: unknown }).connectionData;
  const val = isPlainObject(data) ? data.val : undefined;
  const url = isPlainObject(val) ? val.redirectUrl : undefined;
  return typeof url === 'string' ? url : undefined;
}

/** A browser is sent to this address. */
function webAddress(text: string, route: string): string {
  if (['https:', 'http:'].includes(parseUrl(text)?.protocol ?? '')) return text;
  throw new HelveError('upstream_failed', `Composio's answer to POST ${route} has no web address at redirect_url`, {
    details: { route: `POST ${route}`, field: 'redirect_url' },
  });
}

function readAccount(value: unknown, place: Place): ConnectedAccount {
  const row = readFields<{
    id: string;
    status: string;
    toolkit?: unknown;
    auth_config?: unknown;
    status_reason?: string | null;
    is_disabled?: boolean | null;
  }>(value, accountFields, place);
  const toolkit = row.toolkit
    ? readFields<{ slug?: string | null }>(row.toolkit, [['slug', 'text']], within(place, 'toolkit'))
    : {};
  const config = row.auth_config
    ? readFields<{ id?: string | null; is_disabled?: boolean | null }>(
        row.auth_config,
        [
          ['id', 'text'],
          ['is_disabled', 'boolean'],
        ],
        within(place, 'auth_config'),
      )
    : {};
  return {
    id: row.id,
    status: row.status,
    toolkit: toolkit.slug ?? undefined,
    authConfigId: config.id ?? undefined,
    reason: row.status_reason ?? undefined,
    disabled: row.is_disabled === true || config.is_disabled === true,
  };
}
