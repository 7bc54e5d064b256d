/** Accounts: how a toolkit signs in, and the standing access of one account to it. */
import type { JsonObject } from './json.js';
import type { ProviderKind } from './provider-kind.js';
import type { ServiceClient, ServiceDefinition } from './service.js';

/** added → pending → active → expired / revoked / error. Only `active` ones are used. */
export type ConnectionStatus = 'added' | 'pending' | 'active' | 'expired' | 'revoked' | 'error';

export type ConnectionVisibility = 'private' | 'workspace';

/** Whose account it is, as the service tells it. */
export interface Account {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

export interface Connection {
  readonly id: string;
  readonly toolkit: string;
  /** What people call it. */
  readonly name: string;
  /** What models see before `__`: given once, unique in the workspace, kept when the account signs in anew. */
  readonly slug: string;
  readonly status: ConnectionStatus;
  /** Why it is not active, for people. */
  readonly reason?: string;
  readonly visibility: ConnectionVisibility;
  /** The user who added it. A private connection is used only by and for them. */
  readonly ownerId: string;
  /** Id of one of the toolkit's schemes. */
  readonly scheme: string;
  /** What is not secret of what was filled in: a host, a user name. */
  readonly settings: JsonObject;
  readonly account?: Account;
  /** As granted by the service; undefined where it does not say. */
  readonly scopes?: readonly string[];
  readonly createdAt: string;
  readonly connectedAt?: string;
}

/** What a person needs to know of a connection: which it is, whose account it is at the service, and who added it. */
export interface ActingAccount {
  readonly connectionId: string;
  readonly slug: string;
  readonly name: string;
  readonly visibility: Connection['visibility'];
  /** As the service tells it: an e-mail address, a name or an id. Absent where it does not say. */
  readonly account?: string;
  /** The user who added it, by name where there is one. */
  readonly owner: string;
}

/** `hosted`: the provider keeps the account (`domain/provider.ts`, `HostedAccounts`), and we only refer to it. */
export type AuthKind = 'oauth2' | 'api_key' | 'basic' | 'bot_token' | 'service_account' | 'custom' | 'hosted';

/** One thing that a person fills in. */
export interface CredentialField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** Secret ones go to the vault; the others into the connection's settings. */
  readonly secret: boolean;
  readonly optional?: boolean;
  /** RE2 pattern of the whole value. */
  readonly pattern?: string;
}

/** Where credentials stand in a request. In templates `{name}` is a field, or `{access_token}`. */
export type CredentialPlacement =
  | { readonly in: 'header' | 'query' | 'cookie'; readonly name: string; readonly value: string }
  /** Between the server's base URL and the request's path: `/bot{token}`. */
  | { readonly in: 'path'; readonly value: string }
  | { readonly in: 'basic'; readonly username: string; readonly password: string };

/** What an exchange gives: a token that lives for a while, made from fields that stay. */
export interface ExchangedToken {
  readonly accessToken: string;
  readonly expiresInSeconds?: number;
}

/** What an exchange may use: requests to the servers of the toolkit or of its OAuth provider, without credentials. */
export interface ExchangeContext {
  /** Secret and plain ones. */
  readonly fields: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly service: ServiceClient;
  /** The OAuth provider's token endpoint, where the scheme names a provider. */
  readonly tokenEndpoint: string | undefined;
  /** Whose token endpoint that is, where the scheme discovers it. */
  readonly issuer?: string;
  readonly now: Date;
}

export interface AuthScheme {
  /** `oauth2`, `token`, `app`: told apart when connecting. */
  readonly id: string;
  readonly kind: AuthKind;
  readonly title: string;
  /** OAuth: slug of the provider whose endpoints are used (`connections/providers/`). */
  readonly provider?: string;
  /** OAuth: an MCP server whose own words say where to sign in; `provider` is the name under which that is kept. */
  readonly discover?: {
    readonly server: string;
    /** Origins that the operator named: the server's own, and of whom it may point to in a private network. */
    readonly named: readonly string[];
  };
  /** OAuth: asked for beside those of the tools: `openid email`. */
  readonly scopes?: readonly string[];
  readonly fields?: readonly CredentialField[];
  /** Default for OAuth and exchanges: `Authorization: Bearer {access_token}`. Otherwise: none. */
  readonly placement?: readonly CredentialPlacement[];
  /** Trades the fields for a token, whenever there is none or it has run out. */
  readonly exchange?: (context: ExchangeContext) => Promise<ExchangedToken>;
  /** Tools of this toolkit may read the fields: for protocols that are not HTTP. */
  readonly exposed?: boolean;
  /** `hosted`: the provider that keeps the account, and whose tools act with it. */
  readonly hostedBy?: ProviderKind;
}

/** How a toolkit signs in. */
export interface ToolkitAuth {
  /** The first is the one that is used where none is named. */
  readonly schemes: readonly AuthScheme[];
  /** Asks the service whose account this is, which shows that the credentials work. Throws when they do not. */
  readonly identify?: (service: ServiceClient) => Promise<Account>;
  /** A scope that stands for others: `{ 'https://mail.google.com/': ['…/gmail.send', …] }`. */
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>;
}

/** What a provider is handed for a call with an account. Nothing here has reached out yet. */
export interface BoundConnection {
  readonly facts: Connection;
  /** Throws `egress_blocked` when asked for anything but the definition's servers. */
  service(definition: ServiceDefinition, settings: JsonObject): ServiceClient;
  /** All fields of an `exposed` scheme. Throws `forbidden` for any other. */
  fields(): Promise<Readonly<Record<string, string>>>;
}

/** The endpoints and habits of one OAuth 2.0 server: data, each key overridable in `helve.yaml`. */
export interface OAuthProvider {
  readonly slug: string;
  readonly name: string;
  /** `{name}` in these three is filled in from the connection's settings: a shop's or tenant's own host. */
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** RFC 7009. */
  readonly revocationEndpoint?: string;
  /** Where it is said, an `iss` in the callback must equal it. */
  readonly issuer?: string;
  /** The server says that it always names itself in the callback (RFC 9207): one that does not is refused. */
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
  /** Where an operator makes a client, for `helve auth doctor`. */
  readonly consoleUrl?: string;
  readonly docsUrl?: string;
}
