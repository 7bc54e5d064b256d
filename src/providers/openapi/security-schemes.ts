/** One security scheme of a document, as the ways in which a person can sign in with it. */
import type {
  AuthKind,
  AuthScheme,
  CredentialField,
  CredentialPlacement,
  OAuthProvider,
} from '../../domain/connection.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { cleanText } from './clean-text.js';
import { clientCredentials, passwordGrant } from './token-exchange.js';

export interface SignIn {
  /** Distinguishes it from the others of the same scheme; empty for the first. */
  readonly suffix: string;
  readonly kind: AuthKind;
  readonly title: string;
  readonly fields: readonly CredentialField[];
  readonly placement: readonly CredentialPlacement[];
  readonly provider?: OAuthProvider;
  readonly exchange?: NonNullable<AuthScheme['exchange']>;
  /** The server for an exchange. */
  readonly tokenUrl?: string;
}

export interface SecurityScheme {
  readonly signIns: readonly SignIn[];
  readonly isOAuth: boolean;
  /** Whether its only flow passes the token through a browser's address. */
  readonly implicitOnly: boolean;
  /** The parameter that it fills in, as `in:name`. */
  readonly covers?: string;
}

interface Source {
  readonly name: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly providerSlug: string;
  readonly title: string;
  /** An absolute address of http or https, from the document's text. */
  readonly absolute: (url: unknown) => string | undefined;
}

const bearer: CredentialPlacement = { in: 'header', name: 'Authorization', value: 'Bearer {token}' };
const accessToken: CredentialPlacement = { in: 'header', name: 'Authorization', value: 'Bearer {access_token}' };
const plain = { isOAuth: false, implicitOnly: false } as const;

/** Undefined for a scheme that no request can use: certificates, an unknown type. */
export function readSecurityScheme(source: Source): SecurityScheme | undefined {
  switch (source.raw.type) {
    case 'apiKey':
      return apiKey(source);
    case 'http':
      return { ...plain, signIns: http(source) };
    // Version 2 syntax.
    case 'basic':
      return { ...plain, signIns: [basic] };
    case 'oauth2':
      return oauth2(source);
    case 'openIdConnect':
      return { ...plain, isOAuth: true, signIns: [pastedToken(source)] };
    default:
      return undefined;
  }
}

function secret(name: string, title: string, { raw }: Source): CredentialField {
  const description = cleanText(raw.description, 300);
  return { name, title, secret: true, ...defined({ description }) };
}

function apiKey(source: Source): SecurityScheme | undefined {
  const { in: place, name } = source.raw;
  if (typeof name !== 'string' || (place !== 'header' && place !== 'query' && place !== 'cookie')) return undefined;
  if (place !== 'query' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return undefined;
  const signIn: SignIn = {
    suffix: '',
    kind: 'api_key',
    title: `API key (${name})`,
    fields: [secret('api_key', name, source)],
    placement: [{ in: place, name, value: '{api_key}' }],
  };
  return { ...plain, signIns: [signIn], covers: `${place}:${name.toLowerCase()}` };
}

const basic: SignIn = {
  suffix: '',
  kind: 'basic',
  title: 'User name and password',
  fields: [
    { name: 'username', title: 'User name', secret: false },
    { name: 'password', title: 'Password', secret: true, optional: true },
  ],
  placement: [{ in: 'basic', username: '{username}', password: '{password}' }],
};

const pastedToken = (source: Source): SignIn => ({
  suffix: '',
  kind: 'api_key',
  title: 'Access token',
  fields: [secret('token', 'Access token', source)],
  placement: [bearer],
});

function http(source: Source): readonly SignIn[] {
  const scheme = typeof source.raw.scheme === 'string' ? source.raw.scheme : '';
  if (scheme.toLowerCase() === 'basic') return [basic];
  if (scheme.toLowerCase() === 'bearer') return [pastedToken(source)];
  const word = /^[A-Za-z0-9_-]{1,60}$/.test(scheme) ? scheme : 'Bearer';
  return [
    {
      suffix: '',
      kind: 'custom',
      title: `Authorization: ${word}`,
      fields: [secret('credentials', `The value after “${word}”`, source)],
      placement: [{ in: 'header', name: 'Authorization', value: `${word} {credentials}` }],
    },
  ];
}

function oauth2(source: Source): SecurityScheme {
  const flows = objectOrEmpty(source.raw.flows);
  const signIns = [
    codeFlow(source, flows.authorizationCode),
    tokenFlow(source, flows.clientCredentials, 'client_credentials'),
    tokenFlow(source, flows.password, 'password'),
  ]
    .filter((each) => each !== undefined)
    .map((each, index) => (index === 0 ? { ...each, suffix: '' } : each));
  if (signIns.length > 0) return { signIns, isOAuth: true, implicitOnly: false };
  return { signIns: [pastedToken(source)], isOAuth: true, implicitOnly: true };
}

function codeFlow({ absolute, providerSlug, title }: Source, flow: unknown): SignIn | undefined {
  if (!isPlainObject(flow)) return undefined;
  const authorizationEndpoint = absolute(flow.authorizationUrl);
  const tokenEndpoint = absolute(flow.tokenUrl);
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) return undefined;
  const provider: OAuthProvider = { slug: providerSlug, name: title, authorizationEndpoint, tokenEndpoint };
  return { suffix: '', kind: 'oauth2', title: `Sign in with ${title}`, fields: [], placement: [accessToken], provider };
}

function tokenFlow({ absolute }: Source, flow: unknown, grant: 'client_credentials' | 'password'): SignIn | undefined {
  const tokenUrl = isPlainObject(flow) ? absolute(flow.tokenUrl) : undefined;
  if (tokenUrl === undefined) return undefined;
  const optional = grant === 'password' ? { optional: true } : {};
  const client: CredentialField[] = [
    { name: 'client_id', title: 'Client id', secret: false, ...optional },
    { name: 'client_secret', title: 'Client secret', secret: true, ...optional },
  ];
  const person: CredentialField[] = [
    { name: 'username', title: 'User name', secret: false },
    { name: 'password', title: 'Password', secret: true },
  ];
  const own = { placement: [accessToken], tokenUrl, suffix: `_${grant}` };
  return grant === 'password'
    ? {
        ...own,
        kind: 'custom',
        title: 'User name and password',
        fields: [...person, ...client],
        exchange: passwordGrant(tokenUrl),
      }
    : {
        ...own,
        kind: 'service_account',
        title: 'Client credentials',
        fields: client,
        exchange: clientCredentials(tokenUrl),
      };
}
