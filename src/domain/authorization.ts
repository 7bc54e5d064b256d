/**
 * The authorization server: how a person, in a browser, lets in a program that knows only an agent's MCP address,
 * without anyone copying a token. Defines its nouns, its operations as the surfaces see them, and what the store
 * keeps.
 */
import type { Permission, Principal, PrincipalRef } from './principal.js';

/** What a person can allow a program to do as an agent; each scope is the permission of the same name. */
export const agentScopes = ['tools:read', 'tools:call'] as const satisfies readonly Permission[];
/** The same at the door of tasks, where the program acts as the person. */
export const taskScopes = [...agentScopes, 'agents:act'] as const satisfies readonly Permission[];
export type AuthorizationScope = (typeof taskScopes)[number];

/** A program, as it describes itself. None of this has been verified except where its answers may be sent. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  /** The redirect addresses that it gave. Compared as text. */
  readonly redirectUris: readonly string[];
  /** `document`: the id is the address of its description. `registered`: it registered itself here. */
  readonly origin: 'document' | 'registered';
}

/**
 * `asked`: a person sees the page. `agreed`: a code was issued. `exchanged`: tokens were issued. `ended`: its code
 * and tokens are no longer valid.
 */
export type AuthorizationStatus = 'asked' | 'agreed' | 'exchanged' | 'ended';

/** What one person allowed one program to do, as one agent or at the door of tasks. Every token issued from it names it. */
export interface Authorization {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: AuthorizationStatus;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  /** Absent at the door of tasks: there the program acts as the person. */
  readonly agentId?: string;
  readonly user: PrincipalRef;
  /** The MCP address, as the program named it. */
  readonly resource: string;
  readonly scopes: readonly AuthorizationScope[];
  /** PKCE, S256. */
  readonly challenge: string;
  readonly state?: string;
  /** SHA-256 of the secret for the next step: first the page's own token, then the code. */
  readonly secretHash: string;
  readonly createdAt: string;
  /** Expiry of the present status or, once tokens were issued, of the last refresh token. */
  readonly expiresAt: string;
  /** The API key that the person's session was created from: the authorization ends with it. */
  readonly parentId?: string;
  /** When its code was used. */
  readonly exchangedAt?: string;
}

/** A client that registered itself. */
export interface RegisteredClient extends Omit<OAuthClient, 'origin'> {
  readonly createdAt: string;
  /** Absent once a person has authorized it. */
  readonly expiresAt?: string;
}

export interface ClientTable {
  insert(client: RegisteredClient): Promise<void>;
  find(id: string, now: string): Promise<RegisteredClient | undefined>;
  /** A person authorized it: it no longer expires. */
  keep(id: string): Promise<void>;
  /** Counts the clients that still expire. */
  countUnused(): Promise<number>;
}

export interface AuthorizationTable {
  insert(authorization: Authorization): Promise<void>;
  find(id: string): Promise<Authorization | undefined>;
  /** Moves an authorization from asked and unexpired to agreed, under a new secret. True for exactly one caller. */
  agree(id: string, code: { readonly hash: string; readonly expiresAt: string }, now: string): Promise<boolean>;
  /** Moves an authorization from agreed and unexpired to exchanged, at `now`. True for exactly one caller. */
  redeem(id: string, expiresAt: string, now: string): Promise<boolean>;
  /** Deletes an authorization with status `asked` that has not expired. True for exactly one caller. */
  refuse(id: string, now: string): Promise<boolean>;
}

/** Written in the same configuration change as the credentials they concern. */
export interface AuthorizationChanges {
  /** Uses up a live credential; leaves the rest of its authorization alone. True for exactly one caller. */
  spendCredential(id: string, at: string): Promise<boolean>;
  /** Returns false unless the authorization is exchanged: then nothing may be issued under it. */
  extendAuthorization(id: string, expiresAt: string): Promise<boolean>;
  /** Also ends every credential issued from it. False if it had already ended or never existed. */
  endAuthorization(id: string, at: string): Promise<boolean>;
}

/** What the page asks the person. */
export interface ConsentQuestion {
  /** Valid once, for this page's answer. */
  readonly token: string;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  /** Absent at the door of tasks. */
  readonly agent?: { readonly slug: string; readonly name: string };
  readonly scopes: readonly AuthorizationScope[];
}

export type AuthorizationStep =
  | { readonly kind: 'consent'; readonly question: ConsentQuestion }
  | { readonly kind: 'log_in' }
  /**
   * For our own page. `location`: the address back to the program, with the error, which the person can choose to
   * follow.
   */
  | { readonly kind: 'problem'; readonly error: string; readonly message: string; readonly location?: string };

/** An answer of the token, registration and revocation endpoints, in the terms of the RFCs. */
export interface OAuthAnswer {
  readonly status: number;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** `issuer`: this server's public origin, as its operator configured it. Never taken from a request. */
export interface AuthorizationActs {
  /** Handles the address that a program opens in the browser of `person`. */
  beginAuthorization(issuer: string, query: URLSearchParams, person: Principal | undefined): Promise<AuthorizationStep>;
  /** Records the person's answer and returns where the browser goes next. Throws `forbidden` or `expired`. */
  decideAuthorization(
    issuer: string,
    person: Principal,
    token: string,
    decision: 'approved' | 'rejected',
  ): Promise<{ readonly location: string }>;
  /** `authorization`: the request header, if sent. */
  exchangeToken(form: URLSearchParams, authorization: string | undefined): Promise<OAuthAnswer>;
  revokeToken(form: URLSearchParams): Promise<OAuthAnswer>;
  /** Throws `rate_limited`. */
  registerClient(metadata: unknown, address: string): Promise<OAuthAnswer>;
}
