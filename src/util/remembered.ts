/**
 * A pure function that remembers what it made, for what is asked again and again. When it has `most` of them it forgets
 * all and begins anew: no order to keep, and no growth.
 */
export function remembered<Given, Made extends NonNullable<unknown>>(
  most: number,
  make: (given: Given) => Made,
  keyOf: (given: Given) => unknown = (given) => given,
): (given: Given) => Made {
  const known = new Map<unknown, Made>();
  return (given) => {
    const key = keyOf(given);
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(given);
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
}
