/** What a door can ask about the actors of tasks: to inspect them, not to change them. */
import type { ActorPage, ActorRef, ActorsQuery, ActorView } from './actor-host.js';
import type { Principal } from './principal.js';

export interface ActorActs {
  listActors(principal: Principal, query?: Omit<ActorsQuery, 'workspaceId'>): Promise<ActorPage>;
  /** Throws `not_found`. */
  getActor(principal: Principal, actor: ActorRef): Promise<ActorView>;
  /**
   * Yields the actor as it is, and again after every event; ends when it is removed. Throws `not_found`, and `unauthenticated`
   * once the caller has other rights than at the beginning.
   */
  followActor(principal: Principal, actor: ActorRef, signal?: AbortSignal): AsyncIterable<ActorView>;
}
