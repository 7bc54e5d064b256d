/** The actors of tasks: listed, read, and followed. */
import { actor, actorEventsQuery, actorList, actorMachines, actorParams, actorsQuery } from '../../../api/index.js';
import type { ActorView } from '../../../domain/actor-host.js';
import { defined } from '../../../util/defined.js';
import { type EventKind, followStream } from '../event-stream.js';
import { defineRoute } from '../route.js';

/** A client that is far behind can miss what lies between: the next one shows the actor as it is then. */
const actorData: EventKind<ActorView> = { name: 'actor', isPassing: () => true };

export const listActorMachines = defineRoute({
  method: 'GET',
  path: '/api/actor-machines',
  summary: 'The machines of tasks: the states of each kind of actor, and what leads from one to another',
  acts: ['listActorMachines'],
  reply: actorMachines,
  handle: async ({ plane, principal }) => ({ machines: await plane.listActorMachines(principal) }),
});

export const listActors = defineRoute({
  method: 'GET',
  path: '/api/actors',
  summary: 'The actors of tasks, newest first: their states, and when their work was last heard of',
  acts: ['listActors'],
  query: actorsQuery,
  reply: actorList,
  handle: ({ plane, principal, query }) => plane.listActors(principal, defined(query)),
});

export const getActor = defineRoute({
  method: 'GET',
  path: '/api/actors/:kind/:id',
  summary: 'One actor: its state, context, timers, work and last events',
  acts: ['getActor'],
  params: actorParams,
  reply: actor,
  handle: ({ plane, principal, params }) => plane.getActor(principal, params),
});

export const followActor = defineRoute({
  method: 'GET',
  path: '/api/actors/:kind/:id/events',
  summary: 'Follow an actor: its present state, then each state after an event, until it is removed',
  acts: ['followActor'],
  params: actorParams,
  query: actorEventsQuery,
  stream: { mediaType: 'text/event-stream', item: actor },
  handle: ({ plane, principal, params, query, request }) =>
    followStream(request, actorData, {
      follow: (signal) => plane.followActor(principal, params, signal),
      isOnce: query.live === 'false',
    }),
});
