/**
 * Room for work: an organisation and a project limit how many issues work at once. Issues say what they do
 * (`ISSUE_CHANGED`); one that begins without room is refused, waits in order, and is woken when there is room again.
 */
import type { z } from 'zod';
import type { ActorEffect } from '../../domain/actor-host.js';
import type { issueChanged } from './shapes.js';

export type IssueChange = z.output<typeof issueChanged>;

/** An issue that is blocked: by apps that are missing, or because there was no room. */
export interface WaitingIssue {
  readonly issue: string;
  readonly apps: readonly string[];
  readonly forRoom: boolean;
}

export interface Room {
  /** The issues that are being prepared, worked on or verified. */
  readonly running: readonly string[];
  /** In the order in which they began to wait. */
  readonly waiting: readonly WaitingIssue[];
}

export interface RoomRules {
  /** Who refuses: `org` or `project`. */
  readonly by: 'org' | 'project';
  /** How many issues may run at once. */
  readonly places: number;
  /** The event for an issue that finds no room. */
  readonly reason: string;
}

const runningStates = new Set(['preparing', 'executing', 'verifying']);

export const tell = (issue: string): ActorEffect => ({
  do: 'send',
  to: { kind: 'issue', id: issue },
  event: { type: 'TOOLS_CHANGED' },
});

/** Handles the report of an issue. Returns the changes, and the events for issues. */
export function takeIn(room: Room, change: IssueChange, rules: RoomRules): readonly [Room, readonly ActorEffect[]] {
  const { issue, state } = change;
  if (!runningStates.has(state)) {
    const left: Room = {
      running: room.running.filter((one) => one !== issue),
      waiting:
        state === 'blocked' ? withWaiting(room, change, rules.by) : room.waiting.filter((one) => one.issue !== issue),
    };
    return [left, wake(left, rules.places)];
  }
  if (room.running.includes(issue)) return [room, []];
  if (room.running.length >= rules.places) {
    const refusal = { type: 'WORK_REFUSED', by: rules.by, reason: rules.reason };
    return [
      { ...room, waiting: withWaiting(room, { ...change, apps: [], limit: rules.by }, rules.by) },
      [{ do: 'send', to: { kind: 'issue', id: issue }, event: refusal }],
    ];
  }
  return [{ running: [...room.running, issue], waiting: room.waiting.filter((one) => one.issue !== issue) }, []];
}

/** Tells the issues that have waited longest that there is room, one for each free place. */
export function wake({ running, waiting }: Room, places: number): readonly ActorEffect[] {
  const free = Math.max(0, places - running.length);
  return waiting
    .filter(({ forRoom }) => forRoom)
    .slice(0, free)
    .map(({ issue }) => tell(issue));
}

/** An issue that waits already keeps its place in the order. */
function withWaiting({ waiting }: Room, { issue, apps, limit }: IssueChange, by: string): readonly WaitingIssue[] {
  const entry = { issue, apps, forRoom: limit === by };
  const at = waiting.findIndex((one) => one.issue === issue);
  return at < 0 ? [...waiting, entry] : waiting.with(at, entry);
}
