/** One call that waits for a person: exactly what would be done, and two buttons. */
import { html } from 'hono/html';
import type { Approval } from '../../../domain/approval.js';
import { accountLine } from '../../../util/acting-account.js';
import { visibleText } from '../../../util/visible-text.js';
import type { Html } from './layout.js';

export function approvalCard(approval: Approval): Html {
  const { id, principal, onBehalfOf, toolkit, tool, reason, rule } = approval;
  return html`<article class="card" aria-labelledby="approval-${id}">
<h3 id="approval-${id}"><a href="/approvals/${id}"><code>${toolkit}.${tool}</code></a></h3>
<p>${principal.name} (${principal.kind})${onBehalfOf === undefined ? '' : ` for ${onBehalfOf.name}`} requests this call${withAccount(approval)}. ${reason} <span class="dim">(${rule})</span></p>
<pre tabindex="0" aria-label="Arguments">${exactly(approval)}</pre>
${state(approval)}
</article>`;
}

/** The account by its name and owner, because an id means nothing to people. */
function withAccount({ account, connectionId }: Approval): Html | '' {
  if (connectionId === undefined) return '';
  if (account === undefined) return html`, with an account that no longer exists (${connectionId})`;
  return html`, with the account <strong>${visibleText(accountLine(account))}</strong>`;
}

function exactly({ arguments: input, exact }: Approval): string {
  const text = visibleText(JSON.stringify(input, null, 2), { keepLines: true });
  return exact === false ? `Not the exact arguments: secrets are redacted and long texts are cut.\n${text}` : text;
}

function state(approval: Approval): Html {
  const { id, status, requestedAt, expiresAt, decidedBy, decidedAt, note } = approval;
  if (status === 'pending') {
    return html`<p class="dim">Requested at ${requestedAt}; expires at ${expiresAt}.</p>
<form method="post" action="/approvals/${id}">
<button type="submit" name="decision" value="approved">Approve this call, once</button>
<button type="submit" name="decision" value="rejected" class="second">Reject</button>
</form>`;
  }
  if (status === 'withdrawn')
    return html`<p role="status">Withdrawn: ${note ?? 'The program that asked has ended, so nobody waits for an answer'}.</p>`;
  const tone = status === 'rejected' ? 'bad' : 'good';
  const by = decidedBy === undefined ? '' : ` by ${decidedBy.name} at ${decidedAt ?? ''}`;
  return html`<p class="${tone}" role="status">${status === 'used' ? 'Approved and used' : status}${by}.</p>`;
}
