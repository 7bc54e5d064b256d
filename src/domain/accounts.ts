/** The plane's operations on accounts, as the surfaces call them. */
import type { AuthKind, Connection, ConnectionVisibility, CredentialField, OAuthProvider } from './connection.js';
import type { JsonObject } from './json.js';
import type { Principal, PrincipalRef } from './principal.js';

export interface ConnectionInput {
  readonly toolkit: string;
  /** Default: the toolkit's title. */
  readonly name?: string;
  /** Default `workspace`. */
  readonly visibility?: ConnectionVisibility;
  /** Default: the toolkit's first. */
  readonly scheme?: string;
}

export interface ConnectInput {
  /**
   * Values of the scheme's fields, by field name. For OAuth: `access_token`, `refresh_token`, `expires_at` and
   * `scope` of a sign-in made elsewhere. If absent for OAuth, the caller gets a link to sign in with.
   */
  readonly credentials?: Readonly<Record<string, string>>;
  /**
   * OAuth: request scopes for these tools only; they are added to what was granted before. Default: every tool of the
   * toolkit.
   */
  readonly tools?: readonly string[];
  /**
   * For accounts that a provider stores: one of the app's sign-in methods, e.g. `API_KEY`. Default: the best
   * available.
   */
  readonly way?: string;
  /** OAuth: scopes to request beyond those the tools are known to need. */
  readonly scopes?: readonly string[];
  /** Whether to ask the service whose account this is before the connection becomes active. Default: true. */
  readonly check?: boolean;
}

export interface Connected {
  readonly connection: Connection;
  /** The address where the person signs in. Open it in the browser that will finish the sign-in. */
  readonly redirectUrl?: string;
  readonly expiresAt?: string;
}

/** What to send to a browser. `cookie` binds the sign-in to that browser. */
export interface SignInStart {
  readonly location: string;
  readonly cookie: { readonly name: string; readonly value: string; readonly maxAgeSeconds: number };
}

/** What a person sees before a sign-in link redirects, because the sender of the link may not be who they think. */
export interface SignInQuestion {
  /** The principal that asked for the link. */
  readonly by: PrincipalRef;
  readonly workspace: string;
  readonly toolkit: string;
  readonly connection: Pick<Connection, 'name' | 'slug'>;
  /** The account, if the connection was connected before. */
  readonly account?: string;
  readonly provider: string;
  readonly authorizationEndpoint: string;
  readonly scopes: readonly string[];
}

/** What the callback page shows to the person. */
export interface SignInEnd {
  readonly ok: boolean;
  readonly toolkit?: string;
  readonly connection?: Pick<Connection, 'name' | 'slug'>;
  readonly account?: string;
  /** Scopes that the provider granted without being asked. */
  readonly wider?: readonly string[];
  readonly problem?: string;
}

export interface SchemeFacts {
  readonly id: string;
  readonly kind: AuthKind;
  readonly title: string;
  readonly provider?: string;
  readonly fields: readonly CredentialField[];
}

export interface DisconnectReport {
  readonly connection: Connection;
  /** The result of revoking the credentials at the service. `nothing`: there was nothing to revoke. */
  readonly revocation: 'revoked' | 'unsupported' | 'failed' | 'nothing';
}

/** What a service says about an account when it is asked now. */
export interface ConnectionCheck {
  /** In the state that the answer left it in. */
  readonly connection: Connection;
  /**
   * `unreachable`: the service could not be asked, which says nothing about the account. `unknown`: the toolkit offers no way
   * to ask.
   */
  readonly outcome: 'works' | 'refused' | 'unreachable' | 'unknown';
  /** ISO 8601, UTC. */
  readonly checkedAt: string;
  /** Unless it works: why, in plain text. */
  readonly reason?: string;
  /** Unless it works: what to do. */
  readonly hint?: string;
}

