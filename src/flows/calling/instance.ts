/** This process in the store: a row that others can check for life, and the settling of what dead processes left open. */
import { performance } from 'node:perf_hooks';
import type { JournalEntry, JournalOutcome } from '../../domain/audit.js';
import type { InstanceRow, Storage } from '../../domain/storage.js';
import { newId } from '../../util/hash.js';
import { processLives, thisProcess } from '../../util/process-identity.js';
import { settleInterrupted } from './settle.js';

export interface Instance {
  readonly id: string;
  /** Registers, settles, and keeps doing so; how many calls were settled now. */
  start(append: (entry: JournalEntry) => Promise<JournalOutcome>): Promise<number>;
  /**
   * Before work that others would cut off if they took this process for dead: shows them first that it lives, when they
   * have not seen that for a while. Throws `storage_failed`.
   */
  ensureSeen(): Promise<void>;
  /** Whether the process of that id still runs. */
  isAlive(instanceId: string): Promise<boolean>;
  /** Whether the store takes what is written. Many questions at once, or within a second, are one write. */
  canWrite(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface InstanceOptions {
  readonly storage: Pick<Storage, 'system' | 'now'>;
  /** Told in words when this process finds that another had taken it for dead. */
  readonly report: (message: string) => void;
  /** Default 10 s. */
  readonly heartbeatMs?: number | undefined;
}

const defaultHeartbeatMs = 10_000;
/** Heartbeats that a process elsewhere may miss before it is taken for dead. */
const missedHeartbeats = 6;
/** Heartbeats for which a row that looks old is watched first: the store's clock may have been set. */
const watchedHeartbeats = 2;
/** Whoever asks how it stands makes the store write no more often than this. */
const writeAnswerMs = 1_000;

const removedMessage =
  'Another Helve on this store took this process for dead, because it had not been heard of for a while (was it paused, or cut off from the store?). It is registered again. Calls that were running have been recorded as interrupted.';

export function createInstance({ storage, report, heartbeatMs = defaultHeartbeatMs }: InstanceOptions): Instance {
  const id = newId();
  const self = { id, ...thisProcess() };
  const looksAlive = createWatch(heartbeatMs);
  const probe = createWriteProbe(() => touch());
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<unknown> | undefined;
  let started = false;
  let stopped = false;
  let seen = { running: Number.NEGATIVE_INFINITY, wall: 0 };

  async function touch(): Promise<void> {
    const now = { running: performance.now(), wall: Date.now() };
    const outcome = await storage.system.touchInstance(self);
    seen = now;
    if (outcome === 'added' && started) report(removedMessage);
    started = true;
  }

  async function beat(append: (entry: JournalEntry) => Promise<JournalOutcome>): Promise<number> {
    await touch();
    const now = await storage.now();
    await storage.system.purgeExpired(now.toISOString());
    return settleInterrupted({
      instanceId: id,
      now: () => now,
      listIntents: () => storage.system.listIntents(),
      listInstances: () => storage.system.listInstances(),
      removeInstance: (row) => storage.system.removeInstance(row.id, row.seenAt),
      isAlive: looksAlive,
      append,
    });
  }

  return {
    id,
    async start(append) {
      const settled = await beat(append);
      timer = setInterval(() => {
        // One at a time: a store that answers slowly is not asked again meanwhile. A heartbeat that fails is made up
        // for by the next; calls report a store that is down.
        beating ??= beat(append)
          .catch(() => undefined)
          .finally(() => {
            beating = undefined;
          });
      }, heartbeatMs).unref();
      return settled;
    },
    async ensureSeen() {
      const age = Math.max(performance.now() - seen.running, Math.abs(Date.now() - seen.wall));
      if (started && !stopped && age > (missedHeartbeats / 2) * heartbeatMs) await touch();
    },
    async isAlive(instanceId) {
      if (instanceId === id) return true;
      const row = (await storage.system.listInstances()).find((one) => one.id === instanceId);
      return row !== undefined && looksAlive(row, await storage.now());
    },
    canWrite: () => (stopped ? Promise.resolve(false) : probe()),
    async stop() {
      stopped = true;
      clearInterval(timer);
      // A heartbeat under way would put the row back.
      await beating;
      // A store that is full or away must not keep this process from ending: others find the row and take it away.
      await storage.system.removeInstance(id).catch(() => undefined);
    },
  };
}

/**
 * Whether a process lives: asked of the system where it can be, and otherwise told by its heartbeats. One whose time is
 * long ago, or lies ahead (the store's clock was set back), counts as dead only after it has been watched for a while
 * without a heartbeat, by a clock that nobody sets.
 */
function createWatch(heartbeatMs: number): (row: InstanceRow, now: Date) => boolean {
  const watched = new Map<string, { readonly seenAt: string; readonly since: number }>();
  return (row, now) => {
    const lives = processLives(row);
    if (lives !== undefined) return lives;
    const age = now.getTime() - Date.parse(row.seenAt);
    if (age >= 0 && age < missedHeartbeats * heartbeatMs) {
      watched.delete(row.id);
      return true;
    }
    const known = watched.get(row.id);
    const since = known?.seenAt === row.seenAt ? known.since : performance.now();
    watched.set(row.id, { seenAt: row.seenAt, since });
    return performance.now() - since < watchedHeartbeats * heartbeatMs;
  };
}

/** Asks for a write and says whether it came through; an answer holds for a moment. */
function createWriteProbe(write: () => Promise<void>): () => Promise<boolean> {
  let last: { readonly answer: Promise<boolean>; endedAt: number | undefined } | undefined;
  return () => {
    if (last && (last.endedAt === undefined || performance.now() - last.endedAt < writeAnswerMs)) return last.answer;
    const isDone = write().then(
      () => true,
      () => false,
    );
    const begun: typeof last = { answer: isDone, endedAt: undefined };
    last = begun;
    void isDone.then(() => {
      begun.endedAt = performance.now();
    });
    return isDone;
  };
}
