// Measures of ranked lists, compared with their labels, and of times. An answer that declines has found nothing.
const top = (ids, relevant, limit) => ids.slice(0, limit).some((id) => relevant.includes(id));
const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

function gain({ ids, relevant }) {
  const dcg = ids
    .slice(0, 10)
    .reduce((sum, id, place) => sum + (relevant.includes(id) ? 1 / Math.log2(place + 2) : 0), 0);
  const ideal = relevant.slice(0, 10).reduce((sum, _, place) => sum + 1 / Math.log2(place + 2), 0);
  return ideal === 0 ? 0 : dcg / ideal;
}

/** Share of the right tools among the first, of those that fit into that many. */
function recall({ ids, relevant }, limit) {
  const first = new Set(ids.slice(0, limit));
  return relevant.filter((id) => first.has(id)).length / Math.max(1, Math.min(limit, relevant.length));
}

/**
 * Means over all requests: a hit (any right tool) among the first 1, 3, 5, 10; recall (the share of the right tools) among the
 * first 5 and 10; NDCG@10; verb confusion of the first hit; shares declined and answered with `perhaps`; times in ms. A run is
 * `{ ids, relevant, ms, abstained?, unsure?, confused? }`.
 */
export function measure(runs) {
  const mean = (of) => runs.reduce((sum, run) => sum + Number(of(run)), 0) / Math.max(1, runs.length);
  const found = (of) => mean((run) => (run.abstained === true ? 0 : of(run)));
  const hit = (limit) => found(({ ids, relevant }) => top(ids, relevant, limit));
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    requests: runs.length,
    r1: hit(1),
    r3: hit(3),
    r5: hit(5),
    r10: hit(10),
    recall5: found((run) => recall(run, 5)),
    recall10: found((run) => recall(run, 10)),
    ndcg10: found(gain),
    verb: mean(({ confused }) => confused?.verb === true),
    effect: mean(({ confused }) => confused?.effect === true),
    declined: mean(({ abstained }) => abstained === true),
    perhaps: mean(({ unsure }) => unsure === true),
    p50: at(times, 0.5),
    p95: at(times, 0.95),
  };
}
