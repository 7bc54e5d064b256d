/** The pages that people see on the way to a provider and back. A callback's content comes from outside and is only ever shown as text. */
import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { SignInEnd, SignInQuestion } from '../../../domain/accounts.js';
import { HelveError, toHelveError } from '../../../domain/errors.js';
import { visibleText } from '../../../util/visible-text.js';
import { cookieName, type Identify, signedIn } from '../authenticate.js';
import type { HttpContext, HttpEnvironment } from '../context.js';
import { isTellable, toProblem } from '../problem.js';
import { pageResponse, problemPage } from './layout.js';

const callbackPath = '/oauth/callback';
/** The key of clients that share one document, as `flows/connecting/callback-path.ts` makes it. */
const sharedKey = 'client-metadata';

export function addConnectPages(app: Hono<HttpEnvironment>, identity: Identify): void {
  const { plane, publicUrl } = identity;
  const held = (context: HttpContext) => (name: string) => getCookie(context, cookieName(publicUrl, name));

  app.get('/connect/:ticket', async (context) => {
    // A preview or prefetch sees nothing.
    if (context.req.method === 'HEAD' || /prefetch|preview/.test(context.req.header('sec-purpose') ?? ''))
      return context.body(null, 204);
    return tellable(async () => {
      const question = await plane.showSignIn(context.req.param('ticket'));
      const formTarget = getFormTarget(new URL(question.authorizationEndpoint));
      return pageResponse({ title: 'Connect an account?', content: ask(question, context.req.path), formTarget });
    });
  });
  app.post('/connect/:ticket', (context) =>
    tellable(async () => {
      // Another site's page must not press the button for the person.
      if (!identity.isSameOrigin(context))
        throw new HelveError('forbidden', 'This sign-in was not started on its page', { hint: 'Open the link again.' });
      const start = await plane.startSignIn(context.req.param('ticket'), held(context));
      setCookie(context, cookieName(publicUrl, start.cookie.name), start.cookie.value, {
        httpOnly: true,
        // Sets the cookie again here, so that the same browser can open its link twice.
        path: '/',
        // Lax: the provider sends the browser back by a link.
        sameSite: 'Lax',
        secure: publicUrl.startsWith('https:'),
        maxAge: start.cookie.maxAgeSeconds,
      });
      context.header('referrer-policy', 'no-referrer');
      return context.redirect(start.location, 303);
    }),
  );
  addClientDocuments(app, publicUrl);
  app.get('/api/composio/callback', async (context) => {
    const end = await plane.finishHostedSignIn(new URL(context.req.url).searchParams);
    return endPage(end);
  });
  const finish = async (context: HttpContext): Promise<Response> => {
    const end = await plane.finishSignIn(new URL(context.req.url), held(context), await signedIn(context, identity));
    return endPage(end);
  };
  app.get(callbackPath, finish);
  app.get(`${callbackPath}/:issuer`, finish);
}

/** Turns errors that are meant for the person into a page. */
async function tellable(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!isTellable(error)) throw error;
    return problemPage(toProblem(toHelveError(error)));
  }
}

/** The callback's address contains a code and a state. */
function endPage(end: SignInEnd): Promise<Response> {
  const page = { title: end.ok ? 'Connected' : 'Not connected', content: said(end), hidesAddress: true };
  return pageResponse(page, end.ok ? 200 : 400);
}

/** Our client metadata, for servers that accept an address as a client (client ID metadata documents): one for each issuer. */
function addClientDocuments(app: Hono<HttpEnvironment>, publicUrl: string): void {
  const document = (path: string, key: string) => ({
    client_id: new URL(path, publicUrl).href,
    client_name: 'Helve',
    client_uri: new URL('/', publicUrl).href,
    redirect_uris: [new URL(`${callbackPath}/${key}`, publicUrl).href],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  app.get('/client-metadata.json', (context) => context.json(document('/client-metadata.json', sharedKey)));
  app.get('/client-metadata/:document{[a-f0-9]{16}\\.json}', (context) => {
    const name = context.req.param('document');
    return context.json(document(`/client-metadata/${name}`, name.replace('.json', '')));
  });
}

/** Who requests access to which account: the sender of the link may not be who the person thinks. */
function ask(
  { by, workspace, toolkit, connection, account, provider, authorizationEndpoint, scopes }: SignInQuestion,
  path: string,
) {
  const { host } = new URL(authorizationEndpoint);
  return html`<div class="card">
<p><strong>${visibleText(by.name)}</strong> (${by.kind}) asks you to connect your account at <strong>${visibleText(provider)}</strong> for ${toolkit}, as <strong>${visibleText(connection.name)}</strong> in the workspace ${visibleText(workspace)}.</p>
${account === undefined ? '' : html`<p>This connection was made with the account <strong>${visibleText(account)}</strong>; sign in with the same one.</p>`}
<p>You will sign in at <strong>${host}</strong>. After that, agents that are granted tools of ${toolkit} can use them with this account.</p>
${
  scopes.length === 0
    ? ''
    : html`<p>Requested scopes:</p>
<ul>${scopes.map((scope) => html`<li><code>${visibleText(scope)}</code></li>`)}</ul>`
}
<p class="bad">Continue only if you requested this link yourself, or know who sent it to you.</p>
<form method="post" action="${path}"><button type="submit">Go on to ${host}</button></form>
</div>`;
}

/** A content security policy cannot name an IPv6 address. */
function getFormTarget({ hostname, origin, protocol }: URL): string {
  return hostname.startsWith('[') ? protocol : origin;
}

function said({ ok, connection, account, toolkit, wider = [], problem }: SignInEnd) {
  if (!ok) {
    return html`<div class="card">
<p class="bad" role="alert">${problem ?? 'The sign-in did not succeed.'}</p>
<p class="dim">Nothing was changed. You can close this window.</p>
</div>`;
  }
  return html`<div class="card">
<p class="good" role="status">${connection?.name} is connected${account === undefined ? '' : html` as <strong>${account}</strong>`}.</p>
<p>Agents that are granted tools of ${toolkit} can use them with this account, under the name <code>${connection?.slug}</code>.</p>
${wider.length === 0 ? '' : html`<p class="bad">The service granted more scopes than Helve requested: ${wider.map((scope) => html`<code>${visibleText(scope)}</code> `)}. Revoke them at the service if you did not intend this.</p>`}
<p class="dim">You can close this window.</p>
</div>`;
}
