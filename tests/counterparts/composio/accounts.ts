/** Auth configs and connected accounts. Responses contain tokens, as Composio's do: Helve must not store them. */
import { fieldsOf, pageOf, refused, unknownQuery } from './catalogue.js';
import type { AccountRow, Answer, AuthConfigRow, SeenRequest } from './shapes.js';
import { nanoid, newUuid, recordOf, type State } from './state.js';

const logo = 'https://logos.example/app';
const time = '2026-01-02T03:04:05.678Z';

export function listAuthConfigs({ query }: SeenRequest, { authConfigs, accounts }: State): Answer {
  const wrong = unknownQuery(query, [
    'is_composio_managed',
    'toolkit_slug',
    'show_disabled',
    'search',
    'limit',
    'cursor',
  ]);
  if (wrong) return wrong;
  const slugs = query.get('toolkit_slug')?.split(',');
  const rows = [...authConfigs.values()].filter(
    ({ toolkit, status }) =>
      (slugs?.includes(toolkit) ?? true) && (status === 'ENABLED' || query.get('show_disabled') === 'true'),
  );
  const page = pageOf(rows, query);
  if (typeof page === 'string') return refused(400, page);
  const items = page.items.map(({ id, toolkit, scheme, managed, status, name }) => ({
    id,
    uuid: newUuid(),
    type: managed ? 'default' : 'custom',
    toolkit: { slug: toolkit, logo },
    name: name ?? `${toolkit}-${id}`,
    auth_scheme: scheme,
    is_composio_managed: managed,
    status,
    tool_access_config: {},
    no_of_connections: [...accounts.values()].filter(({ authConfigId }) => authConfigId === id).length,
  }));
  return paged(items, page);
}

function paged(
  items: readonly unknown[],
  page: { next: string | null; pages: number; page: number; total: number },
): Answer {
  const { next, pages, page: current, total } = page;
  return {
    status: 200,
    body: { items, next_cursor: next, total_pages: pages, current_page: current, total_items: total },
  };
}

export function createAuthConfig({ body }: SeenRequest, { data, authConfigs }: State): Answer {
  const { toolkit: wanted, auth_config: config } = recordOf(body);
  const toolkit = data.toolkits.find(({ slug }) => slug === recordOf(wanted).slug);
  if (!toolkit) return refused(404, 'Toolkit not found', 4000);
  const { type = 'use_composio_managed_auth', authScheme, credentials, name } = recordOf(config);
  const managed = type === 'use_composio_managed_auth';
  const scheme = managed ? toolkit.composio_managed_auth_schemes[0] : String(authScheme);
  if (scheme === undefined)
    return refused(
      400,
      `Default auth config not found for toolkit "${toolkit.slug}". Please provide custom credentials`,
      303,
    );
  if (!toolkit.auth_schemes.includes(scheme)) return refused(400, `${scheme} is not a scheme of ${toolkit.slug}`, 301);
  if (toolkit.no_auth) return refused(400, `Cannot create an auth config for the no-auth toolkit ${toolkit.slug}`, 302);
  const missing = managed ? [] : fieldsOf(scheme).creation.filter((name) => recordOf(credentials)[name] === undefined);
  if (missing.length > 0) return refused(400, `Missing required fields: ${missing.join(', ')}`, 305);
  const row: AuthConfigRow = {
    id: nanoid('ac'),
    toolkit: toolkit.slug,
    scheme,
    managed,
    status: 'ENABLED',
    credentials: recordOf(credentials),
    name: typeof name === 'string' ? name : undefined,
  };
  authConfigs.set(row.id, row);
  const auth_config = {
    id: row.id,
    auth_scheme: scheme,
    is_composio_managed: managed,
    restrict_to_following_tools: [],
  };
  return { status: 201, body: { toolkit: { slug: toolkit.slug }, auth_config } };
}

export const redirecting: ReadonlySet<string> = new Set(['OAUTH1', 'OAUTH2', 'DCR_OAUTH']);

export function newAccount(config: AuthConfigRow, userId: string, state: State): AccountRow {
  const row: AccountRow = {
    id: nanoid('ca'),
    authConfigId: config.id,
    toolkit: config.toolkit,
    scheme: config.scheme,
    userId,
    status: 'INITIATED',
    statusReason: null,
    callbackUrl: undefined,
    values: {},
  };
  state.accounts.set(row.id, row);
  return row;
}

function configOf(id: unknown, { authConfigs }: State): AuthConfigRow | Answer {
  const config = authConfigs.get(String(id));
  if (config?.status === 'ENABLED') return config;
  return config ? refused(400, 'Auth config is disabled', 307) : refused(404, 'Auth config not found', 306);
}

export function linkAccount({ body }: SeenRequest, state: State): Answer {
  const { auth_config_id, user_id, callback_url } = recordOf(body);
  if (typeof user_id !== 'string' || user_id === '') return refused(400, 'user_id is required');
  const config = configOf(auth_config_id, state);
  if (!('toolkit' in config)) return config;
  const account = newAccount(config, user_id, state);
  if (typeof callback_url === 'string') account.callbackUrl = callback_url;
  const token = linkTo(account, state);
  const expires_at = new Date(Date.now() + 600_000).toISOString();
  return {
    status: 201,
    body: {
      link_token: token,
      redirect_url: `${state.url}/link/${token}`,
      expires_at,
      connected_account_id: account.id,
    },
  };
}

