/** Pages of a list that is in memory, in both directions. */

interface PageQuery {
  /** Keys: only what comes after, or before. At most one of them. */
  readonly after?: string;
  readonly before?: string;
  readonly limit?: number;
}

interface CutPage<Item> {
  readonly page: readonly Item[];
  /** `after` of the next page; undefined if this is the last. */
  readonly next: string | undefined;
  /** `before` of the previous page; undefined if this is the first. */
  readonly previous: string | undefined;
}

const defaultLimit = 50;
const maxLimit = 500;

/** Returns one page. `sorted`: ascending by its key, and no key twice. The key of a page's neighbour need not exist any more. */
export function cutPage<Item>(
  sorted: readonly Item[],
  keyOf: (item: Item) => string,
  { after, before, limit = defaultLimit }: PageQuery,
): CutPage<Item> {
  const rest = sorted.filter(
    (item) => (before === undefined || keyOf(item) < before) && (after === undefined || keyOf(item) > after),
  );
  const count = Math.min(limit, maxLimit);
  const page = before === undefined ? rest.slice(0, count) : rest.slice(-count);
  const [one, other] = [page[0], page.at(-1)];
  const first = one === undefined ? after : keyOf(one);
  const last = other === undefined ? before : keyOf(other);
  return {
    page,
    next: last !== undefined && sorted.some((item) => keyOf(item) > last) ? last : undefined,
    previous: first !== undefined && sorted.some((item) => keyOf(item) < first) ? first : undefined,
  };
}
