/** The parts of the account flows, and checks shared by all of their operations. */
import type { Gate, OAuthClient } from '../../connections/index.js';
import type { AuthScheme, Connection, OAuthProvider, ToolkitAuth } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { OAuthFlow, Storage } from '../../domain/storage.js';
import type { RenewalOutcome } from '../../domain/telemetry.js';
import type { EgressLimits, Toolkit } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import type { Registry } from '../../registry/index.js';
import { definitionName } from '../../util/tool-definition.js';
import type { Vault } from '../../vault/index.js';
import type { Egress } from '../../walls/egress/index.js';
import type { Instance } from '../calling/index.js';
import { type ConfigurationCache, knownToolkit, pinUnknown } from '../workspaces/index.js';

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
  /** The address at which people reach this server: the base of the redirect URI. Never taken from a request. */
  readonly publicUrl: (path: string) => string | undefined;
  /** Is told how each request for fresh credentials ended. */
  readonly onRenewal?: ((outcome: RenewalOutcome) => void) | undefined;
}

export interface OAuthClients {
  /** Throws `invalid_config`, with what to do, if the operator has created no client. */
  get(workspaceId: string, provider: string): Promise<ConfiguredClient>;
  /** The settings of the provider in `helve.yaml`, if any. */
  ofFile(provider: string): OperatorsWord | undefined;
  /** The provider with its overrides, whether or not there is a client. Throws `not_found`. */
  endpoints(workspaceId: string, provider: string): Promise<Pick<ConfiguredClient, 'provider' | 'named' | 'installed'>>;
}

export interface OperatorsWord {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly issuer?: string | undefined;
  readonly pkce?: OAuthProvider['pkce'];
}

export interface ConfiguredClient extends OAuthClient {
  /** The provider without the workspace's overrides: what the operator is responsible for. */
  readonly installed: OAuthProvider;
  /** The endpoints that the operator named in `helve.yaml`: reachable in any network. */
  readonly named: readonly string[];
  readonly source: 'file' | 'workspace';
}

export async function requireAuth(registry: Registry, slug: string): Promise<{ toolkit: Toolkit; auth: ToolkitAuth }> {
  const toolkit = await knownToolkit(registry, slug);
  // For a document's toolkit, the document says how it signs in.
  if (toolkit.provider === 'openapi') await registry.tools(slug);
  if (!toolkit.auth) throw new HelveError('invalid_input', `${slug} needs no connection`, { hint: 'Grant its tools.' });
  return { toolkit, auth: toolkit.auth };
}

/**
 * Called before credentials are stored and before people are sent to sign in: both rely on the addresses that a document names. The
 * workspace agrees to those that it sees first. Throws `invalid_config` if it agreed to others, or if the document offers no tool.
 */
export async function agreeToServers(
  parts: Pick<AccountParts, 'registry' | 'configurations' | 'storage' | 'now'>,
  workspaceId: string,
  { slug, title, provider }: Toolkit,
): Promise<void> {
  if (provider !== 'openapi') return;
  const [first] = await parts.registry.tools(slug);
  if (!first)
    throw new HelveError('invalid_config', `The document of ${title} offers no tools`, {
      hint: `The operator compares it with openapi.${slug}.include in helve.yaml.`,
    });
  const { definition } = first.tool;
  if (!definition) return;
  await pinUnknown(parts, await parts.configurations.getFresh(workspaceId), [first]);
  const { pins } = await parts.configurations.getFresh(workspaceId);
  const name = definitionName(first.tool);
  if (pins.some((pin) => pin.toolkit === slug && pin.tool === name && pin.hash === definition.hash)) return;
  throw new HelveError('invalid_config', `The document of ${title} names servers other than those that were accepted`, {
    hint: 'An administrator compares them and accepts the new ones: helve definitions.',
  });
}

export function findScheme({ schemes }: ToolkitAuth, toolkit: string, id: string | undefined): AuthScheme {
  const scheme = id === undefined ? schemes[0] : schemes.find((one) => one.id === id);
  if (scheme) return scheme;
  throw new HelveError('invalid_input', `${toolkit} has no sign-in method named ${JSON.stringify(id)}`, {
    hint: `It has ${schemes.map((one) => one.id).join(', ')}.`,
  });
}

export function secretSubject({ id }: Pick<Connection, 'id'>): string {
  return `connection:${id}`;
}

/** Disconnecting is final, also for sign-ins in progress. */
export function takenAway(): HelveError {
  return new HelveError('conflict', 'The connection was disconnected meanwhile', { hint: 'Start again.' });
}

/** A sign-in that began earlier must not replace the account of one that was finished since. Throws `conflict`. */
export function refuseOlder({ connectedAt }: Connection, { createdAt }: Pick<OAuthFlow, 'createdAt'>): void {
  if (connectedAt === undefined || connectedAt <= createdAt) return;
  throw new HelveError('conflict', 'The account was connected since this sign-in began', {
    hint: 'Start again to connect another one.',
  });
}

/** The caller learns no more than this. */
export function inaccessible(reason: string): HelveError {
  return new HelveError('connection_inaccessible', 'Connection not accessible', {
    hint: 'Tell the person: the account must be connected again.',
    details: { reason },
  });
}
