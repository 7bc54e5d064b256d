/** The page on which a person authorises a program or refuses. Everything that the program says about itself is shown as text. */
import { html } from 'hono/html';
import type { AuthorizationScope, ConsentQuestion } from '../../../domain/authorization.js';
import type { Principal } from '../../../domain/principal.js';
import { isLoopback } from '../../../util/loopback.js';
import { visibleText } from '../../../util/visible-text.js';
import { type Html, pageResponse } from '../pages/layout.js';
import { paths } from './metadata.js';

type Words = Readonly<Record<AuthorizationScope, string>>;

const asAgent: Omit<Words, 'agents:act'> = {
  'tools:read': 'See which tools this agent has',
  'tools:call': 'Use them, within the agent’s grants and the policies',
};

const asPerson: Words = {
  'tools:read': 'See the issues of your workspace',
  'tools:call': 'File, change, comment and cancel issues',
  'agents:act': 'Assign issues to agents, which then work for you with your accounts',
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
  const address = new URL(redirectUri);
  const words: Partial<Words> = agent ? asAgent : asPerson;
  const asWhom = agent
    ? html`to act as the agent <strong>${agent.name}</strong> (<code>${agent.slug}</code>) on your behalf`
    : 'to work with issues on your behalf';
  const known =
    client.origin === 'document'
      ? html`<p>It describes itself at <code>${client.id}</code>, on <strong>${new URL(client.id).host}</strong>.</p>`
      : html`<p class="dim">The program chose this name itself; it has not been verified.</p>`;
  return html`<div class="card">
<p>A program that calls itself <strong>${visibleText(client.name)}</strong> asks ${asWhom}.</p>
${known}
<p>The answer goes to <strong>${address.host}</strong>:</p>
<pre><code>${visibleText(redirectUri)}</code></pre>
${isLoopback(address) ? html`<p class="bad">That is this computer, and any program on it could have sent the request. Continue only if you have just started this yourself.</p>` : ''}
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
