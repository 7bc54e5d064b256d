/**
 * The actor host on Restate. Helve's store keeps the actors, as for the embedded host, and every event is one transaction there;
 * Restate gives each actor its turn, rings the timers and hands out the work, to whichever process answers under the address of
 * this installation. No process drives: if one ends, Restate asks another at once. What Restate was not told, because a process
 * ended or Restate was away, is found in the store within two seconds.
 */
import type { ActorAddress, ActorHost, ActorMachines } from '../../domain/actor-host.js';
import type { Storage } from '../../domain/storage.js';
import { createActorDoor, defaultRetryMs } from '../door.js';
import { createFollowers } from '../followers.js';
import type { Persistence } from '../persistence.js';
import { createConnection } from './connection.js';
import { createEndpoint, type Endpoint, loadSdk, nameOf, type OwnRestate, type RestateAddresses } from './endpoint.js';
import { createSharedLease } from './lease.js';
import { actorKey, objectNames, type ServicesOptions, workKey } from './services.js';
import { createTurns } from './turns.js';
import { createWakes } from './wakes.js';
import { createWorkHere } from './work.js';

export interface RestateActorHostOptions {
  readonly storage: Pick<Storage, 'system' | 'workspace' | 'now'>;
  readonly machines: ActorMachines;
  readonly persistence: Persistence;
  /** Whether a process with the embedded host is alive. */
  readonly isAlive?: (id: string) => Promise<boolean | undefined>;
  /** Failures that no caller sees. */
  readonly report: (error: unknown) => void;
  readonly restate: RestateAddresses | OwnRestate;
  /** How often to look for what Restate was not told, in milliseconds. Default 1,000. */
  readonly lookMs?: number;
  readonly times?: { readonly lease: number; readonly renew: number };
  /** How long work waits after its handler threw, by the number of times that it has, in milliseconds. Default: from 1 s, doubling, to 1 min. */
  readonly retryMs?: (failures: number) => number;
}

const followPollMs = 250;
const perLook = 500;
/** How many pieces of work run at the same time in this process. */
const maxWork = 32;

export function createRestateActorHost(options: RestateActorHostOptions) {
  const { storage, machines, persistence, report, restate, retryMs = defaultRetryMs, lookMs = 1_000 } = options;
  const { times = { lease: 9_000, renew: 3_000 }, isAlive = async () => undefined } = options;
  const table = storage.system.actors;
  const actors = (workspaceId: string) => storage.workspace(workspaceId).actors;
  const names = objectNames(nameOf(restate));
  const connection = createConnection(restate, report);
  const { ingress } = connection;
  const followers = createFollowers({ actors, isDriving: () => false, pollMs: followPollMs });
  const lease = createSharedLease({
    owner: connection.leaseOwner,
    table,
    isAlive,
    times,
    running: () => work.ids(),
    onGone: (gone) => work.stopIds(gone),
    report,
  });
  const work = createWorkHere({ table, persistence, now: () => storage.now(), retryMs, lease, limit: maxWork });
  let endpoint: Endpoint | undefined;
  let port: number | undefined;
  const turn = createTurns({
    table,
    machines,
    persistence,
    lease,
    onWritten({ actor: { number, address: written }, outcome }) {
      if ('work' in outcome) for (const { name } of outcome.work) work.stop(number, name);
      followers.tell(written);
    },
  });
  const services: Omit<ServicesOptions, 'sdk' | 'name'> = { turn, attempt: work.attempt };
  const watch = createWatch();

  /** If Restate cannot be told, the event is in the store all the same, and found there. */
  const askForTurn = (actor: ActorAddress, delayMs = 0): Promise<void> =>
    ingress.ask({ service: names.actor, key: actorKey(actor), method: 'turn', body: null, delayMs }).catch(report);
  const wakeNow = createWakes((actor) => askForTurn(actor));
  const wake = (actor: ActorAddress, delayMs = 0): Promise<void> =>
    delayMs > 0 ? askForTurn(actor, delayMs) : wakeNow(actor);

  /** Asks for what was already unfinished when looked before. */
  function createWatch() {
    let timer: NodeJS.Timeout | undefined;
    let looking: Promise<void> | undefined;
    let stopped = false;
    let before: ReadonlySet<string> | undefined;

    async function look(): Promise<void> {
      if (port !== undefined) await connection.announce(port);
      const { events, work: pieces } = await table.unfinished(perLook);
      const seen = new Set<string>();
      const asks = [];
      for (const { actor, position } of events) {
        const idempotencyKey = String(position);
        seen.add(idempotencyKey);
        if (before?.has(idempotencyKey) !== false)
          asks.push({ service: names.actor, key: actorKey(actor), method: 'turn', body: null, idempotencyKey });
      }
      for (const { actor, name, id } of pieces) {
        seen.add(id);
        if (before?.has(id) === false) continue;
        const key = workKey(actor, name);
        asks.push({ service: names.work, key, method: 'perform', body: { name, id }, idempotencyKey: id });
      }
      before = seen;
      await Promise.all(asks.map((asked) => ingress.ask(asked)));
    }

    function once(): Promise<void> {
      looking ??= look()
        .catch(report)
        .finally(() => {
          looking = undefined;
          if (!stopped) timer = setTimeout(() => void once(), lookMs).unref();
        });
      return looking;
    }

    return {
      start: once,
      async stop(): Promise<void> {
        stopped = true;
        clearTimeout(timer);
        await looking;
      },
    };
  }

  const door = createActorDoor({
    storage,
    machines,
    followers,
    // Restate has nothing to do for an actor without events.
    onStarted: () => undefined,
    onAccepted: wake,
    onRemoved: work.stopActor,
  });
  const host: ActorHost = { ...door, work: work.register };
  return {
    host,
    /**
     * Listens for Restate, and tells it where; if Restate is away, as soon as it is back. Throws `invalid_config` without its
     * SDK or, if Helve is to start the server, without that.
     */
    async start(): Promise<void> {
      const sdk = await loadSdk();
      await connection.start();
      endpoint = createEndpoint(sdk, { listening: connection.listening(), ...services });
      await lease.start();
      port = await endpoint.listen();
      await watch.start();
    },
    async close(): Promise<void> {
      followers.close();
      await watch.stop();
      await work.close();
      persistence.close();
      await endpoint?.close();
      await connection.close();
      await lease.stop();
    },
  };
}
