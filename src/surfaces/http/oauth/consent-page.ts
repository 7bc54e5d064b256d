/** The page on which a person authorises a program or refuses. Everything that the program says about itself is shown as text. */
import { html } from 'hono/html';
import type { AuthorizationScope, ConsentQuestion } from '../../../domain/authorization.js';
import type { Principal } from '../../../domain/principal.js';
import { visibleText } from '../../../util/visible-text.js';
import { type Html, pageResponse } from '../pages/layout.js';
import { paths } from './metadata.js';

const words: Readonly<Record<AuthorizationScope, string>> = {
  'tools:read': 'See which tools this agent has',
  'tools:call': 'Use them, within the agent’s grants and the policies',
};

export function consentPage(question: ConsentQuestion, person: Principal | undefined): Promise<Response> {
  const { redirectUri } = question;
  return pageResponse({
    title: 'Authorise this program?',
    ...(person && { principal: person }),
    content: card(question),
    formTarget: formTarget(new URL(redirectUri)),
  });
}

function card({ token, client, redirectUri, agent, scopes }: ConsentQuestion): Html {
  const { hostname, host } = new URL(redirectUri);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const known =
    client.origin === 'document'
      ? html`<p>It describes itself at <code>${client.id}</code>, on <strong>${new URL(client.id).host}</strong>.</p>`
      : html`<p class="dim">The program chose this name itself; it has not been verified.</p>`;
  return html`<div class="card">
<p>A program that calls itself <strong>${visibleText(client.name)}</strong> asks to act as the agent <strong>${agent.name}</strong> (<code>${agent.slug}</code>) on your behalf.</p>
${known}
<p>The answer goes to <strong>${host}</strong>:</p>
<pre><code>${visibleText(redirectUri)}</code></pre>
${isHere ? html`<p class="bad">That is this computer, and any program on it could have sent the request. Continue only if you have just started this yourself.</p>` : ''}
<p>It could then:</p>
<ul>${scopes.map((scope) => html`<li>${words[scope]} <span class="dim">(${scope})</span></li>`)}</ul>
<form method="post" action="${paths.authorize}"><input type="hidden" name="consent" value="${token}">
<button type="submit" name="decision" value="approved">Let it in</button>
<button type="submit" name="decision" value="rejected" class="second">Refuse</button>
</form>
<p class="dim">You can end this at any time by revoking its credentials.</p>
</div>`;
}

/** A content security policy cannot name an IPv6 address. */
function formTarget(redirect: URL): string {
  return redirect.hostname.startsWith('[') ? redirect.protocol : redirect.origin;
}

export function refusedPage(error: string, message: string, location: string | undefined): Promise<Response> {
  const content = html`<div class="card">
<p class="bad" role="alert">${visibleText(message)} <span class="dim">(${error})</span></p>
<p class="dim">Nothing was changed, and no program was authorised.</p>
${location === undefined ? '' : html`<p>You can tell the program at <strong>${new URL(location).host}</strong>: <a rel="noreferrer" href="${location}">go back to it</a>. Do this only if you know it.</p>`}
</div>`;
  return pageResponse({ title: 'This program cannot be authorised', content }, 400);
}
