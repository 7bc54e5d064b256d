/** Signing in to Helve with an account at an OpenID provider. */
import type { Role } from './principal.js';

/** Who somebody is at a provider. Only both together identify a person. */
export interface Identity {
  /** The provider's address, as its ID tokens name it. */
  readonly issuer: string;
  readonly subject: string;
}

/** What the sign-in page shows of a provider. */
export interface IdentityProviderRef {
  /** Part of the address where the sign-in starts. */
  readonly name: string;
  readonly title: string;
}

/** An OpenID provider, as the operator set it up in `helve.yaml`. */
export interface IdentityProvider extends IdentityProviderRef {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client, which only PKCE protects. */
  readonly clientSecret?: string;
  /** Requested besides `openid`. */
  readonly scopes: readonly string[];
  /** The claim that lists a person's groups. */
  readonly groupsClaim: string;
  /** The groups that give a role, at each sign-in. Absent: people keep the role that they have in Helve. */
  readonly roles?: Readonly<Record<Role, readonly string[]>>;
  /** Whether people with a group are let in without an invitation. */
  readonly createUsers: boolean;
  /** The slug of the workspace that people sign in to. */
  readonly workspace: string;
}

export interface StartedIdentitySignIn {
  /** Where the browser goes. */
  readonly location: string;
  /** The value of the cookie that binds the sign-in to this browser. */
  readonly cookie: string;
  readonly maxAgeSeconds: number;
}

export interface FinishedIdentitySignIn {
  readonly session: string;
  readonly expiresAt: string;
  /** A path of this server. */
  readonly returnTo: string;
}

export interface IdentityActs {
  /** In the order of `helve.yaml`. */
  identityProviders(): Promise<readonly IdentityProviderRef[]>;
  /**
   * `returnTo`: the path where the browser goes after the sign-in; anything that is not a path of this server counts as
   * absent. Throws `not_found` for an unknown provider, and `upstream_failed` for one that does not answer.
   */
  startIdentitySignIn(provider: string, returnTo?: string): Promise<StartedIdentitySignIn>;
  /**
   * `callback`: the parameters with which the provider sent the browser back; `cookie`: the one that the start set in this
   * browser. Throws `expired` for a sign-in of another browser or one that was already finished, `forbidden` for a person
   * who is not let in, and `upstream_failed` for an answer of the provider that proves nothing.
   */
  finishIdentitySignIn(
    provider: string,
    callback: URLSearchParams,
    cookie: string | undefined,
  ): Promise<FinishedIdentitySignIn>;
}
