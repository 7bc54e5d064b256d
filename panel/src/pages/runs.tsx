/** The programs of agents: which run, which wait for a person, and how the others ended. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useReadMore } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Ago, Empty, Loaded, Page } from '../ui/index.js';
import { List } from '../ui/list.js';
import { FilterSelect } from './filters.js';
import css from './pages.module.css';
import { RunState } from './run-state.js';

const route = getRouteApi('/runs');
const statuses = [
  'queued',
  'running',
  'waiting',
  'in_doubt',
  'succeeded',
  'failed',
  'refused',
  'diverged',
  'cancelled',
] as const;

export function Runs(): ReactNode {
  const text = useText();
  const search = route.useSearch();
  const navigate = useNavigate();
  const seesAll = useMay('audit:read');
  const status = statuses.find((each) => each === search.status);
  const runs = useInfiniteQuery({
    queryKey: ['runs', status],
    queryFn: ({ pageParam }) => send('GET /api/runs', { query: { status, before: pageParam, limit: 100 } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const readMore = useReadMore(runs);
  return (
    <Page title={text.nav.runs}>
      <div className={css.bar}>
        <FilterSelect
          label={text.status}
          value={status}
          options={statuses.map((each) => [each, text.runStatuses[each]])}
          onChange={(chosen) => void navigate({ to: '/runs', search: { status: chosen }, replace: true })}
        />
      </div>
      <Loaded query={runs}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.runs);
          if (rows.length === 0)
            return <Empty>{seesAll ? (status ? text.noRunMatches : text.noRuns) : text.noOwnRuns}</Empty>;
          return (
            <List
              label={text.nav.runs}
              rows={rows}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/panel/runs/${encodeURIComponent(id)}`}
              onOpen={({ id }) => void navigate({ to: '/runs/$id', params: { id } })}
              columns="104px 128px minmax(0, 1fr) 96px minmax(0, 3fr)"
              onEnd={readMore}
            >
              {(run) => (
                <>
                  <Ago at={run.startedAt} />
                  <RunState run={run} />
                  <span>{run.principal.name}</span>
                  <span className={css.dim}>{text.callsOf(run.callCount)}</span>
                  <span className={css.peek}>{run.error?.message ?? run.intent ?? ''}</span>
                </>
              )}
            </List>
          );
        }}
      </Loaded>
    </Page>
  );
}
