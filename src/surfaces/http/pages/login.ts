/**
 * Signing in, with a one-time link or an account at an OpenID provider, and signing out. Opening the link does not use it,
 * because chat programs fetch links first. Only the button does.
 */
import type { Hono } from 'hono';
import { generateCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { toHelveError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/principal.js';
import { readOwnPath } from '../../../util/own-path.js';
import { visibleText } from '../../../util/visible-text.js';
import { cookieName, type Identify, sessionCookie } from '../authenticate.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { isTellable, toProblem } from '../problem.js';
import { field } from './form.js';
import { logInPage, pageResponse, problemPage } from './layout.js';

export function addLoginPages(app: Hono<HttpEnvironment>, identity: Identify): void {
  app.get('/admin/login', (context) => {
    const { token, return_to: returnTo } = context.req.query();
    return token === undefined ? logInPage(identity.plane, readOwnPath(returnTo), 200) : confirm(token);
  });
  app.post('/admin/login', (context) => redeem(context, identity));
  app.get('/admin/login/:provider', (context) => tellable(() => start(context, identity)));
  app.get('/admin/login/:provider/callback', (context) => tellable(() => finish(context, identity)));
}

function confirm(token: string): Promise<Response> {
  const content = html`<div class="card">
<p>This link signs this browser in. It works once.</p>
<form method="post" action="/admin/login"><input type="hidden" name="token" value="${token}">
<button type="submit" autofocus>Sign in</button></form>
</div>`;
  return pageResponse({ title: 'Sign in to Helve', content });
}

async function redeem(context: HttpContext, { plane, publicUrl }: Identify): Promise<Response> {
  const token = await field(context.req.raw, 'token');
  try {
    setSession(context, publicUrl, await plane.redeemAdminLink(token));
    return context.redirect('/', 303);
  } catch (error) {
    if (toHelveError(error).code !== 'unauthenticated') throw error;
    const hint =
      'An admin can make a new one for you: helve users link NAME. The admin of the first start gets one with helve admin.';
    return problemPage({ ...toProblem(error), title: 'This link no longer works', hint });
  }
}

/** Replaces the session that the browser had, whoever set it. */
function setSession(
  context: HttpContext,
  publicUrl: string,
  { session, expiresAt }: { readonly session: string; readonly expiresAt: string },
): void {
  setCookie(context, sessionCookie(publicUrl), session, {
    ...cookieOptions(publicUrl),
    maxAge: Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000)),
  });
}

const bindingCookie = (publicUrl: string, provider: string): string =>
  cookieName(publicUrl, `helve_sign_in_${provider}`);

/** A link and not a form: browsers apply the policy for forms to where a form is redirected. */
async function start(context: HttpContext, { plane, publicUrl }: Identify): Promise<Response> {
  // A prefetch must not replace the cookie of a sign-in that is in progress.
  if (context.req.method === 'HEAD' || /prefetch|preview/.test(context.req.header('sec-purpose') ?? ''))
    return context.body(null, 204);
  const provider = context.req.param('provider') ?? '';
  const { location, cookie, maxAgeSeconds } = await plane.startIdentitySignIn(provider, context.req.query('return_to'));
  const options = { ...cookieOptions(publicUrl), maxAge: maxAgeSeconds };
  setCookie(context, bindingCookie(publicUrl, provider), cookie, options);
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(location, 303);
}

async function finish(context: HttpContext, { plane, publicUrl }: Identify): Promise<Response> {
  if (context.req.method === 'HEAD') return context.body(null, 204);
  const provider = context.req.param('provider') ?? '';
  const { searchParams } = new URL(context.req.url);
  const name = bindingCookie(publicUrl, provider);
  const signedIn = await plane.finishIdentitySignIn(provider, searchParams, getCookie(context, name));
  setSession(context, publicUrl, signedIn);
  setCookie(context, name, '', { ...cookieOptions(publicUrl), maxAge: 0 });
  // The address contains a code.
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(signedIn.returnTo, 303);
}

/** The address of a callback contains a code, so no page sends it on. */
async function tellable(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!isTellable(error)) throw error;
    const { status, detail, hint } = toProblem(error);
    const content = html`<div class="card">
<p class="bad" role="alert">${visibleText(detail)}.</p>
${hint === undefined ? '' : html`<p class="dim">${visibleText(hint)}</p>`}
<p><a href="/admin/login">Go to the sign-in page</a></p>
</div>`;
    return pageResponse({ title: 'Not signed in', content, hidesAddress: true }, status);
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
    content: html`<div class="card"><p role="status">${which}</p><p class="dim"><a href="/admin/login">Sign in again</a></p></div>`,
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
