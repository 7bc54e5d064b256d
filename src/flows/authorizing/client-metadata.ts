/**
 * A program's metadata, whether it registers itself (RFC 7591) or publishes it at its own address (client ID metadata
 * document): a name, and where its answers go. Other fields are ignored; fields that would need a secret are refused.
 */
import { z } from 'zod';
import { isLoopback } from '../../util/loopback.js';
import { parseUrl } from '../../util/parse-url.js';
import { visibleText } from '../../util/visible-text.js';

interface ClientMetadata {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** `error`: a code of RFC 7591. */
type MetadataOutcome =
  | { readonly ok: true; readonly metadata: ClientMetadata }
  | {
      readonly ok: false;
      readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
      readonly message: string;
    };

const maxRedirectUris = 20;
const maxUriChars = 2_000;
const maxNameChars = 80;
const grantTypes = ['authorization_code', 'refresh_token'];

const shape = z.object({
  redirect_uris: z.array(z.string().max(maxUriChars)).min(1).max(maxRedirectUris),
  client_name: z.string().max(1_000).optional(),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

export function readClientMetadata(value: unknown): MetadataOutcome {
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join('.') ?? '';
    return refusal(place.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata', {
      message: `${place || 'The metadata'}: ${issue?.message ?? 'is not valid'}`,
    });
  }
  const { redirect_uris, client_name, token_endpoint_auth_method: method = 'none' } = parsed.data;
  const { grant_types = grantTypes, response_types = ['code'] } = parsed.data;
  for (const uri of redirect_uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) return refusal('invalid_redirect_uri', { message: `A redirect URI ${problem}` });
  }
  // A method with a secret is answered with `none`, as RFC 7591 allows; a key of the client's own would not be
  // honoured.
  if (!['none', 'client_secret_basic', 'client_secret_post'].includes(method))
    return unfit('token_endpoint_auth_method must be none: only public clients are served');
  if (!grant_types.includes('authorization_code')) return unfit('grant_types must include authorization_code');
  if (!response_types.includes('code')) return unfit('response_types must include code');
  const name = visibleText((client_name ?? '').trim()).slice(0, maxNameChars) || 'A program without a name';
  return { ok: true, metadata: { name, redirectUris: [...new Set(redirect_uris)] } };
}

function unfit(message: string): MetadataOutcome {
  return refusal('invalid_client_metadata', { message });
}

function refusal(error: 'invalid_redirect_uri' | 'invalid_client_metadata', { message }: { message: string }) {
  return { ok: false, error, message } as const;
}

/** Parameters that we add to an answer; an address that already has one could fake ours. */
const answerKeys = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];
const uriCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/** `https`, or the person's own computer; and written so that a browser and we read the same address. */
export function redirectUriProblem(uri: string): string | undefined {
  if (!uriCharacters.test(uri)) return 'has a fragment, a blank or another invalid character';
  const url = parseUrl(uri);
  if (url === undefined) return 'is not an absolute URL';
  if (getAuthority(uri).includes('@')) return 'has user information';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))
    return 'must be https, or http at localhost, 127.0.0.1 or [::1]';
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname))
    return 'has a host that is neither a name nor an address';
  if (!uri.startsWith(`${url.protocol}//${url.hostname}`)) return 'is not written in its plain form';
  if (answerKeys.some((key) => url.searchParams.has(key))) return 'has a parameter that is reserved for the answer';
  return undefined;
}

function getAuthority(uri: string): string {
  return /^[^:]+:\/\/([^/?]*)/.exec(uri)?.[1] ?? '';
}

/**
 * Compared as text, with the exception of RFC 8252: a program on this computer that registered a loopback address, by
 * number and without a port, listens on any free port.
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  const [, start = '', rest = ''] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\])):[1-9]\d{0,4}(\/.*)?$/.exec(uri) ?? [];
  // For any other address the result is empty, and the empty text is never registered.
  return redirectUriProblem(uri) === undefined && registered.includes(start + rest);
}
