/** Figures of the last day: calls by outcome over time, and the tools that are used most. Each plot has its table. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Loaded, Table } from '../ui/index.js';
import { spans } from './call-filter.js';
import css from './pages.module.css';

type Metrics = Reply<'GET /api/metrics/calls'>;
const outcomes = ['ok', 'failed', 'refused', 'interrupted'] as const;
const width = 720;
const height = 96;
/** How many columns a day is drawn in. */
const columns = 48;
const maxTools = 8;

export function Plots() {
  const text = useText();
  const since = useMemo(() => new Date(Date.now() - spans.day).toISOString(), []);
  const overTime = useRead('GET /api/metrics/calls', { query: { by: 'minute', since } });
  const byTool = useRead('GET /api/metrics/calls', { query: { by: 'tool', since } });
  if ((overTime.data?.total.calls ?? 0) === 0) return undefined;
  return (
    <section>
      <h2>{text.lastDay}</h2>
      <Loaded query={overTime} rows={3}>
        {(metrics) => <OverTime metrics={metrics} />}
      </Loaded>
      <Loaded query={byTool} rows={3}>
        {(metrics) => <ByTool metrics={metrics} />}
      </Loaded>
    </section>
  );
}

function OverTime({ metrics }: { metrics: Metrics }) {
  const text = useText();
  const { showNumber, showTime } = useFormats();
  const { total } = metrics;
  const bars = gather(metrics);
  const highest = Math.max(1, ...bars.map(({ calls }) => calls));
  const step = width / columns;
  const summary = outcomes.map((outcome) => `${text.statuses[outcome]} ${showNumber(total[outcome])}`).join(' · ');
  return (
    <figure className={css.plot}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${text.overTime}: ${summary}`}
      >
        {bars.flatMap((bar, at) => {
          let top = height;
          return outcomes.map((outcome) => {
            const size = (bar[outcome] / highest) * height;
            top -= size;
            return size === 0 ? undefined : (
              <rect
                key={`${bar.at} ${outcome}`}
                className={css[outcome]}
                x={at * step}
                y={top}
                width={step - 1}
                height={size}
              />
            );
          });
        })}
      </svg>
      <figcaption>
        {summary}
        {total.p95 === undefined
          ? ''
          : ` · p50 ${showNumber(Math.round(total.p50 ?? 0))} ms · p95 ${showNumber(Math.round(total.p95))} ms`}
      </figcaption>
      <details>
        <summary>{text.asTable}</summary>
        <Table
          label={text.overTime}
          head={[text.when, ...outcomes.map((outcome) => text.statuses[outcome])]}
          rows={bars
            .filter(({ calls }) => calls > 0)
            .map((bar) => ({
              key: bar.at,
              cells: [showTime(bar.at), ...outcomes.map((outcome) => showNumber(bar[outcome]))],
            }))}
        />
      </details>
    </figure>
  );
}

interface Bar {
  /** When it begins, ISO 8601. */
  readonly at: string;
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly refused: number;
  readonly interrupted: number;
}

/** The groups of the server, which are as long as a minute, in as many columns as are drawn. */
function gather({ since, until, groups }: Metrics): readonly Bar[] {
  const begin = Date.parse(since);
  const length = (Date.parse(until) - begin) / columns;
  const bars = Array.from({ length: columns }, (_, at) => ({
    at: new Date(begin + at * length).toISOString(),
    calls: 0,
    ok: 0,
    failed: 0,
    refused: 0,
    interrupted: 0,
  }));
  for (const group of groups) {
    const bar = bars[Math.max(0, Math.min(columns - 1, Math.floor((Date.parse(group.key) - begin) / length)))];
    if (bar === undefined) continue;
    bar.calls += group.calls;
    for (const outcome of outcomes) bar[outcome] += group[outcome];
  }
  return bars;
}

function ByTool({ metrics }: { metrics: Metrics }) {
  const text = useText();
  const { showNumber } = useFormats();
  const most = [...metrics.groups].sort((one, other) => other.calls - one.calls).slice(0, maxTools);
  return (
    <Table
      label={text.byTool}
      head={[text.tool, text.nav.calls, text.statuses.failed, text.statuses.refused, 'p95', text.characters]}
      rows={most.map(({ key, name = key, calls, failed, refused, p95, characters }) => ({
        key,
        cells: [
          <Link key="tool" to="/calls" search={{ tool: key }}>
            {name}
          </Link>,
          showNumber(calls),
          showNumber(failed),
          showNumber(refused),
          p95 === undefined ? '' : `${showNumber(Math.round(p95))} ms`,
          showNumber(characters),
        ],
      }))}
    />
  );
}
