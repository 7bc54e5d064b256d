/** Signing in with a one-time link, and signing out. Opening the link does not use it, because chat programs fetch links first. Only the button does. */
import type { Hono } from 'hono';
import { generateCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { toHelveError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/principal.js';
import { type Identify, sessionCookie } from '../authenticate.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { toProblem } from '../problem.js';
import { field } from './form.js';
import { pageResponse, problemPage } from './layout.js';

export function addLoginPages(app: Hono<HttpEnvironment>, identity: Identify): void {
  app.get('/admin/login', (context) => confirm(context.req.query('token') ?? ''));
  app.post('/admin/login', (context) => redeem(context, identity));
}

function confirm(token: string): Promise<Response> {
  const content = html`<div class="card">
<p>This link logs this browser in. It works once.</p>
<form method="post" action="/admin/login"><input type="hidden" name="token" value="${token}">
<button type="submit" autofocus>Log in</button></form>
</div>`;
  return pageResponse({ title: 'Log in to Helve', content });
}

async function redeem(context: HttpContext, { plane, publicUrl }: Identify): Promise<Response> {
  const token = await field(context.req.raw, 'token');
  try {
    const { session, expiresAt } = await plane.redeemAdminLink(token);
    setCookie(context, sessionCookie(publicUrl), session, {
      ...cookieOptions(publicUrl),
      maxAge: Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000)),
    });
    return context.redirect('/', 303);
  } catch (error) {
    if (toHelveError(error).code !== 'unauthenticated') throw error;
    const hint = 'Run `helve admin` for a new one.';
    return problemPage({ ...toProblem(error), title: 'This link no longer works', hint });
  }
}

/** `everywhere` in the form also ends the person's other sessions. */
export async function signOut(
  context: HttpContext,
  { plane, publicUrl }: Identify,
  person: Principal,
): Promise<Response> {
  const everywhere = (await field(context.req.raw, 'everywhere')) !== '';
  await (everywhere ? plane.signOutEverywhere(person) : plane.signOut(person));
  const which = everywhere ? 'All your sessions have ended, in every browser.' : 'This session has ended.';
  const page = await pageResponse({
    title: 'Signed out',
    content: html`<div class="card"><p role="status">${which}</p><p class="dim">Run <code>helve admin</code> to sign in again.</p></div>`,
  });
  const gone = generateCookie(sessionCookie(publicUrl), '', { ...cookieOptions(publicUrl), maxAge: 0 });
  page.headers.append('set-cookie', gone);
  return page;
}

function cookieOptions(publicUrl: string) {
  return {
    httpOnly: true,
    path: '/',
    // Lax and not Strict: a link to an approval is often opened from a chat page, and only GET gets the cookie then.
    sameSite: 'Lax',
    secure: publicUrl.startsWith('https:'),
  } as const;
}
