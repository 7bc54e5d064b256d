/** Shared by all pages. `html` escapes every value; pages have no scripts, and the content security policy forbids them. */
import { html } from 'hono/html';
import type { Plane } from '../../../domain/plane.js';
import type { Principal } from '../../../domain/principal.js';
import type { Problem } from '../problem.js';
import { stylePath } from './style.js';

export type Html = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  readonly principal?: Principal;
  readonly content: Html;
  /** Where a form of the page may lead besides here: browsers apply the policy to redirects too. */
  readonly formTarget?: string;
  /** The page's address contains a secret: browsers must not send it to any server as referrer, not even to this one. */
  readonly hidesAddress?: boolean;
}

const policy = (formTarget: string) =>
  `default-src 'none'; style-src 'self'; form-action ${formTarget}; base-uri 'none'; frame-ancestors 'none'`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy("'self'"),
  'x-frame-options': 'DENY',
  // Not `no-referrer`: with that, browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
};

export async function pageResponse(page: Page, status = 200): Promise<Response> {
  const { formTarget, hidesAddress = false } = page;
  const own = formTarget === undefined ? {} : { 'content-security-policy': policy(`'self' ${formTarget}`) };
  const hidden = hidesAddress ? { 'referrer-policy': 'no-referrer' } : {};
  return new Response(String(await layout(page)), { status, headers: { ...headers, ...own, ...hidden } });
}

function layout({ title, principal, content }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Helve</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<header><a href="/admin">Helve</a>${principal ? caller(principal) : ''}</header>
<main><h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

function caller({ name, kind }: Principal): Html {
  const who = html`<span class="dim">${name} (${kind})</span>`;
  if (kind !== 'user') return who;
  return html`<form method="post" action="/admin/logout">${who}
<button class="second">Sign out</button><button class="second" name="everywhere" value="yes">Sign out everywhere</button></form>`;
}

/** Shown to a visitor without a session. `back`: the address on this server that they requested. */
export async function logInPage(
  plane: Pick<Plane, 'identityProviders'>,
  back?: string,
  status = 401,
): Promise<Response> {
  const providers = await plane.identityProviders();
  const query = back === undefined ? '' : `?${new URLSearchParams({ return_to: back })}`;
  const content = html`<div class="card">
${
  providers.length === 0
    ? html`<p>This page needs a session. Run this command on the machine where Helve runs, and open the link that it prints:</p>`
    : html`<p>${providers.map(({ name, title }) => html`<a class="button" href="/admin/login/${name}${query}">Sign in with ${title}</a> `)}</p>
<p class="dim">Or run this command on the machine where Helve runs, and open the link that it prints:</p>`
}
<pre><code>helve admin</code></pre>
<p class="dim">That link signs in the admin of the first start. If you are somebody else, ask an admin for a link of your own (<code>helve users link NAME</code>). A link works once. Come back to this address afterwards.</p>
${back === undefined ? '' : html`<p><a href="${back}">I have signed in: continue</a></p>`}
</div>`;
  return pageResponse({ title: 'Sign in', content }, status);
}

export function problemPage(problem: Problem): Promise<Response> {
  const content = html`<div class="card">
<p>${problem.detail}</p>
${problem.hint === undefined ? '' : html`<p class="dim">${problem.hint}</p>`}
<p><a href="/admin">Go to the overview</a></p>
</div>`;
  return pageResponse({ title: problem.title, content }, problem.status);
}
