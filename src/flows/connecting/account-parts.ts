/** What accounts are made from, and the questions that all of their acts ask. */
import type { Gate, OAuthClient } from '../../connections/index.js';
import type { AuthScheme, Connection, OAuthProvider, ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { Storage } from '../../domain/storage.js';
import type { EgressLimits, Toolkit } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import type { Registry } from '../../registry/index.js';
import type { Vault } from '../../vault/index.js';
import type { Egress } from '../../walls/egress/index.js';
import type { Instance } from '../calling/index.js';
import { type ConfigurationCache, knownToolkit } from '../workspaces/index.js';

export interface AccountParts {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly vault: Vault;
  readonly registry: Registry;
  readonly configurations: ConfigurationCache;
  readonly gate: Gate;
  readonly egress: (limits: EgressLimits) => Promise<Egress>;
  readonly oauthClients: OAuthClients;
  /** Compare what was filled in with the patterns of its fields. */
  readonly workers: Workers;
  readonly instance: Pick<Instance, 'id' | 'isAlive' | 'ensureSeen'>;
  /** Where people reach this server: the base of the redirect URI. Never taken from a request. */
  readonly publicUrl: (path: string) => string | undefined;
}

export interface OAuthClients {
  /** Throws `invalid_config` with what to do where the operator has made no client. */
  get(workspaceId: string, provider: string): Promise<ConfiguredClient>;
  /** What `helve.yaml` says of the provider, where it says anything. */
  ofFile(provider: string): OperatorsWord | undefined;
  /** The provider as overridden, whether or not there is a client. Throws `not_found`. */
  endpoints(workspaceId: string, provider: string): Promise<Pick<ConfiguredClient, 'provider' | 'named' | 'installed'>>;
}

export interface OperatorsWord {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly pkce?: OAuthProvider['pkce'];
}

export interface ConfiguredClient extends OAuthClient {
  /** The provider without what the workspace says of it: what the operator answers for. */
  readonly installed: OAuthProvider;
  /** The endpoints that the operator named in `helve.yaml`: reachable whatever network they are in. */
  readonly named: readonly string[];
  readonly source: 'file' | 'workspace';
}

export async function authOf(registry: Registry, slug: string): Promise<{ toolkit: Toolkit; auth: ToolkitAuth }> {
  const toolkit = await knownToolkit(registry, slug);
  // How a document's toolkit signs in stands in the document.
  if (toolkit.provider === 'openapi') await registry.tools(slug);
  if (!toolkit.auth) throw new HelveError('invalid_input', `${slug} needs no connection`, { hint: 'Grant its tools.' });
  return { toolkit, auth: toolkit.auth };
}

export function schemeOf({ schemes }: ToolkitAuth, toolkit: string, id: string | undefined): AuthScheme {
  const scheme = id === undefined ? schemes[0] : schemes.find((one) => one.id === id);
  if (scheme) return scheme;
  throw new HelveError('invalid_input', `${toolkit} has no way to sign in called ${JSON.stringify(id)}`, {
    hint: `It has ${schemes.map((one) => one.id).join(', ')}.`,
  });
}

export function secretSubject({ id }: Pick<Connection, 'id'>): string {
  return `connection:${id}`;
}

/** Disconnecting is final, also for what was under way. */
export function takenAway(): HelveError {
  return new HelveError('conflict', 'The connection was disconnected meanwhile', { hint: 'Begin again.' });
}

/** The reference's words: whoever calls learns no more than that. */
export function inaccessible(reason: string): HelveError {
  return new HelveError('connection_inaccessible', 'Connection not accessible', {
    hint: 'Tell the person: the account must be connected anew.',
    details: { reason },
  });
}
