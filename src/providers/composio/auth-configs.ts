/**
 * Chooses the auth config for connecting an account: a remembered one, otherwise one that Composio has, otherwise a new one.
 *
 * A config with a workspace's own client is named after the workspace and never used for another one, because people would
 * otherwise be asked for consent by another tenant's application.
 */
import { HelveError } from '../../domain/errors.js';
import { createInLine } from '../../util/in-line.js';
import type { AuthConfigCalls } from './auth-config-calls.js';
import type { AuthConfig, SignInWay, ToolkitDetails } from './shapes.js';

export interface AuthConfigWanted {
  readonly toolkit: string;
  /** Default: the best available scheme. */
  readonly scheme?: string | undefined;
  /** Credentials of the app as a whole: a client id and its secret. Default: Composio's own, or none if none are needed. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** The workspace that owns those credentials. */
  readonly owner: string;
}

export interface ResolvedAuthConfig {
  readonly id: string;
  readonly scheme: string;
}

export interface AuthConfigResolver {
  /**
   * Returns the config; undefined for an app that needs none. Throws `invalid_config` if someone must set it up at Composio
   * first, `invalid_input` for an unknown scheme or unknown fields, `not_found` for an unknown app.
   */
  resolveAuthConfig(wanted: AuthConfigWanted): Promise<ResolvedAuthConfig | undefined>;
  /** Forgets a config that no longer exists. */
  forgetAuthConfig(id: string): void;
}

interface ResolverParts {
  readonly calls: AuthConfigCalls;
  readonly getToolkit: (slug: string) => Promise<ToolkitDetails>;
  readonly now: () => number;
}

interface Known {
  /** Enabled ones; undefined if the app needs none. */
  readonly configs: readonly AuthConfig[] | undefined;
  /** When it was requested. */
  readonly details?: ToolkitDetails | undefined;
  readonly until: number;
}

const privateName = (owner: string): string => `helve:${owner}`;
const maxPages = 20;

/** How long a config is assumed to exist without asking. */
const knownMs = 60 * 60_000;

/** Returns a resolver that remembers each config for an hour. */
export function createAuthConfigResolver({ calls, getToolkit, now }: ResolverParts): AuthConfigResolver {
  const known = new Map<string, Known>();
  /** One request at a time for each toolkit: the second caller finds what the first has created. */
  const inLine = createInLine();

  async function resolve(wanted: AuthConfigWanted): Promise<ResolvedAuthConfig | undefined> {
    const { toolkit, credentials } = wanted;
    const before = known.get(toolkit);
    const fresh = before !== undefined && before.until > now() ? before : undefined;
    // Own credentials always need a new config.
    if (credentials === undefined && fresh) {
      if (fresh.configs === undefined) return undefined;
      const found = choose(fresh.configs, wanted, fresh.details);
      if (found) return resolved(found);
    }
    const until = now() + knownMs;
    const configs = await listAll(calls, toolkit);
    let found = credentials === undefined ? choose(configs, wanted, undefined) : undefined;
    let details: ToolkitDetails | undefined;
    if (!found) {
      details = await getToolkit(toolkit);
      found = credentials === undefined ? choose(configs, wanted, details) : undefined;
    }
    if (found) {
      known.set(toolkit, { configs, details, until });
      return resolved(found);
    }
    const created = await create(calls, details ?? (await getToolkit(toolkit)), wanted);
    known.set(toolkit, { configs: created && [created, ...configs], details, until });
    return created && resolved(created);
  }

  return {
    resolveAuthConfig: (wanted) =>
      inLine(wanted.toolkit, () => resolve({ ...wanted, scheme: wanted.scheme?.toUpperCase() })),
    forgetAuthConfig(id) {
      for (const [toolkit, { configs }] of known) if (configs?.some((one) => one.id === id)) known.delete(toolkit);
    },
  };
}

async function listAll(calls: AuthConfigCalls, toolkit: string): Promise<AuthConfig[]> {
  const all: AuthConfig[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { rows, next } = await calls.listAuthConfigs({ toolkit, cursor });
    all.push(...rows.filter((row) => row.status !== 'DISABLED' && (row.toolkit?.slug ?? toolkit) === toolkit));
    if (next === undefined) break;
    cursor = next;
  }
  return all;
}

