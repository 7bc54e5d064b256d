/** Accounts: how a toolkit signs in, and the stored access of one account to it. */
import type { JsonObject } from './json.js';
import type { ProviderKind } from './provider-kind.js';
import type { ServiceClient, ServiceDefinition } from './service.js';

/** added → pending → active → expired / revoked / error. Calls use only `active` ones. */
export type ConnectionStatus = 'added' | 'pending' | 'active' | 'expired' | 'revoked' | 'error';

export type ConnectionVisibility = 'private' | 'workspace';

/** The account, as the service describes it. */
export interface Account {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
  /** `live`, `test`: for a service that gives one id to the account in each. Grants, and approvals, are for one of them. */
  readonly environment?: string;
}

export interface Connection {
  readonly id: string;
  readonly toolkit: string;
  /** The name that people use for it. */
  readonly name: string;
  /**
   * The prefix before `__` in model names. Assigned once, unique in the workspace, and unchanged when the account
   * signs in again.
   */
  readonly slug: string;
  readonly status: ConnectionStatus;
  /** Why it is not active, in plain text. */
  readonly reason?: string;
  readonly visibility: ConnectionVisibility;
  /** The user who added it. A private connection is used only by and for them. */
  readonly ownerId: string;
  /** Id of one of the toolkit's schemes. */
  readonly scheme: string;
  /** The non-secret values that were filled in: a host, a user name. */
  readonly settings: JsonObject;
  readonly account?: Account;
  /** As granted by the service; undefined if the service does not say. */
  readonly scopes?: readonly string[];
  readonly createdAt: string;
  readonly connectedAt?: string;
}

/**
 * What a person needs to know about a connection: which one it is, whose account it is at the service, and who added
 * it.
 */
export interface ActingAccount {
  readonly connectionId: string;
  readonly slug: string;
  readonly name: string;
  readonly visibility: Connection['visibility'];
  /** As the service describes it: an e-mail address, a name or an id. Absent if the service does not say. */
  readonly account?: string;
  /** The user who added it, by name if they have one. */
  readonly owner: string;
}

/**
 * `hosted`: the provider stores the account (`HostedAccounts` in `domain/provider.ts`), and we only store a
 * reference.
 */
export type AuthKind = 'oauth2' | 'api_key' | 'basic' | 'bot_token' | 'service_account' | 'custom' | 'hosted';

/** One field that a person fills in. */
export interface CredentialField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** Secret ones go to the vault; the others into the connection's settings. */
  readonly secret: boolean;
  readonly optional?: boolean;
  /** RE2 pattern that the whole value must match. */
  readonly pattern?: string;
}

/** Where credentials go in a request. In templates `{name}` is a field, or `{access_token}`. */
export type CredentialPlacement =
  | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string; readonly value: string }
  /** Between the server's base URL and the request's path: `/bot{token}`. */
  | { readonly in: 'path'; readonly value: string }
  | { readonly in: 'basic'; readonly username: string; readonly password: string };

/** The result of an exchange: a short-lived token made from permanent fields. */
export interface ExchangedToken {
  readonly accessToken: string;
  readonly expiresInSeconds?: number;
}

/** What an exchange may use: requests to the servers of the toolkit or of its OAuth provider, without credentials. */
export interface ExchangeContext {
  /** Secret and plain fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly service: ServiceClient;
  /** The OAuth provider's token endpoint, if the scheme names a provider. */
  readonly tokenEndpoint: string | undefined;
  /** The issuer that owns that token endpoint, if the scheme discovers it. */
  readonly issuer?: string;
  readonly now: Date;
}

export interface AuthScheme {
  /** `oauth2`, `token`, `app`: identifies the scheme when connecting. */
  readonly id: string;
  readonly kind: AuthKind;
  readonly title: string;
  /** OAuth: slug of the provider whose endpoints are used (`connections/providers/`). */
  readonly provider?: string;
  /** OAuth: an MCP server whose metadata says where to sign in; the result is stored under the name in `provider`. */
  readonly discover?: {
    readonly server: string;
    /** Origins that the operator named: the server's own, and those it may point to in a private network. */
    readonly named: readonly string[];
  };
  /** OAuth: scopes to request in addition to those of the tools: `openid email`. */
  readonly scopes?: readonly string[];
  readonly fields?: readonly CredentialField[];
  /** Default for OAuth and exchanges: `Authorization: Bearer {access_token}`. Otherwise: none. */
  readonly placement?: readonly CredentialPlacement[];
  /** Exchanges the fields for a token, whenever there is none or it has expired. */
  readonly exchange?: (context: ExchangeContext) => Promise<ExchangedToken>;
  /** Tools of this toolkit may read the fields: for protocols that are not HTTP. */
  readonly exposed?: boolean;
  /** `hosted`: the provider that stores the account and whose tools act with it. */
  readonly hostedBy?: ProviderKind;
}

/** How a toolkit signs in. */
export interface ToolkitAuth {
  /** The first is the default. */
  readonly schemes: readonly AuthScheme[];
  /** Asks the service whose account this is, which shows that the credentials work. Throws when they do not. */
  readonly identify?: (service: ServiceClient) => Promise<Account>;
  /** A scope that includes others: `{ 'https://mail.google.com/': ['…/gmail.send', …] }`. */
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>;
}

/** What a provider gets for a call with an account. Nothing here has sent a request yet. */
export interface BoundConnection {
  readonly facts: Connection;
  /** Throws `egress_blocked` for any address other than the definition's servers. */
  service(definition: ServiceDefinition, settings: JsonObject): ServiceClient;
  /** All fields of an `exposed` scheme. Throws `forbidden` for any other. */
  fields(): Promise<Readonly<Record<string, string>>>;
}

/** The endpoints and peculiarities of one OAuth 2.0 server: data, each key overridable in `helve.yaml`. */
export interface OAuthProvider {
  readonly slug: string;
  readonly name: string;
  /** `{name}` in these three is filled in from the connection's settings: a shop's or tenant's own host. */
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** RFC 7009. */
  readonly revocationEndpoint?: string;
  /** If set, an `iss` in the callback must equal it. */
  readonly issuer?: string;
  /** The server states that it always sends `iss` in the callback (RFC 9207): a callback without it is refused. */
  readonly issuerRequired?: boolean;
  /** Default: a space. */
  readonly scopeDelimiter?: string;
  /** Default `scope`. */
  readonly scopeParameter?: string;
  /** Default `S256`. `none` only where the server refuses requests that carry it. */
  readonly pkce?: 'S256' | 'none';
  /** Default `client_secret_basic`; `none` for public clients. */
  readonly tokenAuth?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** Default `client_id`. */
  readonly clientIdParameter?: string;
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** The page where an operator creates a client, for `helve auth doctor`. */
  readonly consoleUrl?: string;
  readonly docsUrl?: string;
}
