/**
 * How a document's operations are signed in to. Each alternative of a security requirement becomes a scheme of the
 * toolkit: one person has an API key, another an OAuth client, a third a pair of keys that are needed together.
 */
import type { AuthScheme, CredentialField, OAuthProvider, ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { snakeCase } from './operation-name.js';
import { readSecurityScheme, type SecurityScheme, type SignIn } from './security-schemes.js';

/** The requirements of one operation. */
export interface OperationSecurity {
  /** Keys of the alternatives, each the names of the schemes that are needed together; empty: no sign-in. */
  readonly alternatives: readonly string[];
  /** Whether it also works without an account. */
  readonly optional: boolean;
  /** The OAuth scopes of each alternative that has any. */
  readonly scopes: readonly (readonly string[])[];
  /** Parameters that credentials fill in. */
  readonly covered: ReadonlySet<string>;
}

export interface AuthFacts {
  readonly auth?: ToolkitAuth;
  readonly oauthProviders: readonly OAuthProvider[];
  readonly tokenUrls: readonly string[];
  /** Ids of the toolkit's schemes, by alternative. */
  readonly schemesOf: ReadonlyMap<string, readonly string[]>;
}

export interface Security {
  /** Throws `invalid_config` for an operation that Helve cannot sign in to. */
  read(requirements: unknown): OperationSecurity;
  /** Over everything that has been read so far. */
  facts(serverFields: readonly CredentialField[]): AuthFacts;
}

export interface SecurityOptions {
  readonly slug: string;
  readonly title: string;
  readonly absolute: (url: unknown) => string | undefined;
}

const maxSchemes = 24;
/** Occurs in no real name of a scheme. */
const together = '\n';

/** Returns the reader of a document's security requirements. */
export function createSecurity(definitions: unknown, options: SecurityOptions): Security {
  const schemes = readSchemes(definitions, options);
  const asked = new Map<string, number>();

  return {
    read(requirements) {
      if (!Array.isArray(requirements)) return nobody;
      const known = requirements.filter(isPlainObject).map((each) => narrowed(each, schemes));
      const usable = known.filter((each) => each !== undefined);
      const named = usable.filter(({ names }) => names.length > 0);
      if (named.length === 0) {
        if (known.length === usable.length) return nobody;
        const wanted = [...new Set(requirements.flatMap((each) => (isPlainObject(each) ? Object.keys(each) : [])))];
        // An undefined scheme cannot be satisfied, and it may just be an oversight of the author.
        if (!wanted.some((name) => schemes.has(name))) return nobody;
        throw new HelveError(
          'invalid_config',
          `it needs sign-in by ${wanted.join(', ')}, which Helve does not support`,
        );
      }
      const alternatives = [...new Set(named.map(({ names }) => names.join(together)))];
      for (const each of alternatives) asked.set(each, (asked.get(each) ?? 0) + 1);
      return {
        alternatives,
        optional: usable.length > named.length,
        scopes: named.map(({ scopes }) => scopes).filter((each) => each.length > 0),
        covered: new Set(named.flatMap(({ names }) => names.flatMap((name) => schemes.get(name)?.covers ?? []))),
      };
    },
    facts(serverFields) {
      const ordered = [...asked].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([key]) => key);
      return authFacts(ordered, schemes, serverFields);
    },
  };
}

const nobody: OperationSecurity = { alternatives: [], optional: true, scopes: [], covered: new Set() };

/** A scheme that is defined but cannot be used is stored as undefined. */
type Schemes = ReadonlyMap<string, SecurityScheme | undefined>;

function readSchemes(definitions: unknown, { slug, title, absolute }: SecurityOptions): Schemes {
  const schemes = new Map<string, SecurityScheme | undefined>();
  let providers = 0;
  for (const [name, raw] of Object.entries(objectOrEmpty(definitions)).slice(0, 100)) {
    if (!isPlainObject(raw)) continue;
    const providerSlug = providers === 0 ? `openapi:${slug}` : `openapi:${slug}:${snakeCase(name)}`;
    const scheme = readSecurityScheme({ name, raw, providerSlug, title, absolute });
    if (scheme?.signIns.some(({ provider }) => provider !== undefined)) providers += 1;
    schemes.set(name, scheme);
  }
  return schemes;
}