/**
 * Prefers the workspace's own config, then Composio's, then others that someone made at Composio. Without a requested
 * scheme, such a config counts only if Composio has no better one, which is unknown (undefined) without `details`.
 */
function choose(
  configs: readonly AuthConfig[],
  { scheme, owner }: AuthConfigWanted,
  details: ToolkitDetails | undefined,
): AuthConfig | undefined {
  const own = privateName(owner);
  const usable = configs.filter(
    ({ auth_scheme, name }) =>
      (scheme === undefined || auth_scheme?.toUpperCase() === scheme) &&
      (!(name ?? '').startsWith(privateName('')) || name === own),
  );
  const best =
    usable.find(({ name }) => name === own) ?? usable.find(({ is_composio_managed }) => is_composio_managed === true);
  if (best || scheme !== undefined) return best ?? usable[0];
  if (details === undefined) return undefined;
  const { managed } = details;
  return managed.length === 0 ? usable[0] : usable.find((one) => managed.includes(resolved(one).scheme));
}

const resolved = ({ id, auth_scheme }: AuthConfig): ResolvedAuthConfig => ({
  id,
  scheme: (auth_scheme ?? 'OAUTH2').toUpperCase(),
});

/** Undefined if the app needs none. */
async function create(
  calls: AuthConfigCalls,
  details: ToolkitDetails,
  wanted: AuthConfigWanted,
): Promise<AuthConfig | undefined> {
  const { toolkit, owner, credentials } = wanted;
  const ways = details.ways.filter(({ scheme }) => scheme !== 'NO_AUTH');
  if (ways.length === 0 && details.managed.length === 0) return undefined;
  const scheme = wanted.scheme ?? bestScheme(details, ways, credentials);
  const way = ways.find((one) => one.scheme === scheme);
  const managed = details.managed.includes(scheme);
  if (!way && !managed) throw noSuchScheme(toolkit, scheme, ways);
  const required = way?.creation.required ?? [];
  if (credentials !== undefined) {
    const missing = required.filter((name) => !Object.hasOwn(credentials, name));
    if (missing.length > 0)
      throw new HelveError('invalid_input', `${toolkit} needs ${missing.join(', ')} to sign in with ${scheme}`, {
        details: { toolkit, scheme, missing },
      });
    const name = privateName(owner);
    const { id } = await calls.createAuthConfig({ toolkit, kind: 'custom', scheme, name, credentials });
    return { id, auth_scheme: scheme, name };
  }
  if (managed) {
    const made = await calls.createAuthConfig({ toolkit, kind: 'managed', scheme });
    if (made.scheme.toUpperCase() === scheme || wanted.scheme === undefined)
      return { id: made.id, auth_scheme: made.scheme, is_composio_managed: true };
  }
  if (required.length > 0 || managed) throw mustBeSetUp(toolkit, scheme, required);
  const { id } = await calls.createAuthConfig({ toolkit, kind: 'custom', scheme });
  return { id, auth_scheme: scheme };
}

/** Schemes that need no preparation first. */
function bestScheme(
  { managed }: ToolkitDetails,
  ways: readonly SignInWay[],
  credentials: Readonly<Record<string, string>> | undefined,
): string {
  const fitting =
    credentials && ways.find(({ creation: { required } }) => required.some((name) => Object.hasOwn(credentials, name)));
  const free = ways.find(({ creation }) => creation.required.length === 0);
  return fitting?.scheme ?? managed[0] ?? free?.scheme ?? ways[0]?.scheme ?? '';
}

/** Returns the error for a scheme that the toolkit does not have, listing the existing ones. */
export function noSuchScheme(toolkit: string, scheme: string, ways: readonly SignInWay[]): HelveError {
  return new HelveError('invalid_input', `${toolkit} has no sign-in scheme ${JSON.stringify(scheme)}`, {
    hint: `Its schemes: ${ways.map((way) => way.scheme).join(', ') || 'none'}.`,
    details: { toolkit, scheme },
  });
}

function mustBeSetUp(toolkit: string, scheme: string, fields: readonly string[]): HelveError {
  return new HelveError('conflict', `Composio provides no ${scheme} client for ${toolkit}`, {
    hint: `Create an auth config for ${toolkit} with ${scheme} in Composio's dashboard, or connect with ${fields.join(', ') || 'your own credentials'}.`,
    details: { toolkit, scheme, fields },
  });
}
