/**
 * A list of links of which only those on screen are in the page. It is one tab stop: arrows, Home, End and Page move in it,
 * Enter opens the row. The row that was opened last is the current one when the person comes back.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import css from './list.module.css';

interface ListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Where the row leads: an address of the panel. */
  readonly hrefOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** The columns, as `grid-template-columns`; on a phone the cells wrap. */
  readonly columns: string;
  /** Called when the end comes near, to read more. */
  readonly onEnd?: () => void;
  /** Called with whether the first row is on screen. */
  readonly onTop?: (isAtTop: boolean) => void;
  readonly children: (row: Row) => ReactNode;
}

/** How many rows before the end more are asked for. */
const readAhead = 30;

export function List<Row>({ label, rows, keyOf, hrefOf, onOpen, columns, onEnd, onTop, children }: ListProps<Row>) {
  const scroll = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [moved, setMoved] = useState(0);
  const current = Math.min(active, Math.max(0, rows.length - 1));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 33,
    overscan: 8,
    getItemKey: (at) => keyOf(rows[at] as Row),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - readAhead) onEnd?.();
  }, [last, rows.length, onEnd]);
  useEffect(() => {
    if (moved === 0) return;
    virtual.scrollToIndex(current);
    const frame = requestAnimationFrame(() =>
      scroll.current?.querySelector<HTMLElement>(`[data-at="${current}"]`)?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [current, moved, virtual]);

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + 10,
      PageUp: current - 10,
      Home: 0,
      End: rows.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setMoved(moved + 1);
    setActive(Math.max(0, Math.min(rows.length - 1, next)));
  };

  return (
    <div className={css.scroll} ref={scroll} onScroll={(event) => onTop?.(event.currentTarget.scrollTop < 8)}>
      <ul
        className={css.list}
        aria-label={label}
        onKeyDown={move}
        style={{ height: virtual.getTotalSize(), ['--columns' as string]: columns }}
      >
        {items.map(({ index, key, start }) => {
          const row = rows[index] as Row;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={css.item}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <a
                className={css.link}
                href={hrefOf(row)}
                data-at={index}
                tabIndex={index === current ? 0 : -1}
                onFocus={() => setActive(index)}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                  event.preventDefault();
                  onOpen(row);
                }}
              >
                {children(row)}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
