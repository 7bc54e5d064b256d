/** The filters above a list. Their values are in the address of the page. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../messages/index.js';
import css from './pages.module.css';

interface FilterBarProps {
  /** Default: Filter. */
  readonly label?: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly onClear?: () => void;
  readonly children?: ReactNode;
}

/** How long the person must stop typing before the list is asked for. */
const pauseMs = 200;

/** A field for words, and other filters after it. */
export function FilterBar({ label, value, onChange, onClear, children }: FilterBarProps) {
  const text = useText();
  const [typed, setTyped] = useState(value ?? '');
  // Another filter may be chosen before the timer rings, and is not undone then.
  const send = useRef(onChange);
  useEffect(() => {
    send.current = onChange;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed sends the filter
  useEffect(() => {
    if (typed === (value ?? '')) return;
    const timer = setTimeout(() => send.current(typed === '' ? undefined : typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search className={css.bar}>
      <label>
        {label ?? text.filter}
        <input type="search" data-filter value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      {children}
      {onClear === undefined ? undefined : (
        <button
          type="button"
          className="plain"
          onClick={() => {
            setTyped('');
            onClear();
          }}
        >
          {text.clear}
        </button>
      )}
    </search>
  );
}

interface FilterSelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string | undefined) => void;
}

export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  const text = useText();
  return (
    <label>
      {label}
      <select value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
        <option value="">{text.all}</option>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Filters that come with a link and have no field of their own: each can be removed. */
export function FilterChips({ chips }: { chips: readonly (readonly [string, string | undefined, () => void])[] }) {
  const text = useText();
  const set = chips.filter(([, value]) => value !== undefined);
  if (set.length === 0) return undefined;
  return (
    <ul className={css.chips}>
      {set.map(([label, value, onRemove]) => (
        <li key={label}>
          {label}: {value}
          <button type="button" className="plain" aria-label={`${text.clear}: ${label}`} onClick={onRemove}>
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}
