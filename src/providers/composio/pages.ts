/** Pages of Composio's listings. */
import type { z } from 'zod';
import type { UnusableRow } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { readAnswer } from './answers.js';
import { type ApiRequest, type Requests, routeName } from './requests.js';
import { listing, slugShape } from './shapes.js';

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
  readonly total?: number;
  /** Invalid rows, with the reason for each. */
  readonly leftOut: readonly UnusableRow[];
}

/** Returns the rows of a page. An invalid row is skipped without affecting the others. */
export async function readPage<Row extends z.ZodType>(
  requests: Requests,
  request: ApiRequest,
  row: Row,
): Promise<Page<z.output<Row>>> {
  const route = routeName(request);
  const { items, next_cursor: next, total_items: total } = await requests.read(request, listing);
  const rows: z.output<Row>[] = [];
  const leftOut: UnusableRow[] = [];
  for (const [index, item] of items.entries()) {
    const path = `items/${index}`;
    try {
      rows.push(readAnswer(row, item, { route, path }));
    } catch (thrown) {
      if (!(thrown instanceof HelveError)) throw thrown;
      const slug = isPlainObject(item) ? slugShape.safeParse(item.slug).data : undefined;
      leftOut.push({ name: slug ?? path, reason: thrown.message.slice(0, 300), ...defined({ slug }) });
    }
  }
  // It would never end.
  if (next && next === request.query?.cursor)
    throw new HelveError('upstream_failed', `Composio's answer to ${route} leads back to the same page`, {
      details: { route, field: 'next_cursor' },
    });
  return { rows, leftOut, ...defined({ next: next || undefined, total }) };
}
