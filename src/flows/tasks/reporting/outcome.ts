/** The outcome of an issue, as people read it where the issue was filed. */
import { redactText } from '../../../audit/index.js';
import type { JsonValue } from '../../../domain/json.js';
import type { Issue } from '../../../domain/task.js';
import type { IssueContext } from '../../../tasks/index.js';

export type OutcomeState = 'blocked' | 'failed' | 'done';

export interface Outcome {
  readonly state: OutcomeState;
  readonly issue: Issue;
  readonly context: Pick<IssueContext, 'agent' | 'attempts' | 'blockedBy' | 'lastError' | 'delivered' | 'pr'>;
  /** The page of the issue; undefined while the address of this server is unknown. */
  readonly page: string | undefined;
}

const maxResult = 6_000;
const maxReason = 2_000;

/** Markdown. Secrets in what the agent said are not repeated. */
export function describeOutcome({ state, issue, context, page }: Outcome): string {
  const agent = `\`${context.agent ?? 'no agent'}\``;
  const words = {
    blocked: () => [
      `**Blocked:** the agent ${agent} cannot begin yet.`,
      context.blockedBy.map((one) => `- ${describeBlocker(one)}`).join('\n'),
    ],
    failed: () => [
      `**Failed:** the agent ${agent} has stopped after ${context.attempts} attempts. Somebody must look at it.`,
      quote(context.lastError?.message ?? ''),
      issue.origin ? 'To let it begin again, comment `/helve retry`.' : '',
    ],
    done: () => [
      `**Done** by the agent ${agent}.`,
      describeDelivered(context.delivered),
      context.pr === null ? '' : `Pull request: ${context.pr.replace(/^github:/, '')}`,
    ],
  }[state]();
  const link = page === undefined ? '' : `[Details](${page})`;
  return [...words, link].filter((part) => part !== '').join('\n\n');
}

/** A message may name a person of this workspace, whom readers at the service do not know. */
function describeBlocker({ app, message, connectUrl }: IssueContext['blockedBy'][number]): string {
  if (app === null || connectUrl === null) return redactText(message).slice(0, maxReason);
  return `An account of ${app} has to be connected: [connect it](${connectUrl})`;
}

function describeDelivered(delivered: JsonValue): string {
  const { output = null } = (delivered ?? {}) as { readonly output?: JsonValue };
  if (output === null) return '';
  const { text } = output as { readonly text?: JsonValue };
  if (typeof text === 'string') return redactText(text).slice(0, maxResult);
  return fence(redactText(JSON.stringify(output, undefined, 2)).slice(0, maxResult));
}

/** Longer than any fence within. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}json\n${text}\n${marks}`;
}

const quote = (text: string): string =>
  redactText(text)
    .slice(0, maxReason)
    .split('\n')
    .map((line) => (line === '' ? '' : `> ${line}`))
    .join('\n');