/** One item of `helve auth doctor`. */
export interface AuthCheck {
  readonly provider: string;
  readonly toolkits: readonly string[];
  readonly client: 'workspace' | 'file' | 'none';
  readonly redirectUri: string | undefined;
  readonly scopes: readonly string[];
  readonly consoleUrl?: string;
  readonly docsUrl?: string;
  /** The problems that were found; empty if there are none. */
  readonly problems: readonly string[];
}

export interface AuthClientInput {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Keys of `OAuthProvider`. */
  readonly overrides?: Partial<OAuthProvider>;
}

export interface PendingDefinition {
  readonly toolkit: string;
  readonly tool: string;
  /** Hash of `after`, which the caller passes to agree to it. */
  readonly hash: string;
  readonly change: 'same' | 'compatible' | 'breaking' | 'suspicious';
  readonly changes: readonly string[];
  readonly flags: readonly string[];
  readonly before: JsonObject;
  readonly after: JsonObject;
}

export interface AccountActs {
  /** The connections that the principal can see. */
  connections(principal: Principal): Promise<Connection[]>;
  /**
   * Finds a connection by id or slug. If it is waiting for a person to finish at the provider that stores it, asks
   * that provider. Throws `not_found`.
   */
  connection(principal: Principal, idOrSlug: string): Promise<Connection>;
  connectionSchemes(principal: Principal, toolkit: string): Promise<SchemeFacts[]>;
  addConnection(principal: Principal, input: ConnectionInput): Promise<Connection>;
  /**
   * Throws `invalid_input`, with the service's message, if the service refuses the credentials; the stored
   * credentials then stay as they were.
   */
  connect(principal: Principal, idOrSlug: string, input: ConnectInput): Promise<Connected>;
  changeConnection(
    principal: Principal,
    idOrSlug: string,
    change: { readonly name?: string; readonly visibility?: ConnectionVisibility },
  ): Promise<Connection>;
  /**
   * Asks the service, or the provider that stores the account, whether the account still works. Only its state is stored.
   * Throws `conflict` if the connection has no account yet or any more, or is connected again meanwhile.
   */
  checkConnection(principal: Principal, idOrSlug: string): Promise<ConnectionCheck>;
  /** Makes the connection unusable here immediately, then revokes its credentials at the service. */
  disconnect(principal: Principal, idOrSlug: string): Promise<DisconnectReport>;
  /** Also removes its grants. */
  removeConnection(principal: Principal, idOrSlug: string): Promise<DisconnectReport>;
  /** The kill switch: disconnects every connection of the workspace. */
  disconnectAll(principal: Principal): Promise<DisconnectReport[]>;
  /** Describes what the link returned by `connect` is for. Changes nothing. Throws `expired`. */
  showSignIn(ticket: string): Promise<SignInQuestion>;
  /** Continues the sign-in from the link returned by `connect`, in a browser. Succeeds for exactly one browser. */
  startSignIn(ticket: string, cookieOf: (name: string) => string | undefined): Promise<SignInStart>;
  /**
   * Handles the provider's answer. Takes the whole address that the browser returned to. `session`: the person signed
   * in to Helve in that browser. Never throws for bad input from outside.
   */
  finishSignIn(
    address: URL,
    cookieOf: (name: string) => string | undefined,
    session: Principal | undefined,
  ): Promise<SignInEnd>;
  putAuthClient(principal: Principal, provider: string, input: AuthClientInput): Promise<void>;
  removeAuthClient(principal: Principal, provider: string): Promise<void>;
  authChecks(principal: Principal): Promise<AuthCheck[]>;
  rotateVault(principal: Principal): Promise<{ keyId: string; resealed: number; unreadable: number }>;
  /** Definitions that their makers changed and that no one has agreed to yet. */
  pendingDefinitions(principal: Principal): Promise<PendingDefinition[]>;
  /**
   * Agrees to the definition with this hash and no other. Throws `conflict`, with the current definition in its
   * details (`PendingDefinition`), if the tool has a different one by now, and `not_found` if no definition is
   * waiting.
   */
  acceptDefinition(principal: Principal, toolkit: string, tool: string, hash: string): Promise<void>;
}
