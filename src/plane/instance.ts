/** This process in the store: a row that others can check for life, and the settling of what dead processes left open. */
import { settleInterrupted } from '../execution/index.js';
import type { JournalEntry, JournalOutcome } from '../spec/audit.js';
import type { InstanceRow, Storage } from '../spec/storage.js';
import { newId } from '../util/hash.js';
import { processLives, thisProcess } from '../util/process-identity.js';

export interface Instance {
  readonly id: string;
  /** Registers, settles, and keeps doing so; how many calls were settled now. */
  start(append: (entry: JournalEntry) => Promise<JournalOutcome>): Promise<number>;
  /** Whether the process of that id still runs. */
  isAlive(instanceId: string): Promise<boolean>;
  stop(): Promise<void>;
}

const defaultHeartbeatMs = 10_000;
/** A process on another machine that has not been seen for this long is taken for dead. */
const leaseMs = 60_000;

export function createInstance(storage: Storage, now: () => Date, heartbeatMs = defaultHeartbeatMs): Instance {
  const id = newId();
  let timer: NodeJS.Timeout | undefined;

  async function beat(append: (entry: JournalEntry) => Promise<JournalOutcome>): Promise<number> {
    await storage.system.touchInstance(id, now().toISOString());
    await storage.system.purgeExpired(now().toISOString());
    return settleInterrupted({
      instanceId: id,
      now,
      listIntents: () => storage.system.listIntents(),
      listInstances: () => storage.system.listInstances(),
      removeInstance: (instanceId) => storage.system.removeInstance(instanceId),
      isAlive,
      append,
    });
  }

  return {
    id,
    async start(append) {
      await storage.system.registerInstance({ id, ...thisProcess(), seenAt: now().toISOString() });
      const settled = await beat(append);
      // A heartbeat that fails is made up for by the next; calls report a store that is down.
      timer = setInterval(() => void beat(append).catch(() => undefined), heartbeatMs).unref();
      return settled;
    },
    async isAlive(instanceId) {
      const row = (await storage.system.listInstances()).find((one) => one.id === instanceId);
      return row !== undefined && isAlive(row, now());
    },
    async stop() {
      clearInterval(timer);
      await storage.system.removeInstance(id);
    },
  };
}

function isAlive(row: InstanceRow, now: Date): boolean {
  return processLives(row) ?? now.getTime() - Date.parse(row.seenAt) < leaseMs;
}
