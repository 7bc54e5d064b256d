/**
 * The authorization server: how a program that knows only an agent's MCP address is let in by a person, through a
 * browser, without anybody copying a token. Its nouns, its acts as the doors see them, and what the store keeps.
 */
import type { Permission, Principal, PrincipalRef } from './principal.js';

/** What a person can let a program do; each is the permission of the same name. */
export const authorizationScopes = ['tools:read', 'tools:call'] as const satisfies readonly Permission[];
export type AuthorizationScope = (typeof authorizationScopes)[number];

/** A program, as it describes itself: nothing of it has been checked but who may receive its answers. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  /** Where it has itself answered. Compared as text. */
  readonly redirectUris: readonly string[];
  /** `document`: the id is the address of its description. `registered`: it announced itself here. */
  readonly origin: 'document' | 'registered';
}

/** `asked`: a person sees the page. `agreed`: there is a code. `exchanged`: there are tokens. `ended`: none is good. */
export type AuthorizationStatus = 'asked' | 'agreed' | 'exchanged' | 'ended';

/** What one person let one program do as one agent; every token that comes of it names it. */
export interface Authorization {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: AuthorizationStatus;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly agentId: string;
  readonly user: PrincipalRef;
  /** The MCP address, as the program named it. */
  readonly resource: string;
  readonly scopes: readonly AuthorizationScope[];
  /** PKCE, S256. */
  readonly challenge: string;
  readonly state?: string;
  /** SHA-256 of what moves it on: first the page's own token, then the code. */
  readonly secretHash: string;
  readonly createdAt: string;
  /** Of the present status; of the last refresh token once there are tokens. */
  readonly expiresAt: string;
  /** The API key that the person's session came of: this ends with it. */
  readonly parentId?: string;
  /** When its code was used. */
  readonly exchangedAt?: string;
}

/** A client that announced itself. */
export interface RegisteredClient extends Omit<OAuthClient, 'origin'> {
  readonly createdAt: string;
  /** Absent once a person has let it in. */
  readonly expiresAt?: string;
}

export interface ClientTable {
  insert(client: RegisteredClient): Promise<void>;
  find(id: string, now: string): Promise<RegisteredClient | undefined>;
  /** It was let in: it no longer expires. */
  keep(id: string): Promise<void>;
  /** Those that still expire. */
  countUnused(): Promise<number>;
}

export interface AuthorizationTable {
  insert(authorization: Authorization): Promise<void>;
  find(id: string): Promise<Authorization | undefined>;
  /** True for exactly one caller: asked and unexpired → agreed, under a new secret. */
  agree(id: string, code: { readonly hash: string; readonly expiresAt: string }, now: string): Promise<boolean>;
  /** True for exactly one caller: agreed and unexpired → exchanged, at `now`. */
  redeem(id: string, expiresAt: string, now: string): Promise<boolean>;
  /** True for exactly one caller: asked and unexpired → gone. */
  refuse(id: string, now: string): Promise<boolean>;
}

/** Written inside a change of the configuration, with the credentials that they are about. */
export interface AuthorizationChanges {
  /** True for exactly one caller: a live credential is used up, and nothing else of its authorization is touched. */
  spendCredential(id: string, at: string): Promise<boolean>;
  /** False unless it is exchanged: then nothing may be issued under it. */
  extendAuthorization(id: string, expiresAt: string): Promise<boolean>;
  /** With every credential that came of it. False when it had ended or never was. */
  endAuthorization(id: string, at: string): Promise<boolean>;
}

/** What the page asks the person. */
export interface ConsentQuestion {
  /** Good once, for this page's answer. */
  readonly token: string;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly agent: { readonly slug: string; readonly name: string };
  readonly scopes: readonly AuthorizationScope[];
}

export type AuthorizationStep =
  | { readonly kind: 'consent'; readonly question: ConsentQuestion }
  | { readonly kind: 'log_in' }
  /** For our own page. `location`: the way back to the program, with the error, for the person to take or leave. */
  | { readonly kind: 'problem'; readonly error: string; readonly message: string; readonly location?: string };

/** An answer of the token, registration and revocation endpoints, as the RFCs word it. */
export interface OAuthAnswer {
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** `issuer`: this server's public origin, as its operator configured it. Never taken from a request. */
export interface AuthorizationActs {
  /** The address that a program opens in the browser of `person`. */
  beginAuthorization(issuer: string, query: URLSearchParams, person: Principal | undefined): Promise<AuthorizationStep>;
  /** The person's answer; where the browser goes next. Throws `forbidden` or `expired`. */
  decideAuthorization(
    issuer: string,
    person: Principal,
    token: string,
    decision: 'approved' | 'rejected',
  ): Promise<{ readonly location: string }>;
  /** `authorization`: the header, where one was sent. */
  exchangeToken(form: URLSearchParams, authorization: string | undefined): Promise<OAuthAnswer>;
  revokeToken(form: URLSearchParams): Promise<OAuthAnswer>;
  /** Throws `rate_limited`. */
  registerClient(metadata: unknown, address: string): Promise<OAuthAnswer>;
}
