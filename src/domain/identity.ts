/** Signing in to Helve with an account at an OpenID provider. */

/** Who somebody is at a provider. Only both together identify a person. */
export interface Identity {
  /** The provider's address, as its ID tokens name it. */
  readonly issuer: string;
  readonly subject: string;
}
