/** The vectors of requests: asked for within a short time, and remembered, separately for each workspace. */
import type { UnitVector } from '../../../discovery/index.js';
import type { Embed } from './settings.js';

/** `late`: the answer did not come in time; `paused`: the endpoint failed several times and is left alone for a while. */
export type NoVectors = 'late' | 'failed' | 'paused';

export interface QueryVectors {
  /** The vectors of all texts, or why there are none. Never throws. */
  of(workspaceId: string, texts: readonly string[]): Promise<readonly UnitVector[] | NoVectors>;
  close(): void;
}

interface QueryParts {
  readonly embed: Embed;
  readonly timeoutMs: number;
  /** Checks a vector that has just come; may throw. */
  readonly accept: (vector: UnitVector) => void;
  readonly reportError: (error: unknown) => void;
}

const maxRemembered = 1_000;
/** A late answer is waited for in the background, so that the next such request has it. */
const patienceMs = 10_000;
const failuresUntilPause = 3;
const pauseMs = 30_000;

export function createQueryVectors({ embed, timeoutMs, accept, reportError }: QueryParts): QueryVectors {
  const closing = new AbortController();
  /** In the order of their last use. */
  const known = new Map<string, UnitVector>();
  const asked = new Map<string, Promise<void>>();
  let failures = 0;
  let pausedUntil = 0;

  function recall(key: string): UnitVector | undefined {
    const vector = known.get(key);
    if (vector === undefined) return undefined;
    known.delete(key);
    known.set(key, vector);
    return vector;
  }

  function remember(key: string, vector: UnitVector): void {
    known.set(key, vector);
    const [oldest = ''] = known.keys();
    if (known.size > maxRemembered) known.delete(oldest);
  }

  function fail(): void {
    failures += 1;
    if (failures >= failuresUntilPause) pausedUntil = Date.now() + pauseMs;
  }

  function ask(missing: readonly (readonly [key: string, text: string])[]): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(patienceMs)]);
    const texts = missing.map(([, text]) => text);
    const answer = embed(texts, signal).then((vectors) => {
      for (const vector of vectors) accept(vector);
      for (const [at, [key]] of missing.entries()) remember(key, vectors[at] as UnitVector);
    });
    for (const [key] of missing) asked.set(key, answer);
    const forget = () => {
      for (const [key] of missing) asked.delete(key);
    };
    answer.then(forget, forget);
    return answer;
  }

  return {
    async of(workspaceId, texts) {
      const keyed = texts.map((text) => [`${workspaceId} ${text}`, text] as const);
      const missing = keyed.filter(([key]) => recall(key) === undefined);
      if (missing.length > 0) {
        if (Date.now() < pausedUntil) return 'paused';
        const fresh = missing.filter(([key]) => !asked.has(key));
        const waited = missing.flatMap(([key]) => asked.get(key) ?? []);
        const answers = Promise.all([...waited, ...(fresh.length === 0 ? [] : [ask(fresh)])]);
        const outcome = await within(timeoutMs, answers);
        if (outcome !== 'done') {
          fail();
          if (outcome !== 'late' && !closing.signal.aborted && failures <= 1) reportError(outcome.error);
          return outcome === 'late' ? 'late' : 'failed';
        }
        failures = 0;
      }
      const vectors = keyed.flatMap(([key]) => recall(key) ?? []);
      return vectors.length === texts.length ? vectors : 'failed';
    },
    close: () => closing.abort(),
  };
}

type Outcome = 'done' | 'late' | { readonly error: unknown };

async function within(milliseconds: number, work: Promise<unknown>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'late');
  });
  const done = work.then(
    (): Outcome => 'done',
    (error: unknown): Outcome => ({ error }),
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
