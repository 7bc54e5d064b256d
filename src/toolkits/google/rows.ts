/** Fetching what a list names one by one: a few at a time, and one that fails does not lose the others. */
import { HelveError } from '../../domain/errors.js';

const mostAtOnce = 5;

/** No other row would fare better. */
const fatal: ReadonlySet<string> = new Set(['cancelled', 'connection_inaccessible', 'egress_blocked']);

/**
 * In the order of `items`; one that fails becomes what `failed` makes of it. When all fail the list is of no
 * use, and the first failure is thrown.
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
