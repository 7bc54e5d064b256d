/**
 * Accounts at Composio. Helve stores only a reference to an account; it neither requests nor stores the tokens.
 */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { HostedAccount, HostedAccounts, HostedConnect } from '../../domain/provider.js';
import { defined } from '../../util/defined.js';
import { redirectSchemes, type StartedAccount } from './account-calls.js';
import { noSuchScheme, type ResolvedAuthConfig } from './auth-configs.js';
import type { ComposioClient } from './client.js';
import type { ConnectedAccount, SignInWay, ToolkitDetails, WayFields } from './shapes.js';

/** The part of a connection's settings that belongs to the account. */
export interface AccountReference {
  readonly connectedAccountId: string;
  readonly userId: string | undefined;
}

/** Undefined for a connection that was made in another way. */
export function getReference(settings: JsonObject): AccountReference | undefined {
  const { connectedAccountId, userId } = settings;
  if (typeof connectedAccountId !== 'string' || connectedAccountId === '') return undefined;
  return { connectedAccountId, userId: typeof userId === 'string' ? userId : undefined };
}

/** Returns the methods for connecting, checking and ending accounts at Composio. */
export function createHostedAccounts(
  client: ComposioClient,
  entityOf: (workspaceId: string) => string,
): HostedAccounts {
  return {
    async connect(request) {
      const userId = entityOf(request.workspaceId);
      const given = await sortCredentials(client, request);
      const { config, account } = await begin(client, request, given, userId).catch((thrown: unknown) => {
        throw withoutValues(thrown, Object.values(request.credentials ?? {}));
      });
      return {
        reference: { connectedAccountId: account.id, authConfigId: config.id, userId },
        ...defined({ redirectUrl: account.redirectUrl }),
      };
    },
    async look({ settings }) {
      const reference = getReference(settings);
      const account = reference && (await client.findAccount(reference.connectedAccountId));
      return account ? getState(account) : { status: 'revoked', reason: 'Composio no longer knows this account' };
    },
    async disconnect({ settings }) {
      const reference = getReference(settings);
      if (reference) await client.deleteAccount(reference.connectedAccountId);
    },
  };
}

interface Given {
  readonly scheme: string | undefined;
  /** Of the app as a whole. */
  readonly app?: Readonly<Record<string, string>>;
  /** Of this account. */
  readonly account?: Readonly<Record<string, string>>;
}

interface Begun {
  readonly config: ResolvedAuthConfig;
  readonly account: StartedAccount;
}

async function begin(client: ComposioClient, request: HostedConnect, given: Given, userId: string): Promise<Begun> {
  const { toolkit } = request;
  for (let attempt = 1; ; attempt++) {
    const wanted = { toolkit, scheme: given.scheme, credentials: given.app, owner: userId };
    const config = await client.resolveAuthConfig(wanted);
    if (!config) throw new HelveError('invalid_input', `${toolkit} needs no connection`, { hint: 'Grant its tools.' });
    try {
      return { config, account: await start(client, request, { config, data: given.account, userId }) };
    } catch (thrown) {
      if (!isConfigGone(thrown)) throw thrown;
      client.forgetAuthConfig(config.id);
      if (attempt > 1) throw thrown;
    }
  }
}

interface Start {
  readonly config: ResolvedAuthConfig;
  readonly data: Readonly<Record<string, string>> | undefined;
  readonly userId: string;
}

async function start(client: ComposioClient, request: HostedConnect, { config, data, userId }: Start) {
  const { callbackUrl, toolkit } = request;
  const account = { authConfigId: config.id, userId, callbackUrl, data };
  const redirects = redirectSchemes.has(config.scheme);
  // Composio's own page also asks for keys, so that they need not pass through Helve.
  if (redirects || data === undefined) {
    try {
      return await client.linkAccount(account);
    } catch (thrown) {
      if (!isRouteMissing(thrown)) throw thrown;
    }
  }
  if (!redirects && data === undefined) throw await fieldsNeeded(client, toolkit, config.scheme);
  return client.createAccount({ ...account, scheme: config.scheme });
}

async function fieldsNeeded(client: ComposioClient, toolkit: string, scheme: string): Promise<HelveError> {
  const { ways } = await client.getToolkit(toolkit);
  const required = ways.find((way) => way.scheme === scheme)?.initiation.required ?? [];
  return new HelveError('invalid_input', `${toolkit} is connected with credentials`, {
    hint: `Send ${required.join(', ') || 'them'}.`,
    details: { toolkit, scheme, fields: required },
  });
}

