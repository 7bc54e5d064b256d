/**
 * The port of an actor host: it keeps the actors of tasks (one for each organisation, repository, project, pull request and
 * issue) and hands each one event at a time. Machines are pure and never import a host; doors never name one. Every host
 * passes `testing/actor-host-contract.ts`, which states what follows as tests:
 *
 * - An actor handles one event at a time, in the order in which they were accepted; the order between two actors is kept.
 * - An event is applied once for each id. Its new state and all its effects appear together or not at all.
 * - A timer fires after a restart too, no matter which process set it.
 * - Work whose process died is started again, with the number of its attempt.
 * - An event that the machine throws at is set aside with the reason; the actor continues with the next.
 */
import type { JsonObject, JsonValue } from './json.js';

export const actorKinds = ['org', 'repo', 'project', 'pr', 'issue'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** An actor within its workspace. `id` is unique among the actors of its kind. */
export interface ActorRef {
  readonly kind: ActorKind;
  readonly id: string;
}

export interface ActorAddress extends ActorRef {
  readonly workspaceId: string;
}

/** `type` in upper case: `ASSIGN_AGENT`. Everything else in it is JSON. */
export type ActorEvent = JsonObject & { readonly type: string };

/** What a machine keeps between events. It is JSON as it stands. */
export interface ActorSnapshot {
  /** The state, or the nested states: `'idle'`, `{ executing: 'working' }`. */
  readonly value: string | JsonObject;
  readonly context: JsonObject;
  /** `done`: a final state was reached, and later events change nothing. */
  readonly status: 'active' | 'done';
}

/** What an event causes besides the new state. Recipients are in the workspace of the actor. */
export type ActorEffect =
  | { readonly do: 'send'; readonly to: ActorRef; readonly event: ActorEvent; readonly delayMs?: number }
  /** Starts another actor, unless it exists. */
  | { readonly do: 'start'; readonly actor: ActorRef; readonly input: JsonObject }
  /** Sends `event` to the actor itself after the delay. A timer with the name of an earlier one replaces it. */
  | { readonly do: 'set_timer'; readonly name: string; readonly delayMs: number; readonly event: ActorEvent }
  | { readonly do: 'clear_timer'; readonly name: string }
  /**
   * Starts long work outside the mailbox. What its handler returns is sent to the actor. Work with the name of work that
   * has not ended stops it first.
   */
  | { readonly do: 'work'; readonly name: string; readonly input: JsonObject }
  | { readonly do: 'stop_work'; readonly name: string };

/** The pure part of an actor. Both functions are free of clocks, chance and I/O. */
export interface ActorMachine {
  /** Throws `invalid_input` for input that the machine does not understand. */
  initial(input: JsonObject): ActorSnapshot;
  /** An event that the present state does not know changes nothing. Throws `invalid_input` for one that is malformed. */
  transition(snapshot: ActorSnapshot, event: ActorEvent): readonly [ActorSnapshot, readonly ActorEffect[]];
}

export type ActorMachines = Readonly<Record<ActorKind, ActorMachine>>;

/** An actor as it is kept. Times are ISO 8601 in UTC. */
export interface ActorView {
  readonly actor: ActorAddress;
  readonly snapshot: ActorSnapshot;
  /** Number of events applied so far. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Time of the last heartbeat of its work. */
  readonly lastHeartbeat?: string;
  /** What the work was doing according to that heartbeat. */
  readonly progress?: JsonValue;
  readonly timers: readonly { readonly name: string; readonly dueAt: string; readonly event: ActorEvent }[];
  readonly work: readonly ActorWorkView[];
  /** The last 50 events, oldest first, those set aside included. */
  readonly events: readonly ActorEventView[];
}

export interface ActorWorkView {
  readonly name: string;
  readonly id: string;
  /** From 1; higher if a process died while it did the work, or its handler threw. */
  readonly attempt: number;
  readonly startedAt: string;
  readonly lastHeartbeat?: string;
  /** What it was doing according to its last heartbeat. */
  readonly progress?: JsonValue;
}

export interface ActorEventView {
  readonly id: string;
  readonly event: ActorEvent;
  readonly at: string;
  /** The state after it; absent if it was set aside. */
  readonly value?: string | JsonObject;
  /** Why it was set aside. */
  readonly setAside?: string;
}

export interface ActorsQuery {
  readonly workspaceId: string;
  readonly kind?: ActorKind;
  /** The outermost state: `executing`. */
  readonly state?: string;
  /** Only actors that belong there, by id. */
  readonly org?: string;
  readonly repo?: string;
  readonly project?: string;
  /** Only actors on which one of these agents works (slugs and ids). */
  readonly agents?: readonly string[];
  /** Only those whose agent works for this person or key (id). */
  readonly person?: string;
  /** Only issues whose title or text contains this, whatever its case. */
  readonly text?: string;
  /** Only actors whose work has not reported since then (ISO 8601). */
  readonly silentSince?: string;
  /** Where the page before ended. */
  readonly after?: string;
  /** Newest first. Default 50, at most 200. */
  readonly limit?: number;
}

export interface ActorPage {
  readonly actors: readonly Omit<ActorView, 'timers' | 'work' | 'events'>[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** One piece of long work, as its handler sees it. */
export interface ActorJob {
  readonly actor: ActorAddress;
  /** The same in each attempt: key effects by it. */
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly input: JsonObject;
  /** Aborted if the actor stops the work, or this process no longer owns it. */
  readonly signal: AbortSignal;
  /** Reports that the work is alive, and optionally what it is doing. Resolves to false if the store did not take it. */
  heartbeat(progress?: JsonValue): Promise<boolean>;
}

/**
 * Returns the event with which the work ends, or undefined for none. If it throws, the work is attempted again after a pause;
 * after the last of ten attempts the actor gets `WORK_FAILED` with `work` (the name) and `message`.
 */
export type WorkHandler = (job: ActorJob) => Promise<ActorEvent | undefined>;

export interface ActorHost {
  /** Starts an actor. False if it exists already, whatever its input was. */
  start(actor: ActorAddress, input: JsonObject): Promise<boolean>;
  /**
   * Accepts an event durably; it is applied soon, or after `delayMs`. False if an event with this id was accepted before.
   * Throws `not_found` if there is no such actor.
   */
  send(
    actor: ActorAddress,
    event: ActorEvent,
    options: { readonly id: string; readonly delayMs?: number },
  ): Promise<boolean>;
  read(actor: ActorAddress): Promise<ActorView | undefined>;
  list(query: ActorsQuery): Promise<ActorPage>;
  /**
   * Yields the actor as it is, and again after every event, from whichever process; events that follow each other at once may
   * be seen together. Ends when the actor is removed.
   */
  follow(actor: ActorAddress, signal?: AbortSignal): AsyncIterable<ActorView>;
  /** Names who does the work of this name in this process. Returns a function that ends this. */
  work(name: string, handler: WorkHandler): () => void;
  /** Like the `heartbeat` of a job, for work that is done elsewhere. */
  heartbeat(actor: ActorAddress, progress?: JsonValue): Promise<void>;
  /** Removes the actor with its timers, its work and the events not yet applied. False if there was none. */
  stop(actor: ActorAddress): Promise<boolean>;
}
