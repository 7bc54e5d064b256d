/**
 * An authorization server's metadata, checked before any of it is used: a browser is sent to one of these addresses,
 * and codes and tokens to another.
 */
import { HelveError } from '../../domain/errors.js';

export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly revocationEndpoint?: string;
  readonly registrationEndpoint?: string;
  /** Undefined if the server does not say: it may not support PKCE. */
  readonly challengeMethods?: readonly string[];
  readonly tokenAuthMethods?: readonly string[];
  /** The server sends `iss` in each callback (RFC 9207). */
  readonly namesItself: boolean;
  /** A client id may be a URL of ours instead of a registered one. */
  readonly takesClientAddresses: boolean;
}

/**
 * `from`: the address of the document. Throws `upstream_failed`, naming the key, for a value of the wrong type and for
 * an address to which a browser or a token must not be sent.
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

/** Undefined if the text is not an http: or https: address. */
export function parseHttpAddress(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An http: address is accepted only in a document read over http:, which the egress wall allows for servers that the
 * operator named.
 */
function readAddress(value: unknown, key: string, from: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const url = typeof value === 'string' ? parseHttpAddress(value) : undefined;
  const isSafe = url?.protocol === 'https:' || new URL(from).protocol === 'http:';
  if (!url || !isSafe || url.username !== '' || url.password !== '' || url.hash !== '')
    throw wrongValue(key, value, 'is not an https: address', from);
  return String(value);
}

function readIssuer(value: unknown, from: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw wrongValue('issuer', value, 'is not an address', from);
}

function readTexts(value: unknown, key: string, from: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((one): one is string => typeof one === 'string')) return value;
  throw wrongValue(key, value, 'is not a list of strings', from);
}

function wrongValue(key: string, value: unknown, problem: string, from: string): HelveError {
  const shown = (JSON.stringify(value) ?? 'nothing').slice(0, 200);
  return new HelveError(
    'upstream_failed',
    `${new URL(from).host} does not support sign-in: its ${key} ${problem}: ${shown}`,
    {
      hint: 'Tell the operator of that server: no one can sign in there until its OAuth metadata is corrected.',
    },
  );
}

function dropMissing<T extends object>(value: { [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
