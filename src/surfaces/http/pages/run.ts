/** One run: what it did, what it waits for, and buttons for those who may decide. */
import { html } from 'hono/html';
import { HelveError } from '../../../domain/errors.js';
import type { JsonValue } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { Run, RunDecision, RunWait } from '../../../domain/run.js';
import {
  describeEffect,
  describeIssue,
  describeLog,
  describeRun,
  describeRunCall,
  describeRunWait,
  describeTakeovers,
} from '../../../util/run-words.js';
import { visibleText } from '../../../util/visible-text.js';
import type { Html } from './layout.js';

export function runPage(run: Run, principal: Principal): Html {
  const { id, principal: owner, intent, startedAt, finishedAt, issues = [], calls, logs, value, code, waits } = run;
  const mayDecide = principal.permissions.includes('approvals:decide');
  const lines = issues.map(describeIssue);
  return html`<article class="card" aria-labelledby="run-${id}">
<h2 id="run-${id}">${owner.name} (${owner.kind})</h2>
${intent === undefined ? '' : html`<p>Asked for: ${visibleText(intent)}</p>`}
<p role="status">${visibleText(describeRun(run))}</p>
<p class="dim">Started ${showTime(startedAt)}${finishedAt === undefined ? '' : html`, ended ${showTime(finishedAt)}`}.</p>
${describeTakeovers(run).map((told) => html`<p>${told}</p>`)}
${waits.map((wait) => showWait(id, wait, mayDecide))}
${showPlan(run, mayDecide)}
${list('Issues', lines)}
${list('Calls', calls.map(describeRunCall))}
${list('Logs', logs.map(describeLog))}
${value === undefined ? '' : list('Value', [typeof value === 'string' ? value : JSON.stringify(value, null, 2)])}
${list('Program', [code])}
${finishedAt === undefined && mayDecide ? form(id, [['stop', 'Stop this run']]) : ''}
</article>`;
}

/** To the second, in UTC: the server does not know where the reader is. */
function showTime(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

function list(title: string, lines: readonly string[]): Html | '' {
  if (lines.length === 0) return '';
  const text = visibleText(lines.join('\n'), { keepLines: true });
  return html`<h3>${title}</h3>
<pre tabindex="0" aria-label="${title}">${text}</pre>`;
}

function showWait(id: string, wait: RunWait, mayDecide: boolean): Html {
  const told = html`<p>${visibleText(describeRunWait(wait))}</p>`;
  if (wait.for === 'approval')
    return html`${told}<p><a href="/approvals/${wait.approvalId}">See the call and decide</a></p>`;
  if (wait.for === 'time' || !mayDecide) return told;
  if (wait.for === 'answer') return html`${told}${answerForm(id, wait)}`;
  const answer = html`<label class="wide">What the tool answered, as JSON; empty: nothing that the program needs
<textarea name="output" rows="3" spellcheck="false" placeholder='{"number": 7}'></textarea></label>
`;
  const choices = [
    [`happened ${wait.number}`, 'It happened: go on with this answer'],
    [`not_happened ${wait.number}`, 'It did not happen: make the call again'],
  ] as const;
  return html`${told}${form(id, choices, answer)}`;
}

function answerForm(id: string, { number, choices }: Extract<RunWait, { for: 'answer' }>): Html {
  const field = choices
    ? choices.map(
        (choice) => html`<label><input type="radio" name="output" value="${choice}" required> ${choice}</label>
`,
      )
    : html`<label class="wide">Your answer <textarea name="output" rows="3" required maxlength="10000"></textarea></label>
`;
  return form(id, [[`answer ${number}`, 'Answer']], html`${field}`);
}

function showPlan({ id, planned }: Run, mayDecide: boolean): Html | '' {
  if (planned === undefined) return '';
  const canDecide = mayDecide && planned.status === 'pending';
  return html`${list('Plan', planned.effects.map(describeEffect))}
<p class="dim">The plan is ${planned.status}; it can be used until ${showTime(planned.expiresAt)}.</p>
${
  canDecide
    ? form(id, [
        ['approve_plan', 'Approve all of these effects, once'],
        ['reject_plan', 'Reject'],
      ])
    : ''
}`;
}

/** `decision`: as `readRunDecision` reads it. */
type Choice = readonly [decision: string, label: string];

function form(id: string, choices: readonly Choice[], fields: Html | '' = ''): Html {
  return html`<form method="post" action="/runs/${id}">
${fields}${choices.map(
  ([decision, label], at) =>
    html`<button type="submit" name="decision" value="${decision}"${at === 0 && decision !== 'stop' ? '' : html` class="second"`}>${label}</button>
`,
)}</form>`;
}

/**
 * Reads `stop`, `approve_plan`, or `happened 3` with the number of the call. `output`: JSON text of what the call answered,
 * or empty; for `answer 3` the answer itself. Undefined if it is no decision. Throws `invalid_input` for text that is not JSON.
 */
export function readRunDecision(text: string, output = ''): RunDecision | undefined {
  if (text === 'approve_plan' || text === 'reject_plan' || text === 'stop') return { decision: text };
  const [, decision, digits] = /^(happened|not_happened|answer) ([1-9]\d{0,8})$/.exec(text) ?? [];
  const number = Number(digits);
  if (decision === 'not_happened') return { decision, number };
  if (decision === 'answer') return { decision, number, text: output };
  return decision === 'happened' ? { decision, number, ...readAnswer(output) } : undefined;
}

function readAnswer(text: string): { readonly output?: JsonValue } {
  if (text.trim() === '') return {};
  try {
    return { output: JSON.parse(text) as JsonValue };
  } catch (error) {
    throw new HelveError('invalid_input', `What the tool answered is not JSON: ${(error as Error).message}`, {
      hint: 'Go back and write it as JSON, for example {"number": 7}, or leave it empty.',
    });
  }
}
