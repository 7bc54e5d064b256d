/** The actors of tasks, for those who inspect them. */
import type { ActorActs } from '../../domain/actor-acts.js';
import { type ActorAddress, type ActorRef, actorKinds } from '../../domain/actor-host.js';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { describeMachine, statecharts } from '../../tasks/index.js';
import { whileAllowed } from './rights-check.js';

export function createActorActs(parts: PlaneParts): ActorActs {
  const { actors } = parts;
  return {
    listActorMachines: async () => actorKinds.map((kind) => describeMachine(kind, statecharts[kind])),
    listActors: ({ workspaceId }, query = {}) => actors.list({ ...query, workspaceId }),
    async getActor(principal, actor) {
      const view = (await actors.read(addressOf(principal, actor))) ?? missing(actor);
      const table = parts.storage.workspace(principal.workspaceId).actors;
      return { ...view, executions: await table.executions(actor, maxExecutions) };
    },
    async *followActor(principal, actor, signal) {
      let isThere = false;
      for await (const [view] of whileAllowed(parts, principal, actors.follow(addressOf(principal, actor), signal))) {
        isThere = true;
        yield view;
      }
      if (!isThere && !signal?.aborted) missing(actor);
    },
  };
}

const maxExecutions = 50;

const addressOf = ({ workspaceId }: Principal, { kind, id }: ActorRef): ActorAddress => ({ workspaceId, kind, id });

function missing({ kind, id }: ActorRef): never {
  throw new HelveError('not_found', `There is no ${kind} ${JSON.stringify(id)}`);
}
