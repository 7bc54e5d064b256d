// Measures of a ranked list against its labels, and of times.
const top = (ids, relevant, limit) => ids.slice(0, limit).some((id) => relevant.includes(id));

/** Means over all requests: hit in the first 1, 5, 10 (any relevant tool), NDCG@10, reciprocal rank; times in ms. */
export function measure(runs) {
  const mean = (of) => runs.reduce((sum, run) => sum + of(run), 0) / Math.max(1, runs.length);
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  const gain = ({ ids, relevant }) => {
    const dcg = ids.slice(0, 10).reduce((sum, id, at) => sum + (relevant.includes(id) ? 1 / Math.log2(at + 2) : 0), 0);
    const ideal = relevant.slice(0, 10).reduce((sum, _, at) => sum + 1 / Math.log2(at + 2), 0);
    return ideal === 0 ? 0 : dcg / ideal;
  };
  const rank = ({ ids, relevant }) => {
    const at = ids.findIndex((id) => relevant.includes(id));
    return at < 0 ? 0 : 1 / (at + 1);
  };
  return {
    requests: runs.length,
    r1: mean(({ ids, relevant }) => Number(top(ids, relevant, 1))),
    r5: mean(({ ids, relevant }) => Number(top(ids, relevant, 5))),
    r10: mean(({ ids, relevant }) => Number(top(ids, relevant, 10))),
    ndcg10: mean(gain),
    mrr: mean(rank),
    p50: times[Math.floor(times.length / 2)] ?? 0,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
  };
}
