/**
 * Creates a memoised version of a pure function. When it holds `max` results, it forgets all of them, so that it needs
 * no order and does not grow.
 */
export function remembered<Given, Made extends NonNullable<unknown>>(
  max: number,
  make: (given: Given) => Made,
  keyOf: (given: Given) => unknown = (given) => given,
): (given: Given) => Made {
  const known = new Map<unknown, Made>();
  return (given) => {
    const key = keyOf(given);
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(given);
    if (known.size >= max) known.clear();
    known.set(key, made);
    return made;
  };
}
