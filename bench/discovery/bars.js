// The minimum that each set must reach, and whether it does. `least(row, control)` returns what is missing; `control`
// is BM25F.
const floor = 0.02;
const shown = (value) => value.toFixed(3);

const atLeast = (bars) => (row) =>
  Object.entries(bars)
    .filter(([name, least]) => row[name] < least)
    .map(([name, least]) => `${name} ${shown(row[name])} < ${least}`);
const atMost = (bars) => (row) =>
  Object.entries(bars)
    .filter(([name, most]) => row[name] > most)
    .map(([name, most]) => `${name} ${shown(row[name])} > ${most}`);
const all =
  (...checks) =>
  (row, control) =>
    checks.flatMap((check) => check(row, control));

/** Two points ahead in one of the two measures. */
const aheadOfControl = (row, control) =>
  control === undefined || row.r5 >= control.r5 + floor || row.ndcg10 >= control.ndcg10 + floor
    ? []
    : [`r5 ${shown(row.r5)} and ndcg10 ${shown(row.ndcg10)}, BM25F ${shown(control.r5)} and ${shown(control.ndcg10)}`];
const notBehindControl = (row, control) =>
  control === undefined
    ? []
    : ['r5', 'ndcg10']
        .filter((name) => row[name] < control[name])
        .map((name) => `${name} ${shown(row[name])} < BM25F ${shown(control[name])}`);
const seldomLost = atMost({ declined: 0.03 });

const bars = [
  [/^composio text$/, all(atLeast({ r1: 0.68, r5: 0.93, r10: 0.97 }), atMost({ effect: 0.04 }))],
  [/^composio text_noapp$/, atLeast({ r5: 0.85 })],
  [/nine others \(of all apps\)/, atLeast({ r5: 0.92 })],
  [/inside the app/, atLeast({ r5: 0.7, r1: 0.62 })],
  [/^bundled/, all(atLeast({ r3: 0.95 }), seldomLost)],
  [/^(?:stabletoolbench|sealtools|bfcl_live|metatool)$/, aheadOfControl],
  [/^sealtools$/, atLeast({ recall5: 0.86 })],
  [/./, all(notBehindControl, seldomLost)],
];

/** Returns what a set lacks, as texts; empty if it reaches its bars. */
export const lacking = (set, row, control) => [
  ...new Set(bars.filter(([names]) => names.test(set)).flatMap(([, check]) => check(row, control))),
];
