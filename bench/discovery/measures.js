// Measures of ranked lists, compared with their labels, and of times.
const top = (ids, relevant, limit) => ids.slice(0, limit).some((id) => relevant.includes(id));
const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

function gain({ ids, relevant }) {
  const dcg = ids
    .slice(0, 10)
    .reduce((sum, id, place) => sum + (relevant.includes(id) ? 1 / Math.log2(place + 2) : 0), 0);
  const ideal = relevant.slice(0, 10).reduce((sum, _, place) => sum + 1 / Math.log2(place + 2), 0);
  return ideal === 0 ? 0 : dcg / ideal;
}

function reciprocalRank({ ids, relevant }) {
  const place = ids.findIndex((id) => relevant.includes(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/**
 * Means over all requests: a hit (any relevant tool) in the first 1, 5, 10, NDCG@10, reciprocal rank, verb confusion of the
 * first hit, share declined; times in ms. A run is `{ ids, relevant, ms, abstained?, confused? }`.
 */
export function measure(runs) {
  const mean = (of) => runs.reduce((sum, run) => sum + Number(of(run)), 0) / Math.max(1, runs.length);
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    requests: runs.length,
    r1: mean(({ ids, relevant }) => top(ids, relevant, 1)),
    r5: mean(({ ids, relevant }) => top(ids, relevant, 5)),
    r10: mean(({ ids, relevant }) => top(ids, relevant, 10)),
    ndcg10: mean(gain),
    mrr: mean(reciprocalRank),
    verb: mean(({ confused }) => confused?.verb === true),
    effect: mean(({ confused }) => confused?.effect === true),
    declined: mean(({ abstained }) => abstained === true),
    p50: at(times, 0.5),
    p95: at(times, 0.95),
  };
}
