/**
 * Values that come and go all the time, such as the calls in progress, in no order.
 *
 * A Set is not fit for that. It makes a new table whenever many values have gone, and the old table refers to the new one. A table
 * that has become old before it is garbage therefore keeps all later ones, with every value that was in one of them, until V8 looks
 * at all of its memory: each collection of new objects copies them until then.
 */

export interface Bag<Value> {
  /** Returns a function that takes the value out again. It does nothing when it is called a second time. */
  add(value: Value): () => void;
  /** A copy. */
  list(): Value[];
  size(): number;
}

/** Returns an empty one. */
export function createBag<Value>(): Bag<Value> {
  const items: { readonly value: Value; place: number }[] = [];
  return {
    add(value) {
      const item = { value, place: items.length };
      items.push(item);
      return () => {
        if (items[item.place] !== item) return;
        const last = items.pop() ?? item;
        if (last === item) return;
        // The last one takes its place.
        last.place = item.place;
        items[item.place] = last;
      };
    },
    list: () => items.map(({ value }) => value),
    size: () => items.length,
  };
}
