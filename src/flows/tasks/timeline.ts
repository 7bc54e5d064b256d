/** What happened to an issue, in the order in which it happened. */
import type { ActorEvent, ActorView } from '../../domain/actor-host.js';
import type { TimelineEntry } from '../../domain/issue-acts.js';
import type { Issue, IssueComment } from '../../domain/task.js';
import { defined } from '../../util/defined.js';
import { readRun, stateOf } from './view.js';

export function timelineOf(
  { events }: ActorView,
  issue: Issue | undefined,
  comments: readonly IssueComment[],
): readonly TimelineEntry[] {
  const created: readonly TimelineEntry[] = issue
    ? [{ what: 'created', at: issue.createdAt, by: issue.createdBy }]
    : [];
  const said = comments.map((comment): TimelineEntry => ({ what: 'comment', at: comment.createdAt, comment }));
  const happened = events.map(({ event, at, value, setAside }): TimelineEntry => {
    const { state, phase } = value === undefined ? {} : stateOf(value);
    const name = state && (phase ? `${state}.${phase}` : state);
    const { attempt } = event;
    const more = { attempt: typeof attempt === 'number' ? attempt : undefined, run: runOf(event), why: whyOf(event) };
    return { what: 'event', at, type: event.type, ...defined({ state: name, ...more, setAside }) };
  });
  return [...created, ...said, ...happened].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** `COMPLETED` and `FAILED` name it, what asks a person says it with what it waits for, and `RESUMED` with the answer. */
function runOf(event: ActorEvent): string | undefined {
  return readRun(event) ?? readRun(event.waitsFor) ?? readRun(event.answer);
}

function whyOf(event: ActorEvent): string | undefined {
  const { error, reasons, missing, message, reason } = event as WhyParts;
  const all = [typeof error === 'string' ? error : error?.message, message, reason, ...(reasons ?? [])];
  const said = [...all, ...(missing ?? []).map((one) => one.message)].filter(
    (one) => typeof one === 'string' && one !== '',
  );
  return said.length === 0 ? undefined : said.join('; ');
}

/** The members in which events of an issue say why: see the machine of an issue. */
interface WhyParts {
  readonly error?: string | { readonly message?: string };
  readonly reasons?: readonly string[];
  readonly missing?: readonly { readonly message?: string }[];
  readonly message?: string;
  readonly reason?: string;
}
