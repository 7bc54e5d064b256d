/** Logging in by a one-time link. Opening it spends nothing: chat programs look at links before people do. The button does. */
import type { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { toHelveError } from '../../../spec/errors.js';
import type { Plane } from '../../../spec/plane.js';
import { sessionCookie } from '../authenticate.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { toProblem } from '../problem.js';
import { field } from './form.js';
import { pageResponse, problemPage } from './layout.js';

export function addLoginPages(app: Hono<HttpEnvironment>, plane: Plane, publicUrl: string): void {
  app.get('/admin/login', (context) => confirm(context.req.query('token') ?? ''));
  app.post('/admin/login', (context) => redeem(context, plane, publicUrl));
}

function confirm(token: string): Promise<Response> {
  const content = html`<div class="card">
<p>This link logs this browser in. It works once.</p>
<form method="post" action="/admin/login"><input type="hidden" name="token" value="${token}">
<button type="submit" autofocus>Log in</button></form>
</div>`;
  return pageResponse({ title: 'Log in to Helve', content });
}

async function redeem(context: HttpContext, plane: Plane, publicUrl: string): Promise<Response> {
  const token = await field(context.req.raw, 'token');
  try {
    const { session, expiresAt } = await plane.redeemAdminLink(token);
    setCookie(context, sessionCookie, session, {
      httpOnly: true,
      path: '/',
      // Lax and not Strict: a link to an approval is often opened from a chat page, and only GET gets the cookie then.
      sameSite: 'Lax',
      secure: publicUrl.startsWith('https:'),
      maxAge: Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1_000)),
    });
    return context.redirect('/admin', 303);
  } catch (error) {
    if (toHelveError(error).code !== 'unauthenticated') throw error;
    const hint = 'Run `helve admin` for a new one.';
    return problemPage({ ...toProblem(error), title: 'This link no longer works', hint });
  }
}
