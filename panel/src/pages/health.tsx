/** Whether everything is in order, and every setting with where it is from. */
import { type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Loaded, Status, Table } from '../ui/index.js';
import { FilterBar } from './filters.js';
import css from './pages.module.css';

const marks = { ok: 'active', warning: 'refused', failed: 'failed' } as const;

export function Health(): ReactNode {
  const text = useText();
  // The record is verified on its own page, where its progress is seen.
  const doctor = useRead('GET /api/doctor', { query: { record: 'skip' } });
  return (
    <section>
      <h2>{text.health}</h2>
      <Loaded query={doctor}>
        {({ checks }) => (
          <Table
            label={text.health}
            head={[text.check, text.status, text.what]}
            rows={checks.map(({ check, state, detail, hint }) => ({
              key: check,
              cells: [
                text.checks[check as keyof typeof text.checks] ?? check,
                <Status key="status" kind={marks[state]}>
                  {text.checkStates[state]}
                </Status>,
                <span key="detail" lang="en">
                  {detail}
                  {hint === undefined ? undefined : <span className={css.dim}> {hint}</span>}
                </span>,
              ],
            }))}
          />
        )}
      </Loaded>
    </section>
  );
}

type Setting = Reply<'GET /api/settings'>['settings'][number];

export function EffectiveSettings(): ReactNode {
  const text = useText();
  const [wanted, setWanted] = useState<string>();
  const [changedOnly, setChangedOnly] = useState(false);
  const settings = useRead('GET /api/settings');
  const isShown = ({ key, source }: Setting) =>
    key.toLowerCase().includes((wanted ?? '').toLowerCase()) && !(changedOnly && source.kind === 'default');
  return (
    <section>
      <h2>{text.effectiveSettings}</h2>
      <p className={css.measure}>{text.effectiveHow}</p>
      <FilterBar value={wanted} onChange={setWanted}>
        <button type="button" aria-pressed={changedOnly} onClick={() => setChangedOnly(!changedOnly)}>
          {text.changedOnly}
        </button>
      </FilterBar>
      <Loaded query={settings}>
        {(data) => (
          <Table
            label={text.effectiveSettings}
            head={[text.setting, text.value, text.setIn]}
            rows={data.settings.filter(isShown).map((each) => ({
              key: each.key,
              cells: [
                <code key="key">{each.key}</code>,
                <Value key="value" of={each} />,
                <Source key="source" of={each} />,
              ],
            }))}
          />
        )}
      </Loaded>
    </section>
  );
}

function Value({ of: { isSet, secret, value } }: { of: Setting }) {
  const text = useText();
  if (!isSet) return <span className={css.dim}>{text.notSet}</span>;
  if (secret) return <span className={css.dim}>{text.setNotShown}</span>;
  return <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}

function Source({ of: { source } }: { of: Setting }) {
  const text = useText();
  if (source.kind === 'default') return <span className={css.dim}>{text.byDefault}</span>;
  if (source.kind === 'environment') return <code>{source.variable}</code>;
  if (source.kind === 'option') return <code>{source.option}</code>;
  const { file, line, variables = [] } = source;
  return (
    <span title={text.locked}>
      <Lock />{' '}
      <code>
        {file}:{line}
      </code>
      {variables.map((name) => (
        <code key={name}> {name}</code>
      ))}
    </span>
  );
}

function Lock() {
  return (
    <svg width="10" height="12" viewBox="0 0 10 12" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M1.5 5.5h7v5h-7zM3 5.5V3.5a2 2 0 0 1 4 0v2" />
    </svg>
  );
}
