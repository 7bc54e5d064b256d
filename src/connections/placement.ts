/** Puts credentials into requests where the scheme declares them. No other code does this. */
import type { AuthScheme, CredentialPlacement } from '../domain/connection.js';
import { HelveError } from '../domain/errors.js';

export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const bearer: readonly CredentialPlacement[] = [
  { in: 'header', name: 'authorization', value: 'Bearer {access_token}' },
];

export function getPlacements(scheme: AuthScheme): readonly CredentialPlacement[] {
  return scheme.placement ?? (scheme.kind === 'oauth2' || scheme.exchange ? bearer : []);
}

/** `serverPath` is the path of the server's base URL: path credentials go between it and the request's path. */
export function placeCredentials(
  request: OutgoingRequest,
  placements: readonly CredentialPlacement[],
  values: Readonly<Record<string, string>>,
  serverPath: string,
): OutgoingRequest {
  const url = new URL(request.url);
  const headers: Record<string, string> = { ...request.headers };
  for (const placement of placements) {
    switch (placement.in) {
      case 'header':
        headers[placement.name.toLowerCase()] = fill(placement.value, values);
        break;
      case 'query':
        url.search = withQuery(url.search, placement.name, fill(placement.value, values));
        break;
      case 'cookie': {
        const pair = `${placement.name}=${encodeURIComponent(fill(placement.value, values))}`;
        headers.cookie = headers.cookie === undefined ? pair : `${headers.cookie}; ${pair}`;
        break;
      }
      case 'path': {
        const rest = url.pathname.slice(serverPath.length);
        url.pathname = `${serverPath}${fill(placement.value, values, encodePathPart)}${rest}`;
        break;
      }
      case 'basic': {
        const pair = `${fill(placement.username, values)}:${fill(placement.password, values)}`;
        headers.authorization = `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
      }
    }
  }
  return { url, headers };
}

/** Appends to the text: the parser's own list would re-encode every other value. */
function withQuery(search: string, name: string, value: string): string {
  const others = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && decoded(pair.split('=')[0] ?? '') !== name);
  return [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A colon is part of many bot tokens and is harmless in a path. */
const encodePathPart = (value: string): string => encodeURIComponent(value).replaceAll('%3A', ':');

function fill(
  template: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string = (value) => value,
): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      throw new HelveError('connection_inaccessible', `The connection has no ${name}`, {
        hint: 'The operator must connect the account again.',
      });
    }
    return encode(value);
  });
}