/** One alternative. Undefined if it names a scheme that does not exist. */
function narrowed(
  requirement: Record<string, unknown>,
  schemes: Schemes,
): { names: string[]; scopes: string[] } | undefined {
  const all = Object.keys(requirement);
  const scheme = (name: string): SecurityScheme | undefined => schemes.get(name);
  if (all.some((name) => scheme(name) === undefined)) return undefined;
  // Some documents list the flows of one OAuth server as separate schemes that are required together.
  const better = all.some((name) => scheme(name)?.isOAuth && !scheme(name)?.implicitOnly);
  const names = all.filter((name) => !(better && scheme(name)?.implicitOnly)).sort();
  const scopes = names.flatMap((name) => {
    const list = scheme(name)?.isOAuth ? requirement[name] : [];
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  });
  return { names, scopes: [...new Set(scopes)].sort() };
}

function authFacts(ordered: readonly string[], schemes: Schemes, serverFields: readonly CredentialField[]): AuthFacts {
  const made: AuthScheme[] = [];
  const used = new Map<string, SignIn>();
  const schemesOf = new Map<string, readonly string[]>();
  for (const key of ordered) {
    const names = key.split(together);
    const ids: string[] = [];
    for (const combination of combinations(names.map((name) => schemes.get(name)?.signIns ?? []))) {
      const scheme = joined(names, combination, serverFields);
      if (!scheme || made.length >= maxSchemes || made.some(({ id }) => id === scheme.id)) continue;
      made.push(scheme);
      ids.push(scheme.id);
      for (const [index, signIn] of combination.entries()) used.set(`${names[index]}${signIn.suffix}`, signIn);
    }
    schemesOf.set(key, ids);
  }
  const signIns = [...used.values()];
  return {
    ...defined({ auth: made.length > 0 ? { schemes: made } : undefined }),
    oauthProviders: [...new Set(signIns.flatMap(({ provider }) => provider ?? []))],
    tokenUrls: [...new Set(signIns.flatMap(({ tokenUrl }) => tokenUrl ?? []))],
    schemesOf,
  };
}

function combinations(lists: readonly (readonly SignIn[])[]): SignIn[][] {
  return lists
    .reduce<SignIn[][]>((rows, list) => rows.flatMap((row) => list.map((each) => [...row, each])), [[]])
    .slice(0, 8);
}

/** Undefined for combinations that no single sign-in can do: two tokens at the same time. */
function joined(
  names: readonly string[],
  parts: readonly SignIn[],
  serverFields: readonly CredentialField[],
): AuthScheme | undefined {
  const withToken = parts.filter(({ provider, exchange }) => provider !== undefined || exchange !== undefined);
  if (withToken.length > 1) return undefined;
  const fields: CredentialField[] = [];
  const placement: NonNullable<AuthScheme['placement']>[number][] = [];
  for (const [index, part] of parts.entries()) {
    const taken = part.fields.some(({ name }) => fields.some((field) => field.name === name));
    const prefix = taken ? `${snakeCase(names[index] ?? '')}_` : '';
    fields.push(...part.fields.map((field) => ({ ...field, name: prefix + field.name })));
    const rename = (template: string): string =>
      prefix === '' ? template : template.replace(/\{(?!access_token)(\w+)\}/g, `{${prefix}$1}`);
    for (const each of part.placement)
      placement.push(
        each.in === 'basic'
          ? { ...each, username: rename(each.username), password: rename(each.password) }
          : { ...each, value: rename(each.value) },
      );
  }
  const [token] = withToken;
  const suffixes = parts.map(({ suffix }) => suffix).join('');
  const free = serverFields.filter(({ name }) => !fields.some((field) => field.name === name));
  return {
    id: `${names.map((name) => snakeCase(name) || 'scheme').join('_and_')}${suffixes}`.slice(0, 80),
    kind: token?.kind ?? (parts.length === 1 ? (parts[0]?.kind ?? 'custom') : 'custom'),
    title: parts.map(({ title }) => title).join(' + '),
    fields: [...fields, ...free],
    placement,
    ...defined({ provider: token?.provider?.slug, exchange: token?.exchange }),
  };
}
