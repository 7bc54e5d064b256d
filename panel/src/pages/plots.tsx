/**
 * Figures of the last day: calls by outcome and how long they took, over time; the tools that are used most, what results take of
 * the agents' contexts, and the rules that refused. Each plot has its table.
 */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Loaded, RuleName, Table } from '../ui/index.js';
import { spans } from './call-filter.js';
import css from './pages.module.css';

type Metrics = Reply<'GET /api/metrics/calls'>;
type Group = Metrics['groups'][number];
const outcomes = ['ok', 'failed', 'refused', 'interrupted'] as const;
const width = 720;
const height = 96;
/** How long the time of a column is: a day has 48. */
const minutes = 30;
const maxRows = 8;
/** How much of its place a column takes. */
const columnPart = 0.93;

export function Plots() {
  const text = useText();
  const since = useMemo(() => new Date(Date.now() - spans.day).toISOString(), []);
  const overTime = useRead('GET /api/metrics/calls', { query: { by: 'minute', minutes, since } });
  const byTool = useRead('GET /api/metrics/calls', { query: { by: 'tool', since } });
  const byAgent = useRead('GET /api/metrics/calls', { query: { by: 'agent', since } });
  const refused = useRead('GET /api/executions/facets', { query: { status: 'refused', since } });
  if ((overTime.data?.total.calls ?? 0) === 0) return undefined;
  return (
    <section className={css.plots}>
      <h2>{text.lastDay}</h2>
      <Loaded query={overTime} rows={3}>
        {(metrics) => (
          <div className={css.split}>
            <OverTime metrics={metrics} />
            <Latency metrics={metrics} />
          </div>
        )}
      </Loaded>
      <h3>{text.byTool}</h3>
      <Loaded query={byTool} rows={3}>
        {(metrics) => <ByTool metrics={metrics} />}
      </Loaded>
      <div className={css.split}>
        <Loaded query={byAgent}>{(metrics) => <ContextByAgent metrics={metrics} />}</Loaded>
        <Loaded query={refused}>{({ rule }) => <RefusalsByRule rules={rule} />}</Loaded>
      </div>
    </section>
  );
}

function OverTime({ metrics }: { metrics: Metrics }) {
  const text = useText();
  const { showNumber } = useFormats();
  const { total } = metrics;
  return (
    <OverTimePlot
      label={text.overTime}
      summary={outcomes.map((outcome) => `${text.statuses[outcome]} ${showNumber(total[outcome])}`).join(' · ')}
      metrics={metrics}
      series={outcomes.map((outcome) => ({
        key: outcome,
        title: text.statuses[outcome],
        size: (group) => group[outcome],
        show: (group) => showNumber(group[outcome]),
      }))}
    />
  );
}

/** How long calls took: half of them at most the lower part of a column, and all but a twentieth at most the whole. */
function Latency({ metrics }: { metrics: Metrics }) {
  const text = useText();
  const { showNumber } = useFormats();
  const { total } = metrics;
  const showMs = (value: number | undefined) => (value === undefined ? '' : `${showNumber(Math.round(value))} ms`);
  if (total.p95 === undefined) return undefined;
  return (
    <OverTimePlot
      label={text.latency}
      summary={`p50 ${showMs(total.p50)} · p95 ${showMs(total.p95)} · p99 ${showMs(total.p99)}`}
      metrics={metrics}
      series={[
        { key: 'p50', title: 'p50', size: ({ p50 = 0 }) => p50, show: ({ p50 }) => showMs(p50) },
        { key: 'p95', title: 'p95', size: ({ p50 = 0, p95 = 0 }) => p95 - p50, show: ({ p95 }) => showMs(p95) },
      ]}
    />
  );
}

interface Series {
  /** Its class. */
  readonly key: string;
  readonly title: string;
  /** Its part of a column. */
  readonly size: (group: Group) => number;
  readonly show: (group: Group) => string;
}

