/**
 * What an authorization server says of itself, checked before anything of it is used: a browser is sent to one of these
 * addresses, and codes and tokens to another.
 */
import { HelveError } from '../../domain/errors.js';

export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly registrationEndpoint?: string;
  /** Undefined where the server does not say: it may not know PKCE. */
  readonly challengeMethods?: readonly string[];
  readonly tokenAuthMethods?: readonly string[];
  /** The server names itself in each callback (RFC 9207). */
  readonly namesItself: boolean;
  /** A client may be an address of ours instead of being registered. */
  readonly takesClientAddresses: boolean;
}

/**
 * `from`: where the document was read. Throws `upstream_failed` that names the key, for a value of the wrong type and for
 * an address that a browser or a token must not be sent to.
 */
export function readServerMetadata(found: Readonly<Record<string, unknown>>, from: string): ServerMetadata {
  const address = (key: string): string | undefined => readAddress(found[key], key, from);
  const texts = (key: string): readonly string[] | undefined => readTexts(found[key], key, from);
  return dropMissing({
    issuer: readIssuer(found.issuer, from),
    authorizationEndpoint: address('authorization_endpoint'),
    tokenEndpoint: address('token_endpoint'),
    revocationEndpoint: address('revocation_endpoint'),
    registrationEndpoint: address('registration_endpoint'),
    challengeMethods: texts('code_challenge_methods_supported'),
    tokenAuthMethods: texts('token_endpoint_auth_methods_supported'),
    namesItself: found.authorization_response_iss_parameter_supported === true,
    takesClientAddresses: found.client_id_metadata_document_supported === true,
  });
}

/** Undefined for a text that is no http: or https: address. */
export function parseHttpAddress(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Over http: only what was told over http:, which the egress wall allows where the operator named the server. */
function readAddress(value: unknown, key: string, from: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const url = typeof value === 'string' ? parseHttpAddress(value) : undefined;
  const isSafe = url?.protocol === 'https:' || new URL(from).protocol === 'http:';
  if (!url || !isSafe || url.username !== '' || url.password !== '' || url.hash !== '')
    throw wrongValue(key, value, 'is no https: address', from);
  return String(value);
}

function readIssuer(value: unknown, from: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrongValue('issuer', value, 'is no address', from);
}

function readTexts(value: unknown, key: string, from: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((one): one is string => typeof one === 'string')) return value;
  throw wrongValue(key, value, 'is no list of texts', from);
}

function wrongValue(key: string, value: unknown, problem: string, from: string): HelveError {
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 200);
  return new HelveError(
    'upstream_failed',
    `${new URL(from).host} cannot be signed in to: its ${key} ${problem}: ${shown}`,
    {
      hint: 'Tell whoever runs that server: nobody can sign in there until its OAuth metadata is put right.',
    },
  );
}

function dropMissing<T extends object>(value: { [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
