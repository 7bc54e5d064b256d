/**
 * Which auth config an account is connected with: one that is remembered, else one that Composio has, else a new one.
 *
 * A config made with a workspace's own client is named after it and is used for no other: to be asked for consent by
 * another tenant's application would be a surprise.
 */
import { HelveError } from '../../domain/errors.js';
import type { AuthConfigCalls } from './auth-config-calls.js';
import type { AuthConfig, SignInWay, ToolkitDetails } from './shapes.js';

export interface AuthConfigWanted {
  readonly toolkit: string;
  /** Default: the best that there is. */
  readonly scheme?: string | undefined;
  /** Of the app as a whole: a client id and its secret. Default: Composio's own, or none where none is needed. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** Whose credentials those are. */
  readonly owner: string;
}

export interface ResolvedAuthConfig {
  readonly id: string;
  readonly scheme: string;
}

export interface AuthConfigResolver {
  /**
   * Undefined for an app that needs none. Throws `invalid_config` where somebody must set it up at Composio first,
   * `invalid_input` for a scheme or fields that the app does not have, `not_found` for an app that is not there.
   */
  resolveAuthConfig(wanted: AuthConfigWanted): Promise<ResolvedAuthConfig | undefined>;
  /** It turned out to be gone. */
  forgetAuthConfig(id: string): void;
}

interface ResolverParts {
  readonly calls: AuthConfigCalls;
  readonly getToolkit: (slug: string) => Promise<ToolkitDetails>;
  readonly cacheMs: number;
  readonly now: () => number;
}

interface Known {
  /** Enabled ones; undefined: the app needs none. */
  readonly configs: readonly AuthConfig[] | undefined;
  /** Where it was asked for. */
  readonly details?: ToolkitDetails | undefined;
  readonly until: number;
}

const privateName = (owner: string): string => `helve:${owner}`;
const maxPages = 20;

export function createAuthConfigResolver({ calls, getToolkit, cacheMs, now }: ResolverParts): AuthConfigResolver {
  const known = new Map<string, Known>();
  const waiting = new Map<string, Promise<unknown>>();

  /** One at a time for each toolkit: whoever comes second finds what the first has made. */
  function inTurn<Result>(toolkit: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (waiting.get(toolkit) ?? Promise.resolve()).then(work, work);
    waiting.set(toolkit, turn);
    const done = (): void => {
      if (waiting.get(toolkit) === turn) waiting.delete(toolkit);
    };
    turn.then(done, done);
    return turn;
  }

  async function resolve(wanted: AuthConfigWanted): Promise<ResolvedAuthConfig | undefined> {
    const { toolkit, credentials } = wanted;
    const before = known.get(toolkit);
    const fresh = before !== undefined && before.until > now() ? before : undefined;
    // With credentials of its own it is a new one in any case.
    if (credentials === undefined && fresh) {
      if (fresh.configs === undefined) return undefined;
      const found = choose(fresh.configs, wanted, fresh.details);
      if (found) return resolved(found);
    }
    const until = now() + cacheMs;
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
      inTurn(wanted.toolkit, () => resolve({ ...wanted, scheme: wanted.scheme?.toUpperCase() })),
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
 * The workspace's own before Composio's, and that before others that somebody made at Composio. Where no scheme is asked
 * for, such a one is good enough only if Composio brings no better: that is undefined without `details`.
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

/** Undefined: the app needs none. */
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

/** What needs nobody's preparation first. */
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

export function noSuchScheme(toolkit: string, scheme: string, ways: readonly SignInWay[]): HelveError {
  return new HelveError('invalid_input', `${toolkit} has no way to sign in called ${JSON.stringify(scheme)}`, {
    hint: `It has ${ways.map((way) => way.scheme).join(', ') || 'none'}.`,
    details: { toolkit, scheme },
  });
}

function mustBeSetUp(toolkit: string, scheme: string, fields: readonly string[]): HelveError {
  return new HelveError('invalid_config', `Composio brings no ${scheme} client for ${toolkit}`, {
    hint: `Make an auth config for ${toolkit} with ${scheme} in Composio's dashboard, or connect with ${fields.join(', ') || 'credentials of your own'}.`,
    details: { toolkit, scheme, fields },
  });
}
