/**
 * Finds the items of a list by a key without walking the list each time. The first question about a list builds a map of
 * it, which lives as long as the list does. A list that was asked about must not be changed afterwards.
 */
export function createLookup<Item>(
  keyOf: (item: Item) => string,
): (items: readonly Item[], key: string) => readonly Item[] {
  const maps = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();
  return (items, key) => {
    let map = maps.get(items);
    if (!map) {
      map = grouped(items, keyOf);
      maps.set(items, map);
    }
    return map.get(key) ?? none;
  };
}

const none: readonly never[] = [];

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