export function linkTo({ id }: AccountRow, { links }: State): string {
  const token = nanoid('lk');
  links.set(token, id);
  return token;
}

export function createAccount({ body }: SeenRequest, state: State): Answer {
  const { auth_config, connection } = recordOf(body);
  const config = configOf(recordOf(auth_config).id, state);
  if (!('toolkit' in config)) return config;
  const { user_id = 'default', callback_url, state: given } = recordOf(connection);
  const values = recordOf(recordOf(given).val);
  if (given !== undefined && recordOf(given).authScheme !== config.scheme)
    return refused(400, `The auth config signs in with ${config.scheme}`, 611);
  const account = newAccount(config, String(user_id), state);
  if (typeof callback_url === 'string') account.callbackUrl = callback_url;
  const { status: _, ...fields } = values;
  let redirect: string | null = null;
  if (redirecting.has(config.scheme)) redirect = `${state.url}/link/${linkTo(account, state)}`;
  else {
    const missing = fieldsOf(config.scheme).initiation.filter((name) => fields[name] === undefined);
    if (missing.length > 0) {
      state.accounts.delete(account.id);
      return refused(400, `Missing required fields: ${missing.join(', ')}`, 612);
    }
    account.status = 'ACTIVE';
    account.values = fields;
  }
  return {
    status: 201,
    body: {
      id: account.id,
      connectionData: stateOf(account, redirect),
      status: account.status,
      redirect_url: redirect,
      redirect_uri: redirect,
      deprecated: { uuid: newUuid(), authConfigUuid: newUuid() },
    },
  };
}

/** Composio's response for an account, including secrets. */
function stateOf({ scheme, status, values }: AccountRow, redirect: string | null): object {
  const token = redirecting.has(scheme) && ['ACTIVE', 'INACTIVE'].includes(status);
  return {
    authScheme: scheme,
    val: {
      status: status === 'FAILED' && !redirecting.has(scheme) ? 'INACTIVE' : status,
      ...(status === 'INITIATED' ? { redirectUrl: redirect ?? 'https://example.com/' } : {}),
      ...(token ? { access_token: 'secret-access-token', refresh_token: 'secret-refresh-token', client_id: 'c1' } : {}),
      ...(token && scheme === 'OAUTH1' ? { oauth_token: 'secret-token', oauth_token_secret: 'secret' } : {}),
      ...values,
    },
  };
}

function accountAnswer(account: AccountRow, { authConfigs }: State): object {
  const { id, toolkit, authConfigId, scheme, userId, status, statusReason } = account;
  const state = stateOf(account, null);
  return {
    toolkit: { slug: toolkit },
    auth_config: {
      id: authConfigId,
      auth_scheme: scheme,
      is_composio_managed: authConfigs.get(authConfigId)?.managed ?? false,
      is_disabled: authConfigs.get(authConfigId)?.status === 'DISABLED',
    },
    id,
    user_id: userId,
    status,
    created_at: time,
    updated_at: time,
    state,
    data: recordOf(recordOf(state).val),
    status_reason: statusReason,
    is_disabled: status === 'INACTIVE',
    params: {},
    deprecated: { labels: [], uuid: newUuid() },
  };
}

export function listAccounts({ query }: SeenRequest, state: State): Answer {
  const among = (name: string, value: string) => query.getAll(name).length === 0 || query.getAll(name).includes(value);
  const rows = [...state.accounts.values()].filter(
    ({ id, toolkit, status, userId, authConfigId }) =>
      among('toolkit_slugs', toolkit) &&
      among('statuses', status) &&
      among('user_ids', userId) &&
      among('auth_config_ids', authConfigId) &&
      among('connected_account_ids', id),
  );
  const page = pageOf(rows, query);
  if (typeof page === 'string') return refused(400, page);
  const items = page.items.map((row) => {
    const { params: _, ...answer } = accountAnswer(row, state) as Record<string, unknown>;
    return answer;
  });
  return paged(items, page);
}

export function oneAccount(id: string, state: State): Answer {
  const account = state.accounts.get(id);
  return account
    ? { status: 200, body: accountAnswer(account, state) }
    : refused(404, 'Connected account not found', 1607);
}

export function deleteAccount(id: string, { accounts, triggers }: State): Answer {
  if (!accounts.delete(id)) return refused(404, 'Connected account not found', 1607);
  for (const [key, { accountId }] of triggers) if (accountId === id) triggers.delete(key);
  return { status: 200, body: { success: true } };
}

/** The page that a person's browser is sent to. It consents or refuses, and redirects back. */
export function visitLink(token: string, state: State): Answer {
  const account = state.accounts.get(state.links.get(token) ?? '');
  if (!account) return { status: 404, text: 'This link has expired' };
  state.links.delete(token);
  const granted = (state.options.consent ?? 'grant') === 'grant';
  account.status = granted ? 'ACTIVE' : 'FAILED';
  account.statusReason = granted ? null : 'access_denied';
  if (account.callbackUrl === undefined) return { status: 200, text: 'You may close this page' };
  const back = new URL(account.callbackUrl);
  back.searchParams.set('status', granted ? 'success' : 'failed');
  back.searchParams.set('connected_account_id', account.id);
  return { status: 302, text: '', headers: { location: back.href } };
}
