/** OAuth metadata: which server authorises clients for an address (RFC 9728), and how they ask it (RFC 8414). */
import { agentScopes, taskScopes } from '../../../domain/authorization.js';
import { taskDoorName } from '../../../domain/principal.js';

export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  server: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
} as const;

/** The address of this server from its configuration, never from a request. */
export function getIssuer(publicUrl: string): string {
  return new URL(publicUrl).origin;
}

export function serverMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: issuer + paths.authorize,
    token_endpoint: issuer + paths.token,
    registration_endpoint: issuer + paths.register,
    revocation_endpoint: issuer + paths.revoke,
    scopes_supported: taskScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Returns the same for every name, so that it does not reveal whether the agent exists. */
export function resourceMetadata(issuer: string, name: string | undefined): Record<string, unknown> {
  return {
    resource: name === undefined ? issuer : mcpAddress(issuer, name),
    authorization_servers: [issuer],
    scopes_supported: scopesAt(name),
    bearer_methods_supported: ['header'],
    resource_name: name === undefined ? 'Helve' : name === taskDoorName ? 'Helve, tasks' : `Helve, agent ${name}`,
  };
}

const scopesAt = (name: string | undefined) => (name === taskDoorName ? taskScopes : agentScopes);

/** `name`: an agent’s, or that of the door of tasks. */
export function mcpAddress(issuer: string, name: string): string {
  return `${issuer}/mcp/${name}`;
}

/** Whether this can be the name or id of an agent, or the name of the door of tasks; anything else is never echoed. */
export function isDoorName(text: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(text);
}

/** The challenge of RFC 6750, with the address of the metadata. */
export function challenge(issuer: string, name: string, error?: 'invalid_token' | 'insufficient_scope'): string {
  const place = isDoorName(name) ? `${paths.resource}/mcp/${name}` : paths.resource;
  const fields = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${issuer}${place}"`,
    `scope="${scopesAt(name).join(' ')}"`,
  ];
  return `Bearer ${fields.join(', ')}`;
}
