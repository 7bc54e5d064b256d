/**
 * What binds a sign-in to one browser: a cookie with a secret, from which the state, the nonce and the PKCE verifier are
 * derived. Nothing is stored at the start, so that nobody can fill the store by starting sign-ins. The state is derived
 * from the whole cookie, so a cookie with another time or another destination belongs to no state.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readOwnPath } from '../../util/own-path.js';

export const lifetimeMs = 10 * 60_000;
/** Another server can have begun it, whose clock is ahead by at most this. */
const clockMs = 5 * 60_000;
const defaultPath = '/';

export interface Binding {
  /** The value of the cookie. */
  readonly cookie: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly startedAt: Date;
  /** A path of this server. */
  readonly returnTo: string;
}

export function createBinding(provider: string, now: Date, returnTo: string | undefined): Binding {
  const content = [randomBytes(32).toString('base64url'), now.getTime(), readOwnPath(returnTo) ?? defaultPath];
  const cookie = Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');
  return { cookie, ...derive(provider, cookie), startedAt: now, returnTo: String(content[2]) };
}

/** Returns the sign-in of this browser if `state` is its state, and it is not too old. */
export function readBinding(
  provider: string,
  { cookie, state }: { readonly cookie: string; readonly state: string },
  now: Date,
): Binding | undefined {
  const derived = derive(provider, cookie);
  if (!isSame(derived.state, state)) return undefined;
  const { at, returnTo } = readContent(cookie);
  const age = now.getTime() - at;
  if (!(age >= -clockMs && age <= lifetimeMs)) return undefined;
  return { cookie, ...derived, startedAt: new Date(at), returnTo: readOwnPath(returnTo) ?? defaultPath };
}

/** A browser can write its own cookie, and so start a sign-in of its own with any content. */
function readContent(cookie: string): { readonly at: number; readonly returnTo: string | undefined } {
  try {
    const [, at, returnTo] = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')) as unknown[];
    return { at: Number(at), returnTo: typeof returnTo === 'string' ? returnTo : undefined };
  } catch {
    return { at: Number.NaN, returnTo: undefined };
  }
}

/** The provider is part of it, so that the answer of one provider never belongs to a sign-in at another. */
function derive(provider: string, cookie: string): Pick<Binding, 'state' | 'nonce' | 'verifier'> {
  const secret = (use: string): string =>
    createHash('sha256').update(`${use}\n${provider}\n${cookie}`).digest('base64url');
  return { state: secret('state'), nonce: secret('nonce'), verifier: secret('verifier') };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
