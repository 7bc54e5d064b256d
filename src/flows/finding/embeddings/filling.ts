/**
 * Asks for the vectors of tools in the background, a batch at a time. A failure makes the pause longer and the batch
 * smaller, and no call or search notices it. A text that the model refuses alone is left out.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { HelveError } from '../../../domain/errors.js';
import type { Embed } from './settings.js';
import type { VectorStore } from './vector-store.js';

export interface Filling {
  /** Asks for the vector of a text, unless it is known or was refused. */
  want(key: string, text: () => string): void;
  readonly waiting: number;
  readonly refused: number;
  /** Why the last batch failed; undefined if it did not. */
  readonly failure: string | undefined;
  /** Resolves when nothing is asked for any more; writes what is not written. */
  close(): Promise<void>;
}

interface FillingParts {
  readonly embed: Embed;
  readonly store: VectorStore;
  readonly reportError: (error: unknown) => void;
}

const mostTexts = 64;
const batchMs = 60_000;
const firstPauseMs = 1_000;
const mostPauseMs = 300_000;
/** The number of vectors that are written together, and so the most that a kill can lose. */
const perFile = 1_000;
/** After this many refused texts, the endpoint is probably at fault. */
const mostRefusedInTurn = 20;
/** Answers that concern the texts, and not the endpoint. */
const textStatuses = new Set([400, 413, 422]);

export function createFilling({ embed, store, reportError }: FillingParts): Filling {
  const queue = new Map<string, () => string>();
  const refused = new Set<string>();
  const closing = new AbortController();
  let work: Promise<void> | undefined;
  let failure: string | undefined;
  let size = mostTexts;
  let pauseMs = firstPauseMs;
  let refusedInTurn = 0;

  async function step(): Promise<void> {
    const batch = [...queue].slice(0, size);
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(batchMs)]);
    try {
      const vectors = await embed(
        batch.map(([, text]) => text()),
        signal,
      );
      for (const vector of vectors) store.accept(vector);
      for (const [at, vector] of vectors.entries()) store.put(batch[at]?.[0] ?? '', vector);
      for (const [key] of batch) queue.delete(key);
      failure = undefined;
      refusedInTurn = 0;
      size = Math.min(mostTexts, size * 2);
      pauseMs = firstPauseMs;
      await store.flush(perFile);
    } catch (thrown) {
      if (closing.signal.aborted) return;
      if (failure === undefined) reportError(thrown);
      failure = thrown instanceof Error ? thrown.message : String(thrown);
      const [key = ''] = batch[0] ?? [];
      size = Math.max(1, Math.floor(batch.length / 2));
      if (concernsTexts(thrown) && refusedInTurn < mostRefusedInTurn) {
        if (batch.length > 1) return;
        queue.delete(key);
        refused.add(key);
        refusedInTurn += 1;
        return;
      }
      await pause(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      pauseMs = Math.min(mostPauseMs, pauseMs * 2);
    }
  }

  async function run(): Promise<void> {
    // Others that want vectors at this moment are in the first batch too.
    await Promise.resolve();
    while (queue.size > 0 && !closing.signal.aborted && !store.isFull) {
      await step();
      if (queue.size === 0) await store.flush(1);
    }
    work = undefined;
  }

  return {
    want(key, text) {
      if (refused.has(key) || store.isFull || closing.signal.aborted) return;
      if (!queue.has(key)) queue.set(key, text);
      work ??= run().catch(reportError);
    },
    get waiting() {
      return queue.size;
    },
    get refused() {
      return refused.size;
    },
    get failure() {
      return failure;
    },
    async close() {
      closing.abort(new HelveError('cancelled', 'Helve is closing'));
      await work;
      await store.flush(1);
    },
  };
}

function concernsTexts(thrown: unknown): boolean {
  return thrown instanceof HelveError && textStatuses.has(Number(thrown.details?.status));
}
