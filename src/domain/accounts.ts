/** The plane's acts on accounts, as the doors see them. */
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
  /** By field name, what the scheme asks for. For OAuth: `access_token`, `refresh_token`, `expires_at`, `scope` of a sign-in made elsewhere. Absent for OAuth: a link to sign in with. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** OAuth: scopes for these tools only; they are added to what was granted before. Default: every tool of the toolkit. */
  readonly tools?: readonly string[];
  /** Accounts that a provider keeps: one of the app's own ways to sign in, `API_KEY`. Default: the best that there is. */
  readonly way?: string;
  /** OAuth: more scopes than the tools are known to need. */
  readonly scopes?: readonly string[];
  /** Whether the service is asked whose account it is before the connection counts as active. Default: yes. */
  readonly check?: boolean;
}

export interface Connected {
  readonly connection: Connection;
  /** Where the person signs in. To be opened in the browser that finishes there. */
  readonly redirectUrl?: string;
  readonly expiresAt?: string;
}

/** What a browser is told to do. `cookie` binds the sign-in to it. */
export interface SignInStart {
  readonly location: string;
  readonly cookie: { readonly name: string; readonly value: string; readonly maxAgeSeconds: number };
}

/** What a person is shown before a link to sign in leads on: whoever sent it may not be who they think. */
export interface SignInQuestion {
  /** Who asked for the link. */
  readonly by: PrincipalRef;
  readonly workspace: string;
  readonly toolkit: string;
  readonly connection: Pick<Connection, 'name' | 'slug'>;
  /** Whose account it was when it was connected before. */
  readonly account?: string;
  readonly provider: string;
  readonly authorizationEndpoint: string;
  readonly scopes: readonly string[];
}

/** What the callback says to the person. */
export interface SignInEnd {
  readonly ok: boolean;
  readonly toolkit?: string;
  readonly connection?: Pick<Connection, 'name' | 'slug'>;
  readonly account?: string;
  /** Scopes that the provider gave without being asked. */
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
  /** What the service itself was told. */
  readonly revocation: 'revoked' | 'unsupported' | 'failed' | 'nothing';
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
  /** What was found wrong; empty: nothing. */
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
  /** Of `after`: whoever agrees names it. */
  readonly hash: string;
  readonly change: 'same' | 'compatible' | 'breaking' | 'suspicious';
  readonly changes: readonly string[];
  readonly flags: readonly string[];
  readonly before: JsonObject;
  readonly after: JsonObject;
}

export interface AccountActs {
  /** Those that the principal can see. */
  connections(principal: Principal): Promise<Connection[]>;
  /** By id or slug. One that waits for its person at the provider that keeps it is asked for there. Throws `not_found`. */
  connection(principal: Principal, idOrSlug: string): Promise<Connection>;
  connectionSchemes(principal: Principal, toolkit: string): Promise<SchemeFacts[]>;
  addConnection(principal: Principal, input: ConnectionInput): Promise<Connection>;
  /** Throws `invalid_input` with what the service said when it refuses the credentials; what was stored before stands. */
  connect(principal: Principal, idOrSlug: string, input: ConnectInput): Promise<Connected>;
  changeConnection(
    principal: Principal,
    idOrSlug: string,
    change: { readonly name?: string; readonly visibility?: ConnectionVisibility },
  ): Promise<Connection>;
  /** Unusable at once, here; then the service is told. */
  disconnect(principal: Principal, idOrSlug: string): Promise<DisconnectReport>;
  /** With its grants. */
  removeConnection(principal: Principal, idOrSlug: string): Promise<DisconnectReport>;
  /** The kill switch: every connection of the workspace. */
  disconnectAll(principal: Principal): Promise<DisconnectReport[]>;
  /** What the link of `connect` is for. Changes nothing. Throws `expired`. */
  showSignIn(ticket: string): Promise<SignInQuestion>;
  /** Goes on from the link of `connect`, in a browser: exactly one browser can. */
  startSignIn(ticket: string, cookieOf: (name: string) => string | undefined): Promise<SignInStart>;
  /** The provider's answer: the whole address that the browser came back to. `session`: whoever is signed in to Helve in that browser. Never throws for what came from outside. */
  finishSignIn(
    address: URL,
    cookieOf: (name: string) => string | undefined,
    session: Principal | undefined,
  ): Promise<SignInEnd>;
  putAuthClient(principal: Principal, provider: string, input: AuthClientInput): Promise<void>;
  removeAuthClient(principal: Principal, provider: string): Promise<void>;
  authChecks(principal: Principal): Promise<AuthCheck[]>;
  rotateVault(principal: Principal): Promise<{ keyId: string; resealed: number; unreadable: number }>;
  /** Definitions that their makers changed and that nobody has agreed to. */
  pendingDefinitions(principal: Principal): Promise<PendingDefinition[]>;
  /**
   * Agrees to the definition with this hash and to no other. Throws `conflict`, with the definition as it now is in its
   * details (`PendingDefinition`), when the tool has another one by now, and `not_found` when nothing waits.
   */
  acceptDefinition(principal: Principal, toolkit: string, tool: string, hash: string): Promise<void>;
}