interface OverTimePlotProps {
  readonly label: string;
  readonly summary: string;
  readonly metrics: Metrics;
  readonly series: readonly Series[];
}

/** A column for each group, in which the first of the series is lowest. */
function OverTimePlot({ label, summary, metrics: { since, until, seconds = 60, groups }, series }: OverTimePlotProps) {
  const text = useText();
  const { showTime } = useFormats();
  const place = (at: string) => Math.floor(Date.parse(at) / (seconds * 1_000));
  const step = width / (place(until) - place(since) + 1);
  const sizes = groups.map((group) => series.map(({ size }) => size(group)));
  const highest = Math.max(...sizes.map((all) => all.reduce((sum, size) => sum + size, 0))) || 1;
  return (
    <figure className={css.plot}>
      <h3>{label}</h3>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={`${label}: ${summary}`}>
        {groups.flatMap((group, at) => {
          let top = height;
          return series.map(({ key }, part) => {
            const size = ((sizes[at]?.[part] ?? 0) / highest) * height;
            top -= size;
            return size === 0 ? undefined : (
              <rect
                key={`${group.key} ${key}`}
                className={css[key]}
                x={(place(group.key) - place(since)) * step}
                y={top}
                width={step * columnPart}
                height={size}
              />
            );
          });
        })}
      </svg>
      <figcaption>{summary}</figcaption>
      <details>
        <summary>{text.asTable}</summary>
        <Table
          label={label}
          head={[text.when, ...series.map(({ title }) => title)]}
          rows={groups.map((group) => ({
            key: group.key,
            cells: [showTime(group.key), ...series.map(({ show }) => show(group))],
          }))}
        />
      </details>
    </figure>
  );
}

/** What the results of its calls take of an agent's context. What was kept behind handles does not reach it. */
function ContextByAgent({ metrics }: { metrics: Metrics }) {
  const text = useText();
  const { showNumber } = useFormats();
  const most = [...metrics.groups]
    .sort((one, other) => other.characters - other.kept - (one.characters - one.kept))
    .slice(0, maxRows);
  return (
    <div>
      <h3>{text.contextByAgent}</h3>
      <Table
        label={text.contextByAgent}
        head={[text.askedBy, text.nav.calls, text.charactersSent, text.charactersKept]}
        rows={most.map(({ key, name = key, calls, characters, kept }) => ({
          key,
          cells: [
            <Link key="agent" to="/calls" search={{ actor: key, since: 'day' }}>
              {name}
            </Link>,
            showNumber(calls),
            showNumber(characters - kept),
            showNumber(kept),
          ],
        }))}
      />
    </div>
  );
}

function RefusalsByRule({ rules }: { rules: Reply<'GET /api/executions/facets'>['rule'] }) {
  const text = useText();
  const { showNumber } = useFormats();
  if (rules.length === 0) return undefined;
  return (
    <div>
      <h3>{text.refusalsByRule}</h3>
      <Table
        label={text.refusalsByRule}
        head={[text.rule, text.statuses.refused]}
        rows={rules.slice(0, maxRows).map(({ value, count }) => ({
          key: value,
          cells: [
            <Link key="rule" to="/calls" search={{ rule: value, status: 'refused', since: 'day' }}>
              <RuleName rule={value} />
            </Link>,
            showNumber(count),
          ],
        }))}
      />
    </div>
  );
}

function ByTool({ metrics }: { metrics: Metrics }) {
  const text = useText();
  const { showNumber } = useFormats();
  const most = [...metrics.groups].sort((one, other) => other.calls - one.calls).slice(0, maxRows);
  return (
    <Table
      label={text.byTool}
      head={[text.tool, text.nav.calls, text.statuses.failed, text.statuses.refused, 'p95', text.characters]}
      rows={most.map(({ key, name = key, calls, failed, refused, p95, characters }) => ({
        key,
        cells: [
          <Link key="tool" to="/calls" search={{ tool: key, since: 'day' }}>
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
