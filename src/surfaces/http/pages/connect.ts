/** Where people come on their way to a provider, and back. What stands in the callback is data from outside: it is only ever shown as text. */
import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { SignInEnd } from '../../../spec/accounts.js';
import { toHelveError } from '../../../spec/errors.js';
import { cookieName, type Identify, signedIn } from '../authenticate.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { isTellable, toProblem } from '../problem.js';
import { pageResponse, problemPage } from './layout.js';

const callbackPath = '/oauth/callback';

export function addConnectPages(app: Hono<HttpEnvironment>, identity: Identify): void {
  const { plane, publicUrl } = identity;
  const held = (context: HttpContext) => (name: string) => getCookie(context, cookieName(publicUrl, name));

  app.get('/connect/:ticket', async (context) => {
    // Whoever only looks (a preview, a prefetch) must not come before the person.
    if (context.req.method === 'HEAD' || /prefetch|preview/.test(context.req.header('sec-purpose') ?? ''))
      return context.body(null, 204);
    try {
      const start = await plane.startSignIn(context.req.param('ticket'), held(context));
      setCookie(context, cookieName(publicUrl, start.cookie.name), start.cookie.value, {
        httpOnly: true,
        // Seen here again too, so that the same browser can open its link twice.
        path: '/',
        // Lax: the provider sends the browser back by a link.
        sameSite: 'Lax',
        secure: publicUrl.startsWith('https:'),
        maxAge: start.cookie.maxAgeSeconds,
      });
      context.header('referrer-policy', 'no-referrer');
      return context.redirect(start.location, 302);
    } catch (error) {
      if (!isTellable(error)) throw error;
      return problemPage(toProblem(toHelveError(error)));
    }
  });
  // What we are, for servers that take an address for a client (client ID metadata documents).
  app.get('/client-metadata.json', (context) =>
    context.json({
      client_id: new URL('/client-metadata.json', publicUrl).href,
      client_name: 'Helve',
      client_uri: new URL('/', publicUrl).href,
      redirect_uris: [new URL(callbackPath, publicUrl).href],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  );
  app.get('/api/composio/callback', async (context) => {
    const end = await plane.finishHostedSignIn(new URL(context.req.url).searchParams);
    context.header('referrer-policy', 'no-referrer');
    return pageResponse({ title: end.ok ? 'Connected' : 'Not connected', content: said(end) }, end.ok ? 200 : 400);
  });
  app.get(callbackPath, async (context) => {
    const callback = new URL(context.req.url).searchParams;
    const end = await plane.finishSignIn(callback, held(context), await signedIn(context, identity));
    return pageResponse({ title: end.ok ? 'Connected' : 'Not connected', content: said(end) }, end.ok ? 200 : 400);
  });
}

function said({ ok, connection, account, toolkit, problem }: SignInEnd) {
  if (!ok) {
    return html`<div class="card">
<p class="bad" role="alert">${problem ?? 'The sign-in did not succeed.'}</p>
<p class="dim">Nothing was changed. You can close this window.</p>
</div>`;
  }
  return html`<div class="card">
<p class="good" role="status">${connection?.name} is connected${account === undefined ? '' : html` as <strong>${account}</strong>`}.</p>
<p>Tools of ${toolkit} act with this account under the name <code>${connection?.slug}</code>, for the agents that are granted them.</p>
<p class="dim">You can close this window.</p>
</div>`;
}
