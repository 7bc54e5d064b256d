/** The tables of actors. */
import type { ActorFacts } from '../domain/actor-facts.js';
import type { ActorKind, ActorSnapshot } from '../domain/actor-host.js';
import type { TenantRow } from './tenant-row.js';

export interface ActorRow extends TenantRow, ActorFacts {
  number: number;
  kind: ActorKind;
  id: string;
  version: number;
  handled: number;
  state: string;
  status: ActorSnapshot['status'];
  snapshot: string;
  created_at: string;
  updated_at: string;
  heartbeat_at: string | null;
  progress: string | null;
}

/** An event in the line, a timer, a delayed event, or an event that was handled. */
export interface ActorInboxRow extends TenantRow {
  position: number;
  actor: number;
  event_id: string;
  event: string;
  /** Null: its turn comes by its position. */
  due_at: string | null;
  timer: string | null;
  status: 'waiting' | 'applied' | 'set_aside';
  version: number | null;
  value: string | null;
  reason: string | null;
  handled_at: string | null;
  expires_at: string | null;
}

export interface ActorWorkRow extends TenantRow {
  actor: number;
  name: string;
  id: string;
  input: string;
  attempt: number;
  failures: number;
  created_at: string;
  /** Null while a process does it. */
  due_at: string | null;
  started_at: string | null;
  heartbeat_at: string | null;
  progress: string | null;
}

export interface ActorExecutionRow extends TenantRow {
  actor: number;
  execution_id: string;
  tool: string;
  at: string;
}

export interface ActorDriverRow {
  one: number;
  owner: string;
  number: number;
  until: string;
}

export interface ActorSchema {
  actors: ActorRow;
  actor_inbox: ActorInboxRow;
  actor_work: ActorWorkRow;
  actor_executions: ActorExecutionRow;
  actor_driver: ActorDriverRow;
}
