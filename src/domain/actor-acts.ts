/** What a door can ask about the actors of tasks: to inspect them, not to change them. */
import type { ActorKind, ActorPage, ActorRef, ActorsQuery, ActorView } from './actor-host.js';
import type { ActorExecution } from './actor-storage.js';
import type { Principal } from './principal.js';

/** From one state to another. */
export interface MachineTransition {
  readonly from: string;
  readonly to: string;
  /** Absent: without an event, as soon as the guard holds. */
  readonly event?: string;
  /** Only while this holds: `hasAttempts`. */
  readonly guard?: string;
}

/** The machine of a kind of actor, as data. */
export interface ActorMachineDescription {
  readonly kind: ActorKind;
  /** A state comes before those in it. `id`: with the state around it, `executing.working`; `within`: the id of that. */
  readonly states: readonly {
    readonly id: string;
    readonly within?: string;
    /** Where the machine, or the state around it, begins. */
    readonly isFirst: boolean;
    /** Nothing leads out of it. */
    readonly isFinal: boolean;
  }[];
  readonly transitions: readonly MachineTransition[];
  /** Events that change no state. */
  readonly staying: readonly string[];
}

/** `executions`: the last 50 calls that were made for it, newest first. Their rows are in the record. */
export type InspectedActor = ActorView & { readonly executions: readonly ActorExecution[] };

export interface ActorActs {
  /** The machines, one of each kind. They are the same for everybody. */
  listActorMachines(principal: Principal): Promise<readonly ActorMachineDescription[]>;
  listActors(principal: Principal, query?: Omit<ActorsQuery, 'workspaceId'>): Promise<ActorPage>;
  /** Throws `not_found`. */
  getActor(principal: Principal, actor: ActorRef): Promise<InspectedActor>;
  /**
   * Yields the actor as it is, and again after every event; ends when it is removed. Throws `not_found`, and `unauthenticated`
   * once the caller has other rights than at the beginning.
   */
  followActor(principal: Principal, actor: ActorRef, signal?: AbortSignal): AsyncIterable<ActorView>;
}
