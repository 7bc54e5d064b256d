/** What happens in a workspace, as it is recorded: for clients that show it live. */
import type { AuditEventType } from './audit.js';
import type { Principal } from './principal.js';

/** One row of the record, without its body. */
export interface RecordedEvent {
  readonly type: AuditEventType;
  /** The position of the row in the record of the workspace. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly executionId?: string;
  readonly approvalId?: string;
  readonly connectionId?: string;
  readonly runId?: string;
  /** The synchronisation of the catalogue. */
  readonly jobId?: string;
  /** The id of the agent that acted, or that was changed. */
  readonly agent?: string;
  /** The tool's audit name. */
  readonly tool?: string;
  /** How a call ended, what was decided, or the new state of an account. */
  readonly status?: string;
}

/** Everything up to this row that the receiver may see has been sent. */
export interface PositionEvent {
  readonly type: 'position';
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
}

export type WorkspaceEvent = RecordedEvent | PositionEvent;

export interface EventsQuery {
  /** `seq` of the last event that the receiver has. Default: the present end of the record. */
  readonly after?: number;
  /** False: ends at the present end of the record. */
  readonly live?: boolean;
}

export interface EventActs {
  /**
   * What is recorded after `after`, in order and without gaps, by this process and others, as far as the caller may see
   * it: with `audit:read` everything; otherwise their own calls, and what their permissions let them read. A `position`
   * follows when the receiver has caught up. Throws `unauthenticated` as soon as the caller's credential has ended or
   * gives other rights than when it was presented.
   */
  events(principal: Principal, query: EventsQuery, signal: AbortSignal): AsyncIterable<WorkspaceEvent>;
}
