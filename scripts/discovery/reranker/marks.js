// The marks of texts, numbered, and their weights as they are shipped.

/** What occurs in at least `fewest` of the lists, in byte order, with its number from 0. No list has anything twice. */
export function numberOften(lists, fewest) {
  const counts = new Map();
  for (const list of lists) for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  const often = [...counts].filter(([, count]) => count >= fewest).map(([one]) => one);
  return new Map(often.sort().map((one, at) => [one, at]));
}

/** Weights from here on are shipped. */
const smallest = 0.1;

/** For each mark the weights of its row that are not too small, as pairs of a column and ten times the weight. */
export function toMarks(numbers, rowOf) {
  const told = [...numbers].map(([mark, row]) => [
    mark,
    [...rowOf(row)].flatMap((weight, one) => (Math.abs(weight) >= smallest ? [one, Math.round(10 * weight)] : [])),
  ]);
  return Object.fromEntries(told.filter(([, own]) => own.length > 0));
}
