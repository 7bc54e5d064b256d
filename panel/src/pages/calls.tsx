/** The calls, newest first. The filter is in the address, so that a link shows the same list. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Empty, Loaded, Page } from '../ui/index.js';
import { CallList, type Execution } from './call-list.js';
import { FilterBar, FilterChips, FilterSelect } from './filters.js';
import css from './pages.module.css';

const route = getRouteApi('/calls');
const statuses = ['ok', 'failed', 'refused', 'interrupted'] as const;
const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
const pageSize = 200;

export function Calls(): ReactNode {
  const text = useText();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = (change: typeof search) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const agents = useRead('GET /api/agents');
  const connections = useRead('GET /api/tools/connected');
  const query = useQueryOf(search);
  return (
    <Page title={text.nav.calls}>
      <FilterBar value={search.q} onChange={(q) => filter({ q })} onClear={() => void navigate({ search: {} })}>
        <FilterSelect
          label={text.status}
          value={search.status}
          options={statuses.map((status) => [status, text.statuses[status]])}
          onChange={(status) => filter({ status })}
        />
        <FilterSelect
          label={text.agent}
          value={search.actor}
          options={(agents.data?.agents ?? []).map(({ id, name }) => [id, name])}
          onChange={(actor) => filter({ actor })}
        />
        <FilterSelect
          label={text.connection}
          value={search.connection}
          options={(connections.data?.connections ?? []).map(({ id, name }) => [id, name])}
          onChange={(connection) => filter({ connection })}
        />
        <FilterSelect
          label={text.since}
          value={search.since}
          options={Object.keys(spans).map((span) => [span, text.spans[span as keyof typeof spans]])}
          onChange={(since) => filter({ since })}
        />
      </FilterBar>
      <FilterChips
        chips={[
          [text.tool, search.tool, () => filter({ tool: undefined })],
          [text.rule, search.rule, () => filter({ rule: undefined })],
        ]}
      />
      <CallPages key={JSON.stringify(query)} query={query} isFiltered={Object.keys(search).length > 0} />
    </Page>
  );
}

type Search = ReturnType<typeof route.useSearch>;
type CallQuery = ReturnType<typeof useQueryOf>;

function useQueryOf({ q, status, actor, connection, tool, rule, since }: Search) {
  return useMemo(() => {
    const span = spans[since as keyof typeof spans];
    return {
      text: q,
      status: statuses.find((each) => each === status),
      actor,
      connection,
      tool,
      rule,
      since: span === undefined ? undefined : new Date(Date.now() - span).toISOString(),
    };
  }, [q, status, actor, connection, tool, rule, since]);
}

/**
 * The pages that were read, and what is newer. While the person reads further down, or has paused, new rows wait behind a
 * button, so that nothing moves under the eye.
 */
function CallPages({ query, isFiltered }: { query: CallQuery; isFiltered: boolean }) {
  const text = useText();
  const [isAtTop, setAtTop] = useState(true);
  const [isPaused, setPaused] = useState(false);
  const [shown, setShown] = useState(0);
  const pages = useInfiniteQuery({
    queryKey: ['call pages', query],
    queryFn: ({ pageParam }) =>
      send('GET /api/tools/executions', { query: { ...query, limit: pageSize, before: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const head = useRead('GET /api/tools/executions', { query: { ...query, limit: pageSize } });
  const newest = head.data?.executions[0]?.seq ?? 0;
  const first = pages.data?.pages[0]?.executions[0]?.seq ?? 0;
  const until = Math.max(shown, first);
  if (isAtTop && !isPaused && newest > until) setShown(newest);
  const waiting = (head.data?.executions ?? []).filter(({ seq }) => seq > until).length;
  const rows = useMemo(() => {
    const all = [
      ...(head.data?.executions ?? []).filter(({ seq }) => seq <= until),
      ...(pages.data?.pages.flatMap(({ executions }) => executions) ?? []),
    ];
    return [...new Map(all.map((row): [string, Execution] => [row.executionId, row])).values()].sort(
      (one, other) => other.seq - one.seq,
    );
  }, [head.data, pages.data, until]);
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = pages;
  const readMore = useMemo(
    () => () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    [fetchNextPage, hasNextPage, isFetchingNextPage],
  );
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
          {pages.data === undefined ? '' : text.shown(rows.length, hasNextPage)}
        </span>
      </div>
      <Loaded query={pages}>
        {() =>
          rows.length === 0 ? (
            <Empty>{isFiltered ? text.noMatch : text.noCalls}</Empty>
          ) : (
            <CallList rows={rows} onEnd={readMore} onTop={setAtTop} />
          )
        }
      </Loaded>
    </>
  );
}
