/**
 * New rows of the record, for those who follow it. All followers of a workspace share one look at the end of its chain, a
 * few times a second: the rows of other processes appear there too. Each follower has its own position and asks for what
 * comes after it, so a slow one misses nothing and needs no queue. Thousands of followers are told less often, and some at a time,
 * so that calls go on beside them.
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

export interface Follower {
  readonly after: number | undefined;
  /** Depends on the type and the actor of the row only. */
  readonly concerns: (row: Pick<AuditEvent, 'type' | 'actor'>) => boolean;
}

export interface RecordFeed {
  /**
   * Rows after `after`, past and future; default: after the present end. Ends with `signal`, or when the feed is closed. Whoever
   * waits is not woken by new rows of which none `concerns` them; an empty batch says later how far they are.
   */
  follow(workspaceId: string, follower: Follower, signal: AbortSignal): AsyncIterable<FeedBatch>;
  /** Ends every follower, and resolves when the store is not asked any more. */
  close(): Promise<void>;
}

export interface FeedOptions {
  readonly storage: Pick<Storage, 'workspace'>;
  /** How often the end of the chain is looked at, in milliseconds, while it has few followers. Default 200. */
  readonly pollMs?: number;
  /** A follower gets an empty batch after this time without rows, in milliseconds, if there are few. Default 1,000. */
  readonly restMs?: number;
}

/** The newest rows, kept for all followers of a workspace. */
const keptRows = 256;
const pageRows = 100;
/** More new rows than this are not looked through: everybody is woken. */
const maxFresh = 4_000;
/** Above 2,000 followers the pause between two looks grows by this much for each, so that they take a part of the time only. */
const pausePerFollowerMs = 0.1;
/** Above 2,000 followers the time after which one gets an empty batch grows by this much for each. */
const restPerFollowerMs = 0.5;
/** The number of followers that are woken in one turn of the event loop. */
const wokenAtOnce = 200;

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
    void topic.stop();
    topics.delete(workspaceId);
  }

  return {
    async *follow(workspaceId, { after, concerns }, signal) {
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
          if (rows.length > 0) continue;
          // The store is not asked again for rows that the last look did not see.
          for (;;) {
            const waited = await topic.wait({ seq, concerns, restMs }, ending);
            seq = waited.seq;
            if (waited.mayHaveRows || ending.aborted) break;
            yield { rows: [], seq, isCaughtUp: true };
          }
        }
      } finally {
        leave(workspaceId, topic);
      }
    },
    async close() {
      closing.abort();
      await Promise.all([...topics.values()].map((topic) => topic.stop()));
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
  /** Resolves when there may be rows that concern this follower after its `seq`, after `restMs`, or with the signal. */
  wait(waiter: Waiter, signal: AbortSignal): Promise<Waited>;
  /** Resolves when the store is not asked any more. */
  stop(): Promise<void>;
}

interface Waiter extends Pick<Follower, 'concerns'> {
  readonly seq: number;
  readonly restMs: number;
}

interface Waiting {
  /** Whether it is woken. */
  look(news: readonly AuditEvent[] | 'unknown', now: number): boolean;
}

interface Waited {
  readonly mayHaveRows: boolean;
  /** No row up to this one concerns the follower. */
  readonly seq: number;
}

function createTopic(audit: ReturnType<Storage['workspace']>['audit'], pollMs: number): Topic {
  let kept: readonly AuditEvent[] = [];
  let position = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const waiting = new Set<Waiting>();

  /** Resolves with what is new: rows, or 'unknown' if there are too many. */
  async function readFresh(): Promise<readonly AuditEvent[] | 'unknown'> {
    const { seq } = await audit.head();
    if (seq <= position) return [];
    const isKnown = position > 0 && seq - position <= maxFresh;
    const rows = await audit.page(isKnown ? position : Math.max(0, seq - keptRows), maxFresh);
    kept = (isKnown ? [...kept, ...rows] : rows).slice(-keptRows);
    position = rows.at(-1)?.seq ?? position;
    return isKnown ? rows : 'unknown';
  }

  /** Wakes those whom something new concerns, and those who have waited for long enough. */
  async function wake(fresh: readonly AuditEvent[] | 'unknown'): Promise<void> {
    const news = fresh === 'unknown' ? fresh : lastOfEachKind(fresh);
    const now = performance.now();
    let woken = 0;
    for (const one of [...waiting]) {
      if (!one.look(news, now)) continue;
      woken += 1;
      if (woken % wokenAtOnce === 0) await nextTurn();
    }
  }

  function schedule(): void {
    const pauseMs = Math.max(pollMs, topic.followers * pausePerFollowerMs);
    timer = setTimeout(() => {
      looking = lookAround();
    }, pauseMs).unref();
  }

  async function lookAround(): Promise<void> {
    // A failed look is repeated at the next one; other callers of the store report that it is down.
    await wake(await readFresh().catch(() => []));
    if (!isStopped) schedule();
  }

  const topic: Topic = {
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
    wait: ({ seq, concerns, restMs }, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || position > seq) return resolve({ mayHaveRows: !signal.aborted, seq });
        const restAt = performance.now() + Math.max(restMs, topic.followers * restPerFollowerMs);
        let upTo = seq;
        const end = (mayHaveRows: boolean): void => {
          waiting.delete(one);
          signal.removeEventListener('abort', stop);
          resolve({ mayHaveRows, seq: upTo });
        };
        const stop = (): void => end(false);
        const one: Waiting = {
          look(news, now) {
            const mayHaveRows = news === 'unknown' || news.some((row) => row.seq > upTo && concerns(row));
            if (!mayHaveRows) upTo = Math.max(upTo, position);
            if (!mayHaveRows && now < restAt) return false;
            end(mayHaveRows);
            return true;
          },
        };
        waiting.add(one);
        signal.addEventListener('abort', stop, { once: true });
      }),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
  schedule();
  return topic;
}

/** The last row of each type and actor, because only these two decide whom a row concerns. */
function lastOfEachKind(rows: readonly AuditEvent[]): readonly AuditEvent[] {
  return [...new Map(rows.map((row) => [`${row.type} ${row.actor.id}`, row])).values()];
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
