/** Who sends this request: a bearer token, or the session cookie of a page, which only our own pages may use to change things. */
import { getCookie } from 'hono/cookie';
import { HelveError } from '../../spec/errors.js';
import type { Plane } from '../../spec/plane.js';
import type { Principal } from '../../spec/principal.js';
import type { HttpContext } from './context.js';

export const sessionCookie = 'helve_session';

export interface PresentedSecret {
  readonly secret: string;
  readonly via: 'bearer' | 'cookie';
}

/** A header outweighs the cookie, also when it turns out to be wrong. */
export function presentedSecret(context: HttpContext): PresentedSecret | undefined {
  const bearer = bearerSecret(context);
  if (bearer !== undefined) return { secret: bearer, via: 'bearer' };
  const cookie = getCookie(context, sessionCookie);
  return cookie ? { secret: cookie, via: 'cookie' } : undefined;
}

export function bearerSecret(context: HttpContext): string | undefined {
  const header = context.req.raw.headers.get('authorization');
  if (header === null) return undefined;
  return header.slice(0, 7).toLowerCase() === 'bearer ' ? header.slice(7).trim() : '';
}

export interface Identify {
  readonly plane: Plane;
  readonly isSameOrigin: (context: HttpContext) => boolean;
}

/** Throws `unauthenticated`, or `forbidden` where another site tries to use the cookie. */
export async function identify(context: HttpContext, { plane, isSameOrigin }: Identify): Promise<Principal> {
  const presented = presentedSecret(context);
  if (!presented) throw noCredential();
  const principal = await plane.authenticate(presented.secret);
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

export function noCredential(): HelveError {
  return new HelveError('unauthenticated', 'No credential was sent', {
    hint: 'Send a valid token: Authorization: Bearer helve_…',
  });
}
