/**
 * Creates a function that finds the items of a list by a key without scanning the list each time. The first look-up in
 * a list builds a map, which lives as long as the list. The list must not change afterwards.
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
