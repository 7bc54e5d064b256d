/** What happened to an issue, in the order in which it happened. */
import type { ActorView } from '../../domain/actor-host.js';
import type { TimelineEntry } from '../../domain/issue-acts.js';
import type { Issue, IssueComment } from '../../domain/task.js';
import { defined } from '../../util/defined.js';
import { stateOf } from './view.js';

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
    return { what: 'event', at, type: event.type, ...defined({ state: name, setAside }) };
  });
  return [...created, ...said, ...happened].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
