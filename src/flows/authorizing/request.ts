/**
 * Reads an authorization request. Nothing is assumed that the text does not state: each parameter once, PKCE with S256,
 * one of our own MCP addresses, a redirect address that is registered exactly.
 */
import { type AuthorizationScope, agentScopes, taskScopes } from '../../domain/authorization.js';
import { taskDoorName } from '../../domain/principal.js';

export interface AuthorizationRequest {
  readonly scopes: readonly AuthorizationScope[];
  readonly resource: string;
  /** As written in the address; undefined at the door of tasks. */
  readonly agent: string | undefined;
  readonly challenge: string;
}

interface RequestProblem {
  /** A code of RFC 6749, RFC 8707 or RFC 7636. */
  readonly error: string;
  readonly message: string;
}

const maxChars = 2_000;
const known = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'resource',
  'request',
  'code_challenge',
  'code_challenge_method',
  'request_uri',
];

/** A repeated parameter could be read differently here and elsewhere. */
export function shapeProblem(query: URLSearchParams, names: readonly string[] = known): string | undefined {
  for (const name of names) {
    const values = query.getAll(name);
    if (values.length > 1) return `${name} occurs more than once`;
    const value = values[0] ?? '';
    if (value.length > maxChars) return `${name} is too long`;
    // Printed text must be printable, and compared text must be plain.
    if (/[^\x20-\x7e]/.test(value)) return `${name} has invalid characters`;
  }
  return undefined;
}

export function readRequest(query: URLSearchParams, issuer: string): AuthorizationRequest | RequestProblem {
  if (query.get('response_type') !== 'code') return problem('unsupported_response_type', 'response_type must be code');
  if (query.has('request') || query.has('request_uri'))
    return problem('request_not_supported', 'request objects are not supported');
  if (!['query', null].includes(query.get('response_mode')))
    return problem('invalid_request', 'response_mode must be query');
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256')
    return problem('invalid_request', 'PKCE is required: code_challenge_method must be S256');
  // The hash of S256 always has this length.
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return problem('invalid_request', 'PKCE is required: code_challenge must be 43 characters of base64url');
  const resource = query.get('resource') ?? '';
  const name = findName(resource, issuer);
  if (name === undefined)
    return problem(
      'invalid_target',
      `resource must be the MCP address of an agent, ${issuer}/mcp/<agent>, or ${issuer}/mcp/${taskDoorName}`,
    );
  const agent = name === taskDoorName ? undefined : name;
  const offered = agent === undefined ? taskScopes : agentScopes;
  const scopes = readScopes(query.get('scope'), offered);
  if (scopes === undefined) return problem('invalid_scope', `scope must be some of: ${offered.join(' ')}`);
  return { scopes, resource, agent, challenge };
}

export function isProblem(read: AuthorizationRequest | RequestProblem): read is RequestProblem {
  return 'error' in read;
}

function findName(resource: string, issuer: string): string | undefined {
  const start = `${issuer}/mcp/`;
  if (!resource.startsWith(start)) return undefined;
  const name = resource.slice(start.length);
  return /^[A-Za-z0-9-]{1,64}$/.test(name) ? name : undefined;
}

/** If there are none: all of them, which the page shows. */
function readScopes(
  text: string | null,
  offered: readonly AuthorizationScope[],
): readonly AuthorizationScope[] | undefined {
  const asked = (text ?? '').split(' ').filter((word) => word !== '');
  if (asked.length === 0) return offered;
  const found = offered.filter((scope) => asked.includes(scope));
  return asked.every((word) => offered.some((scope) => scope === word)) ? found : undefined;
}

function problem(error: string, message: string): RequestProblem {
  return { error, message };
}

/**
 * Returns the address back to the program. The registered address is unchanged; `iss` names the answering server (RFC
 * 9207).
 */
export function answerLocation(
  redirectUri: string,
  answer: Readonly<Record<string, string | undefined>>,
  issuer: string,
): string {
  const fields = Object.entries({ ...answer, iss: issuer }).filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(fields).toString()}`;
}
