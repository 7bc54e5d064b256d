/**
 * What a store keeps of the actors of tasks: the actors, the line of their events, their timers and their work. Doors reach
 * the actors of one workspace (`ActorTable`); the process that drives all of them reaches the rest (`ActorDriverTable`).
 *
 * One process drives at a time. It holds a lease with a number, and every write that it makes names this number: a process
 * that lost the lease, and does not know it yet, writes nothing.
 */
import type { ActorFacts } from './actor-facts.js';
import type {
  ActorAddress,
  ActorEvent,
  ActorKind,
  ActorPage,
  ActorRef,
  ActorSnapshot,
  ActorsQuery,
  ActorView,
} from './actor-host.js';
import type { JsonObject, JsonValue } from './json.js';

export interface ActorTable {
  /** False if it exists. */
  insert(actor: ActorRef, snapshot: ActorSnapshot): Promise<boolean>;
  /** Puts an event at the end of the line, or there after the delay. */
  send(sent: {
    readonly to: ActorRef;
    readonly id: string;
    readonly event: ActorEvent;
    readonly delayMs?: number;
  }): Promise<'accepted' | 'known' | 'no_actor'>;
  /** `handled` counts the events applied and set aside. */
  find(actor: ActorRef): Promise<{ readonly view: ActorView; readonly handled: number } | undefined>;
  countHandled(actor: ActorRef): Promise<number | undefined>;
  list(query: Omit<ActorsQuery, 'workspaceId'>): Promise<ActorPage>;
  /** How many actors belong there, by kind and outermost state. */
  countWithin(place: ActorPlace): Promise<readonly ActorCount[]>;
  /** False if there is no such actor. */
  heartbeat(actor: ActorRef, progress: JsonValue | undefined): Promise<boolean>;
  /** Deletes the actor and everything of it. False if there was none. */
  remove(actor: ActorRef): Promise<boolean>;
  /** Notes a call that an actor made. False if it was noted before, or there is no such actor. */
  noteExecution(actor: ActorRef, execution: ActorExecution): Promise<boolean>;
  /** Newest first; at most `limit`. */
  executions(actor: ActorRef, limit: number): Promise<ActorExecution[]>;
}

/** An organisation, a repository or a project, by its id. */
export type ActorPlace = Readonly<Partial<Record<'org' | 'repo' | 'project', string>>>;

export interface ActorCount {
  readonly kind: ActorKind;
  readonly state: string;
  readonly count: number;
}

/** A call of a tool that an actor made. Its rows are in the record, under the same id. */
export interface ActorExecution {
  readonly executionId: string;
  readonly tool: string;
  readonly at: string;
}

/**
 * The owner of a lease that all processes of a host hold together, because something else gives each actor its turn. What does
 * that may be named after a colon.
 */
export const sharedLeaseOwner = 'shared';

export const isSharedLease = (owner: string): boolean => owner.split(':')[0] === sharedLeaseOwner;

export interface ActorLease {
  /** The id of the process, or `sharedLeaseOwner`, with a name or without. */
  readonly owner: string;
  /** Increases with each process that takes the lease. */
  readonly number: number;
  /** By the store's clock. */
  readonly until: string;
}

/** An event whose turn it is, with its actor as it is. */
export interface DueActorEvent {
  readonly position: number;
  readonly id: string;
  readonly event: ActorEvent;
  readonly actor: StoredActor;
}

export interface StoredActor {
  /** Never given twice, not even after the actor was removed. */
  readonly number: number;
  readonly address: ActorAddress;
  readonly version: number;
  readonly snapshot: ActorSnapshot;
}

export interface DueActors {
  /** By the store's clock. */
  readonly now: Date;
  /** In the order in which they were accepted. */
  readonly events: readonly DueActorEvent[];
  /** When the next timer or delayed event is due. */
  readonly eventAt?: string;
  /** When the next work may begin. */
  readonly workAt?: string;
}

/** What one event did. */
export interface ActorWrite {
  readonly actor: Pick<StoredActor, 'number' | 'address'>;
  /** The version that the event was applied to. */
  readonly version: number;
  readonly position: number;
  readonly eventId: string;
  readonly at: string;
  readonly outcome: { readonly setAside: string } | ({ readonly snapshot: ActorSnapshot } & ActorChanges);
}

