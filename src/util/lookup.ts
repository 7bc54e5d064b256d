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
      const origin = findOrigin(items);
      const before = origin && maps.get(origin.from);
      map = origin && before ? changed(before, items, { ...origin, keyOf }) : grouped(items, keyOf);
      maps.set(items, map);
    }
    return map.get(key) ?? none;
  };
}

/** How a list was made from another: all other items are in both, in the same order. */
export interface Origin<Item> {
  readonly from: readonly Item[];
  readonly removed: readonly Item[];
  readonly added: readonly Item[];
}

const origins = new WeakMap<readonly unknown[], Origin<unknown>>();

/** Notes how a list was made, so that look-ups in it need not group all of its items again. */
export function noteOrigin<Item>(items: readonly Item[], origin: Origin<Item>): void {
  // Only the last list is kept in memory for its successor.
  origins.delete(origin.from);
  origins.set(items, origin as Origin<unknown>);
}

/** Returns how a list was made from another, if that was noted and the other list was the last one before it. */
export function findOrigin<Item>(items: readonly Item[]): Origin<Item> | undefined {
  return origins.get(items) as Origin<Item> | undefined;
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

function changed<Item>(
  before: ReadonlyMap<string, readonly Item[]>,
  items: readonly Item[],
  { removed, added, keyOf }: Origin<Item> & { readonly keyOf: (item: Item) => string },
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map(before);
  const gone = new Set(removed);
  const fresh = grouped(added, keyOf);
  const mixed = new Set<string>();
  for (const key of new Set([...removed.map(keyOf), ...fresh.keys()])) {
    const stayed = (before.get(key) ?? none).filter((item) => !gone.has(item));
    const group = stayed.length === 0 ? (fresh.get(key) ?? none) : stayed;
    if (stayed.length > 0 && fresh.has(key)) mixed.add(key);
    if (group.length === 0) groups.delete(key);
    else groups.set(key, group);
  }
  if (mixed.size === 0) return groups;
  // Their order is that of the list.
  const sorted = grouped(
    items.filter((item) => mixed.has(keyOf(item))),
    keyOf,
  );
  for (const [key, group] of sorted) groups.set(key, group);
  return groups;
}
