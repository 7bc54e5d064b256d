/** Identifies the caller: by a bearer token, or by a session cookie, which may change things only from our own pages. */
import { getCookie } from 'hono/cookie';
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { HttpContext } from './context.js';

/** A browser accepts a `__Host-` cookie only over https, from this exact host and for all paths, so no sibling host can set it. */
export function cookieName(publicUrl: string, name: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

export function sessionCookie(publicUrl: string): string {
  return cookieName(publicUrl, 'helve_session');
}

export interface PresentedSecret {
  readonly secret: string;
  readonly via: 'bearer' | 'cookie';
}

/** A header takes precedence over the cookie, even if it turns out to be wrong. */
export function presentedSecret(context: HttpContext, publicUrl: string): PresentedSecret | undefined {
  const bearer = bearerSecret(context);
  if (bearer !== undefined) return { secret: bearer, via: 'bearer' };
  const cookie = getCookie(context, sessionCookie(publicUrl));
  return cookie ? { secret: cookie, via: 'cookie' } : undefined;
}

export function bearerSecret(context: HttpContext): string | undefined {
  const header = context.req.raw.headers.get('authorization');
  if (header === null) return undefined;
  return header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
}

export interface Identify {
  readonly plane: Plane;
  readonly publicUrl: string;
  readonly isSameOrigin: (context: HttpContext) => boolean;
}

/** Throws `unauthenticated`, or `forbidden` if another site tries to use the cookie. */
export async function identify(context: HttpContext, identity: Identify): Promise<Principal> {
  const { plane, isSameOrigin } = identity;
  const presented = presentedSecret(context, identity.publicUrl);
  if (!presented) throw noCredential();
  const principal = await getPrincipal(plane, presented);
  const { method } = context.req;
  if (presented.via === 'cookie' && method !== 'GET' && method !== 'HEAD' && !isSameOrigin(context)) {
    await plane.recordRefusal(principal.workspaceId, 'cross-site request', {
      principal: principal.id,
      path: context.req.path.slice(0, 200),
    });
    throw new HelveError('forbidden', 'A session cookie changes things only from Helve’s own pages', {
      hint: 'Programs send a token instead: Authorization: Bearer helve_…',
    });
  }
  return principal;
}

/** Throws `unauthenticated`. `resource`: the address for which a program was authorised. */
export function getPrincipal(plane: Plane, { secret, via }: PresentedSecret, resource?: string): Promise<Principal> {
  return via === 'cookie' ? plane.authenticateSession(secret) : plane.authenticate(secret, resource);
}

/** The person who is signed in to Helve in this browser; an expired session counts as none. */
export async function signedIn(context: HttpContext, { plane, publicUrl }: Identify): Promise<Principal | undefined> {
  const secret = getCookie(context, sessionCookie(publicUrl));
  return secret === undefined ? undefined : plane.authenticateSession(secret).catch(() => undefined);
}

export function noCredential(): HelveError {
  return new HelveError('unauthenticated', 'No credential was sent', {
    hint: 'Send a valid token: Authorization: Bearer helve_…',
  });
}
