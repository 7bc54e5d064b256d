/**
 * What Restate calls in this process: a virtual object for each actor, whose one handler is a turn of the actor, and one for each
 * piece of work. Restate runs one handler of an object at a time, anywhere, and repeats one that did not end. Its journal knows which
 * steps ended; the state itself is in Helve's store.
 */
import type { ObjectContext } from '@restatedev/restate-sdk/node';
import type { ActorAddress, ActorKind } from '../../domain/actor-host.js';
import type { ActorWrite, WorkAddress } from '../../domain/actor-storage.js';
import type { Round } from './turns.js';

export interface ServicesOptions {
  readonly sdk: typeof import('@restatedev/restate-sdk/node');
  /** The names of the objects begin with it. */
  readonly name: string;
  readonly read: (actor: ActorAddress) => Promise<Round>;
  readonly write: (writes: readonly ActorWrite[]) => Promise<readonly (string | undefined)[]>;
  /** An event of this actor was handled in this process. */
  readonly onWritten: (write: ActorWrite) => void;
  readonly attempt: (work: WorkAddress) => Promise<number | undefined>;
}

export interface WorkInput {
  readonly name: string;
  readonly id: string;
}

/** After so many rounds the next turn is another call, so that no journal grows without end. */
const roundsPerTurn = 16;
/** A timer that Restate rang before its time by the store's clock is rung again. */
const skewMs = 5_000;

const retries = { initialRetryInterval: 50, maxRetryInterval: 1_000, retryIntervalFactor: 2 };
const longest = { days: 30 };
const noEnd = 1_000_000_000;

export const objectNames = (name: string) => ({ actor: `${name}_actor`, work: `${name}_work` });

export function createServices(options: ServicesOptions) {
  const { sdk, name, read, write, onWritten, attempt } = options;
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

  function announce(ctx: ObjectContext, { now }: Round, { actor: { address }, outcome }: ActorWrite): void {
    if ('setAside' in outcome) return;
    const until = (dueAt: string | undefined): number =>
      dueAt === undefined ? 0 : Math.max(0, Date.parse(dueAt) - now);
    const { workspaceId } = address;
    for (const { to, dueAt } of outcome.sends) wake(ctx, { ...to, workspaceId }, until(dueAt));
    for (const { set } of outcome.timers) if (set) wake(ctx, address, until(set.dueAt));
    for (const { name: work, begin } of outcome.work) {
      if (!begin) continue;
      ctx.genericSend<WorkInput>({
        service: names.work,
        method: 'perform',
        key: workKey(address, work),
        parameter: { name: work, id: begin.id },
        inputSerde: sdk.serde.json,
        idempotencyKey: begin.id,
      });
    }
  }

  async function turn(ctx: ObjectContext): Promise<void> {
    const actor = parseKey(ctx.key).address;
    for (let count = 0; count < roundsPerTurn; count++) {
      const round = await ctx.run('read', () => read(actor), retries);
      if (round.writes.length === 0) {
        const { now, nextAt } = round;
        if (nextAt !== undefined && nextAt - now < skewMs) wake(ctx, actor, Math.max(1, nextAt - now));
        return;
      }
      const outcomes = await ctx.run('write', () => write(round.writes), retries);
      for (const [index, outcome] of outcomes.entries()) {
        const one = round.writes[index];
        if (!one || (outcome !== 'written' && outcome !== 'repeated')) continue;
        announce(ctx, round, one);
        onWritten(one);
      }
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
