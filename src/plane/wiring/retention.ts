/**
 * Retention: moves rows that are older than the policy allows from the store into archives, without an external timer.
 * If several processes run, one makes each archive; if it dies, another one finishes its work.
 */
import { HelveError } from '../../domain/errors.js';
import type { Storage } from '../../domain/storage.js';
import { sha256 } from '../../util/hash.js';
import type { Vault } from '../../vault/index.js';
import { archiveStore, getEndOfKeeping } from '../maintenance/archive/index.js';

export interface RetentionPolicy {
  readonly keepDays: number;
  /** An absolute path. */
  readonly folder: string;
}

export interface RetentionParts {
  readonly storage: Storage;
  readonly vault: Vault;
  /** Absent: everything stays in the store. */
  readonly policy: RetentionPolicy | undefined;
  readonly now: () => Date;
  readonly reportError: (error: unknown) => void;
}

export interface Retention {
  start(): void;
  /** Archives now what is due and what no other process is archiving. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Not at the start itself, when everything else begins. */
const firstMs = 60_000;
const againMs = 3_600_000;
/** Longer than an archive of a month takes. After it another process makes the archive, and the store takes only one. */
const claimMs = 900_000;

export function createRetention(parts: RetentionParts): Retention {
  const { policy, reportError } = parts;
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function look(): Promise<void> {
    if (!policy) return running;
    running = running
      .then(() => archiveDue(parts, policy, closing.signal))
      .catch((error: unknown) => {
        if (!closing.signal.aborted && !isTaken(error)) reportError(error);
      });
    return running;
  }

  function schedule(milliseconds: number): void {
    timer = setTimeout(async () => {
      await look();
      if (!closing.signal.aborted) schedule(againMs);
    }, milliseconds).unref();
  }

  return {
    start() {
      if (policy) schedule(firstMs);
    },
    look,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

async function archiveDue(
  { storage, vault, now }: RetentionParts,
  { keepDays, folder }: RetentionPolicy,
  signal: AbortSignal,
): Promise<void> {
  const before = await getEndOfKeeping(storage, keepDays, now());
  const claim = async (workspaceId: string, first: number): Promise<boolean> => {
    const until = new Date((await storage.now()).getTime() + claimMs).toISOString();
    return storage.system.useOnce(sha256(`archive/${workspaceId}/${first}`), until);
  };
  const work = { storage, vault, folder, before, signal, claim, by: { through: 'retention', keep: `${keepDays}d` } };
  for await (const _ of archiveStore(work)) signal.throwIfAborted();
}

/** Another process was so slow that this one began as well. */
const isTaken = (error: unknown): boolean =>
  error instanceof HelveError && error.code === 'conflict' && /Another process/.test(error.message);
