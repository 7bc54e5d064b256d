/**
 * New rows of the record, for those who follow it. All followers of a workspace share one look at the end of its chain, a
 * few times a second: the rows of other processes appear there too. Each follower has its own position and asks for what
 * comes after it, so a slow one misses nothing and needs no queue.
 */
import type { AuditEvent } from '../domain/audit.js';
import type { Storage } from '../domain/storage.js';

export interface FeedBatch {
  /** In order, without gaps. Empty: nothing has happened for a while. */
  readonly rows: readonly AuditEvent[];
  /** The position of the last row that the follower has read. */
  readonly seq: number;
  /** Whether there was nothing more when this was read. */
  readonly isCaughtUp: boolean;
}

export interface RecordFeed {
  /**
   * Rows after `after`, past and future; default: after the present end. Ends with `signal`, or when the feed is closed.
   */
  follow(workspaceId: string, after: number | undefined, signal: AbortSignal): AsyncIterable<FeedBatch>;
  close(): void;
}

export interface FeedOptions {
  readonly storage: Pick<Storage, 'workspace'>;
  /** How often the end of the chain is looked at, in milliseconds. Default 200. */
  readonly pollMs?: number;
  /** A follower gets an empty batch after this time without rows, in milliseconds. Default 1,000. */
  readonly restMs?: number;
}

/** The newest rows, kept for all followers of a workspace. */
const keptRows = 256;
const pageRows = 100;

/** Creates the feed of this process. It queries the record only while someone follows it. */
export function createRecordFeed({ storage, pollMs = 200, restMs = 1_000 }: FeedOptions): RecordFeed {
  const topics = new Map<string, Topic>();
  const closing = new AbortController();

  function join(workspaceId: string): Topic {
    const topic = topics.get(workspaceId) ?? createTopic(storage.workspace(workspaceId).audit, pollMs);
    topics.set(workspaceId, topic);
    topic.followers += 1;
    return topic;
  }

  function leave(workspaceId: string, topic: Topic): void {
    topic.followers -= 1;
    if (topic.followers > 0) return;
    topic.stop();
    topics.delete(workspaceId);
  }

  return {
    async *follow(workspaceId, after, signal) {
      const ending = AbortSignal.any([signal, closing.signal]);
      if (ending.aborted) return;
      const topic = join(workspaceId);
      try {
        const end = await topic.getEnd();
        // A position beyond the end is of another record.
        let seq = Math.min(after ?? end, end);
        while (!ending.aborted) {
          const rows = await topic.read(seq);
          seq = rows.at(-1)?.seq ?? seq;
          yield { rows, seq, isCaughtUp: rows.length < pageRows && seq >= topic.seen() };
          if (rows.length === 0) await topic.wait(seq, restMs, ending);
        }
      } finally {
        leave(workspaceId, topic);
      }
    },
    close() {
      closing.abort();
      for (const topic of topics.values()) topic.stop();
    },
  };
}

interface Topic {
  followers: number;
  /** The end of the chain, as the store has it now. */
  getEnd(): Promise<number>;
  /** The end of the chain as last seen. */
  seen(): number;
  read(after: number): Promise<readonly AuditEvent[]>;
  /** Resolves when there may be rows after `seq`, after `restMs`, or with the signal. */
  wait(seq: number, restMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

function createTopic(audit: ReturnType<Storage['workspace']>['audit'], pollMs: number): Topic {
  let kept: readonly AuditEvent[] = [];
  let position = 0;
  let isPolling = false;
  const waiting = new Set<() => void>();

  async function poll(): Promise<void> {
    const { seq } = await audit.head();
    if (seq <= position) return;
    const from = Math.max(position, seq - keptRows);
    const rows = await audit.page(from, keptRows);
    kept = (from === position ? [...kept, ...rows] : rows).slice(-keptRows);
    position = rows.at(-1)?.seq ?? position;
    for (const wake of waiting) wake();
  }

  const timer = setInterval(() => {
    // One at a time. A failed look is repeated at the next tick; other callers of the store report that it is down.
    if (isPolling) return;
    isPolling = true;
    void poll()
      .catch(() => undefined)
      .finally(() => {
        isPolling = false;
      });
  }, pollMs).unref();

  return {
    followers: 0,
    seen: () => position,
    async getEnd() {
      return (await audit.head()).seq;
    },
    async read(after) {
      const [oldest] = kept;
      if (oldest !== undefined && oldest.seq <= after + 1) return kept.filter(({ seq }) => seq > after);
      return audit.page(after, pageRows);
    },
    wait: (seq, restMs, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || position > seq) return resolve();
        const end = (): void => {
          clearTimeout(rest);
          waiting.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const rest = setTimeout(end, restMs).unref();
        waiting.add(end);
        signal.addEventListener('abort', end, { once: true });
      }),
    stop: () => clearInterval(timer),
  };
}