export interface ActorChanges {
  /** What the actor is found by; absent: as before. */
  readonly facts?: ActorFacts;
  readonly starts: readonly { readonly actor: ActorRef; readonly snapshot: ActorSnapshot }[];
  readonly sends: readonly SentActorEvent[];
  /** In order. Without `set`, the timer is cleared. */
  readonly timers: readonly {
    readonly name: string;
    readonly set?: { readonly id: string; readonly event: ActorEvent; readonly dueAt: string };
  }[];
  /** In order. Without `begin`, the work is stopped. */
  readonly work: readonly {
    readonly name: string;
    readonly begin?: { readonly id: string; readonly input: JsonObject };
  }[];
}

export interface SentActorEvent {
  readonly to: ActorRef;
  readonly id: string;
  readonly event: ActorEvent;
  readonly dueAt?: string;
}

/**
 * `repeated`: exactly this write was made before. `stale`: the actor or its line is no longer as it was read. `lost`: this
 * process no longer drives; nothing of the whole list was written.
 */
export type ActorWriteOutcome = 'written' | 'repeated' | 'stale' | 'lost';

/** One attempt at a piece of work. */
export interface ClaimedWork {
  readonly actor: StoredActor['number'];
  readonly address: ActorAddress;
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly attempt: number;
  /** How often its handler threw. */
  readonly failures: number;
}

export type ActorWorkEnd =
  /** `event`: what the actor gets. */
  | { readonly work: ClaimedWork; readonly event?: ActorEvent }
  | { readonly work: ClaimedWork; readonly failures: number; readonly againAt: string };

/** What is due and has not been done. */
export interface UnfinishedActors {
  readonly events: readonly { readonly actor: ActorAddress; readonly position: number }[];
  /** Work that may begin, or that a process has begun. */
  readonly work: readonly WorkAddress[];
}

/** A piece of work of an actor. */
export interface WorkAddress {
  readonly actor: ActorAddress;
  readonly name: string;
  readonly id: string;
}

export interface ActorDriverTable {
  look(): Promise<{ readonly now: Date; readonly lease?: ActorLease; readonly hasActors: boolean }>;
  /** Takes the lease, unless it is no longer as it was seen. */
  take(lease: {
    readonly owner: string;
    readonly ms: number;
    readonly seen: ActorLease | undefined;
  }): Promise<ActorLease | undefined>;
  /**
   * Returns undefined if the lease is lost, else those of the pieces of work that are no longer there because their actor was
   * removed, or stopped them.
   */
  renew(
    lease: ActorLease,
    keep: { readonly ms: number; readonly work: readonly string[] },
  ): Promise<readonly string[] | undefined>;
  release(lease: ActorLease): Promise<void>;
  /** `work`: the names of work that this process could begin now. */
  due(question: {
    readonly limit: number;
    readonly work: readonly string[];
    readonly running: readonly string[];
  }): Promise<DueActors>;
  /**
   * The events of one actor whose turn it is, and when its next timer or delayed event is due. First puts those that are due at
   * the end of the line. Undefined if the lease is lost.
   */
  dueOf(
    lease: ActorLease,
    actor: ActorAddress,
    limit: number,
  ): Promise<Pick<DueActors, 'now' | 'events' | 'eventAt'> | undefined>;
  /** Puts timers and delayed events that are due at the end of the line, in the order of their times. */
  admit(lease: ActorLease, question: { readonly now: Date; readonly limit: number }): Promise<void>;
  /** Of all workspaces, at most `limit` of each kind, in no particular order. */
  unfinished(limit: number): Promise<UnfinishedActors>;
  /** In one commit. Each write is made completely or not at all. */
  write(lease: ActorLease, writes: readonly ActorWrite[]): Promise<readonly ActorWriteOutcome[]>;
  /**
   * Begins an attempt at each piece of work that may begin and is not in `running`. Work that another process had begun
   * may, since that process no longer drives.
   */
  claimWork(
    lease: ActorLease,
    question: {
      readonly now: Date;
      readonly names: readonly string[];
      readonly running: readonly string[];
      readonly limit: number;
    },
  ): Promise<ClaimedWork[]>;
  /** Begins an attempt at this piece of work. `ended`: it has ended or was stopped. `lost`: the lease is lost. */
  claim(lease: ActorLease, work: WorkAddress): Promise<ClaimedWork | 'ended' | 'lost'>;
  /** Does nothing for work that has ended or begun again. False if the lease is lost. */
  endWork(lease: ActorLease, end: ActorWorkEnd): Promise<boolean>;
  /** False if the attempt is no longer the present one. */
  beatWork(work: ClaimedWork, progress: JsonValue | undefined): Promise<boolean>;
}
