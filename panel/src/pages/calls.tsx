/** The calls, newest first, running ones included. The filter is in the address, so that a link shows the same list. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useRead, useReadMore } from '../server/use-api.js';
import { Empty, Loaded, Page, Status } from '../ui/index.js';
import { CallFacets } from './call-facets.js';
import { type CallQuery, type CallSearch, readFilter, spans, statuses } from './call-filter.js';
import { CallList, type CallRow } from './call-list.js';
import { FilterBar, FilterSelect } from './filters.js';
import css from './pages.module.css';

const route = getRouteApi('/calls');
const pageSize = 200;

export function Calls(): ReactNode {
  const text = useText();
  const search: CallSearch = route.useSearch();
  const navigate = useNavigate();
  const filter = (change: CallSearch) =>
    void navigate({ to: '/calls', search: { ...search, ...change }, replace: true });
  // "An hour ago" counts from the moment when it was chosen.
  const query = useMemo(() => readFilter(search, Date.now()), [search]);
  const facets = useRead('GET /api/executions/facets', { query });
  const counts = new Map(facets.data?.status.map(({ value, count }) => [value, count]));
  return (
    <Page title={text.nav.calls}>
      <FilterBar
        value={search.q}
        onChange={(q) => filter({ q })}
        onClear={() => void navigate({ to: '/calls', search: {} })}
      >
        <FilterSelect
          label={text.since}
          value={search.since}
          options={Object.keys(spans).map((span) => [span, text.spans[span as keyof typeof spans]])}
          onChange={(since) => filter({ since })}
        />
        <fieldset className={css.toggles}>
          <legend className={css.hidden}>{text.status}</legend>
          {statuses.map((status) => (
            <button
              key={status}
              type="button"
              aria-pressed={search.status === status}
              onClick={() => filter({ status: search.status === status ? undefined : status })}
            >
              <Status kind={status}>
                {text.statuses[status]} {counts.get(status) ?? 0}
              </Status>
            </button>
          ))}
        </fieldset>
      </FilterBar>
      <div className={css.withFacets}>
        <CallFacets facets={facets.data} search={search} onFilter={filter} />
        <div>
          <CallPages key={JSON.stringify(query)} query={query} search={search} />
        </div>
      </div>
    </Page>
  );
}

/**
 * The pages that were read, and what is newer. While the person reads further down, or has paused, new rows wait behind a
 * button, so that nothing moves under the eye.
 */
function CallPages({ query, search }: { query: CallQuery; search: CallSearch }) {
  const text = useText();
  const [isAtTop, setAtTop] = useState(true);
  const [isPaused, setPaused] = useState(false);
  const [shown, setShown] = useState(0);
  const pages = useInfiniteQuery({
    queryKey: ['call pages', query],
    queryFn: ({ pageParam }) =>
      send('GET /api/executions', { query: { ...query, limit: pageSize, before: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const head = useRead('GET /api/executions', { query: { ...query, limit: pageSize } });
  const newest = readNewest(head.data?.executions);
  const first = readNewest(pages.data?.pages[0]?.executions);
  const until = Math.max(shown, first);
  if (isAtTop && !isPaused && newest > until) setShown(newest);
  const waiting = (head.data?.executions ?? []).filter(({ seq }) => seq > until).length;
  const rows = useMemo(() => {
    const known = [
      ...(pages.data?.pages.flatMap(({ executions }) => executions) ?? []),
      // The latest read says how a running call has ended.
      ...(head.data?.executions ?? []).filter(({ seq }) => seq <= until),
    ];
    const byId = new Map(known.map((row): [string, CallRow] => [row.executionId, row]));
    return [...byId.values()].sort((one, other) => other.seq - one.seq);
  }, [head.data, pages.data, until]);
  const readMore = useReadMore(pages);
  return (
    <>
      <div className={css.bar}>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? text.resume : text.pause}
        </button>
        {waiting > 0 ? (
          <button type="button" onClick={() => setShown(newest)}>
            {text.newRows(waiting)}
          </button>
        ) : undefined}
        <span className={css.count} role="status">
          {pages.data === undefined ? '' : text.shown(rows.length, pages.hasNextPage)}
        </span>
      </div>
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <Empty>{Object.keys(search).length > 0 ? text.noMatch : text.noCalls}</Empty>
          ) : (
            <CallList rows={rows} search={search} onEnd={readMore} onTop={setAtTop} />
          )
        }
      </Loaded>
    </>
  );
}

const readNewest = (rows: readonly CallRow[] = []) => rows.reduce((newest, { seq }) => Math.max(newest, seq), 0);
