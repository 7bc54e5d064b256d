/**
 * Each workspace's configuration as last read. It may be stale, because another process may have changed it. Calls
 * detect that when they are recorded (the commit names the revision it relies on), lists by querying the revision, and
 * listeners by a slow poll.
 */
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import { createInLine, type InLine } from '../../util/in-line.js';
import { createRecent } from '../../util/recent.js';

export interface ConfigurationCache {
  get(workspaceId: string): Promise<WorkspaceConfiguration>;
  /** Never older than the store at the time of the call. */
  getFresh(workspaceId: string): Promise<WorkspaceConfiguration>;
  forget(workspaceId: string): void;
  /** Calls `listener` after each change, by this process or another. Returns a function that ends this. */
  onChange(workspaceId: string, listener: () => void): () => void;
  /** Does changes of a workspace one after the other: at the same time each would make all others begin again. */
  readonly inLine: InLine;
  close(): void;
}

const pollMs = 2_000;
/** Workspaces whose configuration is kept; that of others is read again. */
const maxKept = 2_000;

interface Kept {
  /** Undefined once it is known to be stale. */
  reading: Promise<WorkspaceConfiguration> | undefined;
  /** What was read last, perhaps stale: only what has changed since is read again. */
  latest: WorkspaceConfiguration | undefined;
}

/** Creates the cache. `onForget` is called with each workspace whose configuration is dropped. */
export function createConfigurationCache(
  storage: Storage,
  onForget: (workspaceId: string) => void,
): ConfigurationCache {
  const recent = createRecent<Kept>(maxKept);
  const listeners = createListeners(
    (workspaceId) => storage.workspace(workspaceId).revision(),
    (workspaceId) => cache.forget(workspaceId),
  );

  const cache: ConfigurationCache = {
    inLine: createInLine(),
    get(workspaceId) {
      const kept = recent.get(workspaceId) ?? { reading: undefined, latest: undefined };
      if (kept.reading) return kept.reading;
      const promise = storage.workspace(workspaceId).configuration(kept.latest);
      kept.reading = promise;
      recent.set(workspaceId, kept);
      promise.then(
        (configuration) => {
          kept.latest = configuration;
          listeners.noteRead(configuration);
        },
        () => {
          if (kept.reading === promise) kept.reading = undefined;
          kept.latest = undefined;
        },
      );
      return promise;
    },
    async getFresh(workspaceId) {
      const revision = await storage.workspace(workspaceId).revision();
      if ((await cache.get(workspaceId)).revision !== revision) cache.forget(workspaceId);
      return cache.get(workspaceId);
    },
    forget(workspaceId) {
      const kept = recent.get(workspaceId);
      if (kept) kept.reading = undefined;
      onForget(workspaceId);
    },
    onChange(workspaceId, listener) {
      const end = listeners.add(workspaceId, listener);
      const read = recent.get(workspaceId)?.latest;
      if (read) listeners.noteRead(read);
      return end;
    },
    close() {
      ignoreChanges();
      listeners.close();
    },
  };
  const ignoreChanges = storage.onChange((workspaceId) => {
    cache.forget(workspaceId);
    listeners.tell(workspaceId);
  });
  return cache;
}

interface Listeners {
  add(workspaceId: string, listener: () => void): () => void;
  /** Notes a configuration that a listener may have got: it is told of every later one. */
  noteRead(configuration: Pick<WorkspaceConfiguration, 'workspaceId' | 'revision'>): void;
  tell(workspaceId: string): void;
  close(): void;
}

/** The listeners. Changes by other processes are found by polling the revision. */
function createListeners(
  revisionOf: (workspaceId: string) => Promise<number>,
  moved: (workspaceId: string) => void,
): Listeners {
  const listeners = new Map<string, Set<() => void>>();
  /** The oldest revision that was read since the listeners were told, or since the first of them came; else as of the last poll. */
  const lastSeen = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  function tell(workspaceId: string): void {
    lastSeen.delete(workspaceId);
    for (const listener of listeners.get(workspaceId) ?? []) listener();
  }

  async function poll(): Promise<void> {
    for (const workspaceId of listeners.keys()) {
      const revision = await revisionOf(workspaceId);
      const before = lastSeen.get(workspaceId);
      if (before !== undefined && before !== revision) {
        moved(workspaceId);
        tell(workspaceId);
      }
      lastSeen.set(workspaceId, revision);
    }
  }

  return {
    tell,
    noteRead({ workspaceId, revision }) {
      if (listeners.has(workspaceId) && !lastSeen.has(workspaceId)) lastSeen.set(workspaceId, revision);
    },
    add(workspaceId, listener) {
      const set = listeners.get(workspaceId) ?? new Set();
      listeners.set(workspaceId, set.add(listener));
      // A failed poll is retried at the next tick; other callers of the store report that it is down.
      timer ??= setInterval(() => void poll().catch(() => undefined), pollMs).unref();
      return () => {
        set.delete(listener);
        if (set.size > 0) return;
        listeners.delete(workspaceId);
        lastSeen.delete(workspaceId);
      };
    },
    close() {
      clearInterval(timer);
      listeners.clear();
    },
  };
}
