/** One call that waits for a person: what exactly would be done, and two buttons. */
import { html } from 'hono/html';
import type { Approval } from '../../../spec/approval.js';
import type { Html } from './layout.js';

export function approvalCard(approval: Approval): Html {
  const { id, principal, toolkit, tool, connectionId, reason, rule } = approval;
  return html`<article class="card" aria-labelledby="approval-${id}">
<h3 id="approval-${id}"><a href="/approvals/${id}"><code>${toolkit}.${tool}</code></a></h3>
<p>${principal.name} (${principal.kind}) asks${connectionId === undefined ? '' : html`, with the account ${connectionId}`}. ${reason} <span class="dim">(${rule})</span></p>
<pre tabindex="0" aria-label="Arguments">${JSON.stringify(approval.arguments, null, 2)}</pre>
${state(approval)}
</article>`;
}

function state(approval: Approval): Html {
  const { id, status, requestedAt, expiresAt, decidedBy, decidedAt } = approval;
  if (status === 'pending') {
    return html`<p class="dim">Asked at ${requestedAt}; expires at ${expiresAt}.</p>
<form method="post" action="/approvals/${id}">
<button type="submit" name="decision" value="approved">Approve this call, once</button>
<button type="submit" name="decision" value="rejected" class="second">Reject</button>
</form>`;
  }
  const tone = status === 'rejected' ? 'bad' : 'good';
  const by = decidedBy === undefined ? '' : ` by ${decidedBy.name} at ${decidedAt ?? ''}`;
  return html`<p class="${tone}" role="status">${status === 'used' ? 'Approved and used' : status}${by}.</p>`;
}
