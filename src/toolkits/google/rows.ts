/** Fetches the items of a list: a few at a time, and one failure does not lose the other items. */
import { HelveError } from '../../domain/errors.js';

const mostAtOnce = 5;

/** These errors would fail every other row too. */
const fatal: ReadonlySet<string> = new Set(['cancelled', 'connection_inaccessible', 'egress_blocked']);

/**
 * Returns the rows in the order of `items`; for an item that fails, `failed` makes the row. If all fail, throws the first
 * failure.
 */
export async function fetchRows<Item, Row>(
  items: readonly Item[],
  fetchRow: (item: Item) => Promise<Row>,
  failed: (item: Item, why: string) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  const failures: HelveError[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at] as Item;
      try {
        rows[at] = await fetchRow(item);
      } catch (thrown) {
        if (!(thrown instanceof HelveError) || fatal.has(thrown.code)) throw thrown;
        failures.push(thrown);
        rows[at] = failed(item, `${thrown.code}: ${thrown.message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(mostAtOnce, items.length) }, worker));
  if (failures[0] && failures.length === items.length) throw failures[0];
  return rows;
}
