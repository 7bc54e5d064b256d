/** How large the store is, how fast it grows, and what retention would remove. */
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { Facts, Loaded, Table } from '../ui/index.js';
import css from './pages.module.css';

const daysOfGrowth = 7;

export function StoreSizes(): ReactNode {
  const text = useText();
  const { showNumber, showBytes } = useFormats();
  const sizes = useRead('GET /api/store-sizes');
  return (
    <section>
      <h2>{text.sizes.title}</h2>
      <p className={css.dim}>{text.sizes.how}</p>
      <Loaded query={sizes}>
        {({ wholeBytes, record, kinds, removable }) => (
          <>
            <Facts
              rows={[
                ...(wholeBytes === undefined ? [] : [[text.sizes.whole, showBytes(wholeBytes)] as const]),
                [
                  text.sizes.growth,
                  text.sizes.perDay(
                    showNumber(Math.round(record.rowsInWeek / daysOfGrowth)),
                    showBytes(record.bytesInWeek / daysOfGrowth),
                  ),
                ],
                [text.sizes.archived, showNumber(record.archived)],
              ]}
            />
            <Table
              label={text.sizes.title}
              head={[text.kind, text.sizes.rows, text.sizes.bytes]}
              rows={kinds.map(({ kind, rows, bytes }) => ({
                key: kind,
                cells: [text.sizes.kinds[kind], showNumber(rows), showBytes(bytes)],
              }))}
            />
            <Table
              label={text.sizes.removable}
              head={[text.sizes.keep, text.sizes.removable]}
              rows={removable.map(({ keepDays, rows, isPolicy }) => ({
                key: String(keepDays),
                cells: [isPolicy ? text.sizes.policyDays(keepDays) : text.sizes.days(keepDays), showNumber(rows)],
              }))}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}
