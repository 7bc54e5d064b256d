/**
 * This process in the store: a row by which others can check whether it is alive, and the settling of what dead
 * processes left open.
 */
import { performance } from 'node:perf_hooks';
import type { JournalEntry, JournalOutcome } from '../../domain/audit.js';
import type { InstanceRow, Storage } from '../../domain/storage.js';
import { newId } from '../../util/hash.js';
import { processLives, thisProcess } from '../../util/process-identity.js';
import { createKeptEntries, type KeptEntries } from './kept-entries.js';
import { settleInterrupted } from './settle.js';

export interface Instance {
  readonly id: string;
  /** Registers, settles, and repeats both; returns how many calls were settled now. */
  start(append: (entry: JournalEntry) => Promise<JournalOutcome>): Promise<number>;
  /**
   * Call before work that others would interrupt if they considered this process dead: sends a heartbeat first if there
   * has been none for a while. Throws `storage_failed`.
   */
  ensureSeen(): Promise<void>;
  /** Keeps the end of a call that the store did not accept; a later heartbeat writes it. */
  readonly keep: KeptEntries['keep'];
  /** Whether the process with this id is still running. */
  isAlive(instanceId: string): Promise<boolean>;
  /** Whether the store accepts writes. Checks in parallel, or within a second, share one write. */
  canWrite(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface InstanceOptions {
  readonly storage: Pick<Storage, 'system' | 'now'>;
  /** Receives a message when this process finds that another had considered it dead. */
  readonly report: (message: string) => void;
  /** Default 10 s. */
  readonly heartbeatMs?: number | undefined;
}

const defaultHeartbeatMs = 10_000;
/** Missed heartbeats after which a remote process counts as dead. */
const missedHeartbeats = 6;
/** Heartbeats for which a row that looks old is watched first: the store's clock may have been changed. */
const watchedHeartbeats = 2;
/** Health checks cause a write in the store no more often than this. */
const writeAnswerMs = 1_000;

const removedMessage =
  'Another Helve on this store considered this process dead, because it had not sent a heartbeat for a while (was it paused, or cut off from the store?). It is registered again. Calls that were running have been recorded as interrupted.';

/** Creates this process's instance; it registers only at `start`. */
export function createInstance({ storage, report, heartbeatMs = defaultHeartbeatMs }: InstanceOptions): Instance {
  const id = newId();
  const self = { id, ...thisProcess() };
  const looksAlive = createWatch(heartbeatMs);
  const probe = createWriteProbe(() => touch());
  const entries = createKeptEntries();
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
    const settled = await settleInterrupted({
      instanceId: id,
      now: () => now,
      listIntents: () => storage.system.listIntents(),
      listInstances: () => storage.system.listInstances(),
      removeInstance: (row) => storage.system.removeInstance(row.id, row.seenAt),
      isAlive: looksAlive,
      append,
    });
    // Last, so that an entry that the store never accepts does not block anything else.
    await entries.settle(append);
    return settled;
  }

  return {
    id,
    keep: entries.keep,
    async start(append) {
      const settled = await beat(append);
      timer = setInterval(() => {
        // One at a time: a slow store is not queried again meanwhile. The next heartbeat makes up for a failed one;
        // calls report a store that is down.
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
      // A heartbeat in progress would put the row back.
      await beating;
      // A store that is full or unavailable must not prevent this process from ending: others will find the row and
      // remove it.
      await storage.system.removeInstance(id).catch(() => undefined);
    },
  };
}

/**
 * Whether a process is alive: the operating system is asked if possible, otherwise its heartbeats decide. A row whose
 * time is long ago or in the future (the store's clock was set back) counts as dead only after it has been watched for
 * a while without a heartbeat, by a monotonic clock.
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

/** Creates a function that tries a write and returns whether it succeeded; the result is reused for a moment. */
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
