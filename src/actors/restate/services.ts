/**
 * What Restate calls in this process: a virtual object for each actor, whose one handler is a turn of the actor, and one for each
 * piece of work. Restate runs one handler of an object at a time, anywhere, and repeats one that did not end. Its journal knows which
 * steps ended; the state itself is in Helve's store.
 */
import type { ObjectContext } from '@restatedev/restate-sdk/node';
import type { ActorAddress, ActorKind } from '../../domain/actor-host.js';
import type { WorkAddress } from '../../domain/actor-storage.js';
import type { Round } from './turns.js';

export interface ServicesOptions {
  readonly sdk: typeof import('@restatedev/restate-sdk/node');
  /** The names of the objects begin with it. */
  readonly name: string;
  readonly turn: (actor: ActorAddress) => Promise<Round>;
  readonly attempt: (work: WorkAddress) => Promise<number | undefined>;
}

export interface WorkInput {
  readonly name: string;
  readonly id: string;
}

/** After so many rounds the next turn is another call, so that no journal grows without end. */
const roundsPerTurn = 16;

const retries = { initialRetryInterval: 50, maxRetryInterval: 1_000, retryIntervalFactor: 2 };
const longest = { days: 30 };
const noEnd = 1_000_000_000;

export const objectNames = (name: string) => ({ actor: `${name}_actor`, work: `${name}_work` });

export function createServices(options: ServicesOptions) {
  const { sdk, name, turn: takeTurn, attempt } = options;
  const names = objectNames(name);

  function wake(ctx: ObjectContext, actor: ActorAddress, delay = 0): void {
    const call = {
      service: names.actor,
      method: 'turn',
      key: actorKey(actor),
      parameter: null,
      inputSerde: sdk.serde.json,
    };
    ctx.genericSend(delay > 0 ? { ...call, delay } : call);
  }

  function announce(ctx: ObjectContext, actor: ActorAddress, { wakes, work }: Round): void {
    for (const { actor: other, afterMs } of wakes) wake(ctx, other, afterMs);
    for (const begun of work)
      ctx.genericSend<WorkInput>({
        service: names.work,
        method: 'perform',
        key: workKey(actor, begun.name),
        parameter: begun,
        inputSerde: sdk.serde.json,
        idempotencyKey: begun.id,
      });
  }

  /** An event that is accepted meanwhile has a turn of its own after this one, since whoever accepts it asks for one. */
  async function turn(ctx: ObjectContext): Promise<void> {
    const actor = parseKey(ctx.key).address;
    for (let count = 0; count < roundsPerTurn; count++) {
      const round = await ctx.run('turn', () => takeTurn(actor), retries);
      announce(ctx, actor, round);
      if (!round.again) return;
    }
    wake(ctx, actor);
  }

  async function perform(ctx: ObjectContext, { name: work, id }: WorkInput): Promise<void> {
    const { address: actor } = parseKey(ctx.key);
    for (;;) {
      const againMs = await ctx.run('attempt', async () => (await attempt({ actor, name: work, id })) ?? null, retries);
      if (againMs === null) break;
      await ctx.sleep(againMs);
    }
    wake(ctx, actor);
  }

  const kept = {
    journalRetention: 0,
    // Without a number of attempts, Restate pauses what has failed seventy times, until somebody resumes it by hand.
    retryPolicy: { initialInterval: 50, maxInterval: 1_000, exponentiationFactor: 2, maxAttempts: noEnd },
  };
  return [
    sdk.object({ name: names.actor, handlers: { turn }, options: kept }),
    sdk.object({
      name: names.work,
      handlers: { perform },
      // Work may be silent for as long as it takes. Its name can be used again soon after it was ended by hand.
      options: { ...kept, inactivityTimeout: longest, abortTimeout: longest, idempotencyRetention: 60_000 },
    }),
  ];
}

export const actorKey = ({ workspaceId, kind, id }: ActorAddress): string => JSON.stringify([workspaceId, kind, id]);

export const workKey = ({ workspaceId, kind, id }: ActorAddress, name: string): string =>
  JSON.stringify([workspaceId, kind, id, name]);

function parseKey(key: string): { readonly address: ActorAddress } {
  const [workspaceId = '', kind, id = ''] = JSON.parse(key) as string[];
  return { address: { workspaceId, kind: kind as ActorKind, id } };
}
