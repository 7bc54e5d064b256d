/**
 * What a process has counted since its start. A call adds to numbers in memory and nothing else: names, texts and the
 * library that writes them are needed only when somebody reads them (prometheus.ts).
 */
import type { CallKind, CallOutcome, EndedCall, ProcessCounts } from '../domain/telemetry.js';

/** Upper bounds in seconds: from an own tool to one that waits for a model. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** Calls that ended alike. */
export interface CallSeries extends Pick<EndedCall, 'kind' | 'outcome' | 'code'> {
  /** How many took no longer than each bound, and longer than the one before; the last one: longer than all bounds. */
  readonly buckets: readonly number[];
  readonly seconds: number;
}

export interface Counts extends ProcessCounts {
  calls(): readonly CallSeries[];
  renewals(): ReadonlyMap<string, number>;
  syncs(): readonly { readonly source: string; readonly status: string; readonly count: number }[];
}

interface Tally {
  readonly buckets: number[];
  seconds: number;
}

type ByCode = Map<EndedCall['code'], Tally>;

export function createCounts(): Counts {
  const calls = new Map<CallKind, Record<CallOutcome, ByCode>>();
  const renewals = new Map<string, number>();
  const syncs = new Map<string, Map<string, number>>();
  return {
    callEnded(call) {
      const tally = findTally(calls, call);
      const seconds = call.milliseconds / 1_000;
      let place = 0;
      while (seconds > (durationBounds[place] ?? Number.POSITIVE_INFINITY)) place += 1;
      tally.buckets[place] = (tally.buckets[place] ?? 0) + 1;
      tally.seconds += seconds;
    },
    credentialsRenewed: (outcome) => void renewals.set(outcome, (renewals.get(outcome) ?? 0) + 1),
    catalogueSynced(source, status) {
      const known = syncs.get(source) ?? new Map<string, number>();
      syncs.set(source, known);
      known.set(status, (known.get(status) ?? 0) + 1);
    },
    calls: () => [...calls].flatMap(([kind, outcomes]) => listSeries(kind, outcomes)),
    renewals: () => renewals,
    syncs: () =>
      [...syncs].flatMap(([source, known]) => [...known].map(([status, count]) => ({ source, status, count }))),
  };
}

function findTally(calls: Map<CallKind, Record<CallOutcome, ByCode>>, { kind, outcome, code }: EndedCall): Tally {
  let outcomes = calls.get(kind);
  if (outcomes === undefined) {
    outcomes = { ok: new Map(), failed: new Map(), refused: new Map() };
    calls.set(kind, outcomes);
  }
  const byCode = outcomes[outcome];
  let tally = byCode.get(code);
  if (tally === undefined) {
    tally = { buckets: new Array<number>(durationBounds.length + 1).fill(0), seconds: 0 };
    byCode.set(code, tally);
  }
  return tally;
}

function listSeries(kind: CallKind, outcomes: Record<CallOutcome, ByCode>): CallSeries[] {
  const each = Object.entries(outcomes) as [CallOutcome, ByCode][];
  return each.flatMap(([outcome, byCode]) =>
    [...byCode].map(([code, { buckets, seconds }]) => ({ kind, outcome, code, buckets: [...buckets], seconds })),
  );
}
