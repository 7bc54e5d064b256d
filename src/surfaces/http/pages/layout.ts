/** What all pages share. `html` escapes every value put into it; no page has a script, and the policy allows none. */
import { html } from 'hono/html';
import type { Principal } from '../../../spec/principal.js';
import type { Problem } from '../problem.js';
import { stylePath } from './style.js';

export type Html = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  readonly principal?: Principal;
  readonly content: Html;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  // Not `no-referrer`: under that browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
};

export async function pageResponse(page: Page, status = 200): Promise<Response> {
  return new Response(String(await layout(page)), { status, headers });
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
<header><a href="/admin">Helve</a>${principal ? html`<span class="dim">${principal.name} (${principal.kind})</span>` : ''}</header>
<main><h1>${title}</h1>
${content}
</main>
</body>
</html>`;
}

/** For whoever comes without a session. */
export function logInPage(): Promise<Response> {
  const content = html`<div class="card">
<p>This page needs a session. Run this command where Helve runs, and open the link that it prints:</p>
<pre><code>helve admin</code></pre>
<p class="dim">The link works once. Come back to this address afterwards.</p>
</div>`;
  return pageResponse({ title: 'Log in', content }, 401);
}

export function problemPage(problem: Problem): Promise<Response> {
  const content = html`<div class="card">
<p>${problem.detail}</p>
${problem.hint === undefined ? '' : html`<p class="dim">${problem.hint}</p>`}
<p><a href="/admin">To the overview</a></p>
</div>`;
  return pageResponse({ title: problem.title, content }, problem.status);
}
