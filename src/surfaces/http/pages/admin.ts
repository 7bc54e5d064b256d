/** The overview: who you are, which calls wait for you, and what has happened. */
import { html } from 'hono/html';
import type { Approval } from '../../../domain/approval.js';
import type { ExecutionRecord } from '../../../domain/execution.js';
import { approvalCard } from './approval.js';
import type { Html } from './layout.js';

export function overview(pending: readonly Approval[], executions: readonly ExecutionRecord[]): Html {
  return html`<section aria-labelledby="waiting"><h2 id="waiting">Waiting for you (${pending.length})</h2>
${pending.length === 0 ? html`<p class="dim">No call waits for approval.</p>` : pending.map(approvalCard)}
</section>
<section aria-labelledby="recent"><h2 id="recent">Recent calls</h2>
${executions.length === 0 ? html`<p class="dim">No calls so far.</p>` : table(executions)}
</section>`;
}

function table(executions: readonly ExecutionRecord[]): Html {
  return html`<div class="card scroll" tabindex="0" aria-labelledby="recent" role="region"><table>
<thead><tr><th scope="col">When</th><th scope="col">Tool</th><th scope="col">Who</th><th scope="col">Outcome</th></tr></thead>
<tbody>
${executions.map(
  ({ startedAt, tool, actor, status }) => html`<tr>
<td><time datetime="${startedAt}">${startedAt}</time></td><td><code>${tool}</code></td><td>${actor.name}</td>
<td class="${status === 'ok' ? 'good' : status === 'running' ? 'dim' : 'bad'}">${status}</td></tr>`,
)}
</tbody></table></div>`;
}