/** Assigns the fields to the app or the account. Errors name fields and never values. */
async function sortCredentials(client: ComposioClient, request: HostedConnect): Promise<Given> {
  const { toolkit, credentials = {} } = request;
  const scheme = request.scheme?.toUpperCase();
  const names = Object.keys(credentials);
  if (names.length === 0) return { scheme };
  const details = await client.getToolkit(toolkit);
  const way = wayFor(details, scheme, names);
  const known = new Set([...listNames(way.creation), ...listNames(way.initiation)]);
  const strange = names.filter((name) => !known.has(name));
  if (strange.length > 0)
    throw new HelveError('invalid_input', `${toolkit} does not take ${strange.join(', ')} with ${way.scheme}`, {
      hint: `Allowed fields: ${[...known].join(', ') || 'none'}.`,
      details: { toolkit, scheme: way.scheme, fields: strange },
    });
  const account = pick(credentials, listNames(way.initiation));
  const missing = way.initiation.required.filter((name) => !Object.hasOwn(account ?? {}, name));
  if (missing.length > 0 && !redirectSchemes.has(way.scheme))
    throw new HelveError('invalid_input', `${toolkit} needs ${missing.join(', ')} with ${way.scheme}`, {
      details: { toolkit, scheme: way.scheme, missing },
    });
  const app = pick(credentials, listNames(way.creation));
  return { scheme: way.scheme, ...defined({ app, account }) };
}

/** The named scheme, otherwise the one that fits the given fields best. */
function wayFor({ slug, ways }: ToolkitDetails, scheme: string | undefined, names: readonly string[]): SignInWay {
  const named = scheme === undefined ? undefined : ways.find((way) => way.scheme === scheme);
  if (named) return named;
  if (scheme !== undefined) throw noSuchScheme(slug, scheme, ways);
  const fits = (way: SignInWay): number => {
    const known = [...listNames(way.creation), ...listNames(way.initiation)];
    return names.filter((name) => known.includes(name)).length;
  };
  const best = [...ways].sort((a, b) => fits(b) - fits(a))[0];
  if (best && fits(best) > 0) return best;
  const offered = ways.map(
    (way) => `${way.scheme} (${[...listNames(way.creation), ...listNames(way.initiation)].join(', ')})`,
  );
  throw new HelveError('invalid_input', `${slug} does not take ${names.join(', ')}`, {
    hint: `Its schemes: ${offered.join('; ') || 'none'}.`,
    details: { toolkit: slug, fields: names },
  });
}

const minSecretLength = 4;

/** Removes the sent values from an error, because Composio may repeat them. */
function withoutValues(thrown: unknown, values: readonly string[]): unknown {
  const secrets = values.filter((value) => value.length >= minSecretLength);
  if (!(thrown instanceof HelveError) || secrets.length === 0) return thrown;
  const clean = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[credential removed]'), text);
  const { code, message, hint, details = {} } = thrown;
  const cleaned = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === 'string' ? clean(value) : value,
  ]);
  const options = {
    hint: hint === undefined ? undefined : clean(hint),
    details: cleaned.length === 0 ? undefined : Object.fromEntries(cleaned),
  };
  return new HelveError(code, clean(message), defined(options));
}

const listNames = ({ required, optional }: WayFields): string[] => [...required, ...optional];

function pick(from: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> | undefined {
  const found = names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name] ?? ''] as const);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function isConfigGone(thrown: unknown): boolean {
  if (!(thrown instanceof HelveError) || ![400, 404, 410].includes(Number(thrown.details?.status))) return false;
  const said = thrown.message.toLowerCase();
  return /auth[ _-]?config/.test(said) && /not found|does(?: not|n't) exist|disabled|deleted|invalid/.test(said);
}

function isRouteMissing(thrown: unknown): boolean {
  if (!(thrown instanceof HelveError)) return false;
  return [404, 405, 501].includes(Number(thrown.details?.status)) && !isConfigGone(thrown);
}

/**
 * Composio does not report the account's identity and scopes uniformly for all apps. The scopes of its
 * tools are alternatives, so that none counts as missing.
 */
function getState({ status, reason, disabled }: ConnectedAccount): HostedAccount {
  if (status === 'ACTIVE' && !disabled) return { status: 'active' };
  const [state, standard] = unusable.get(status) ?? ['error', `Composio calls it ${status.slice(0, 40)}`];
  return { status: state, reason: reason?.slice(0, 500) || standard };
}

const disabledThere = ['error', 'it is disabled at Composio'] as const;
const pending = ['pending', 'the sign-in is not finished yet'] as const;
const unusable = new Map<string, readonly [HostedAccount['status'], string]>([
  ['ACTIVE', disabledThere],
  ['INACTIVE', disabledThere],
  ['INITIATED', pending],
  ['INITIALIZING', pending],
  ['EXPIRED', ['expired', 'the sign-in has expired']],
  ['REVOKED', ['revoked', 'the access was revoked']],
  ['FAILED', ['error', 'the sign-in did not succeed']],
]);
