/** The apps of the catalogue: found by words or purpose, filtered, with what the workspace has of each. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { type RequestOptions, send } from '../server/request.js';
import { useRead, useReadMore } from '../server/use-api.js';
import { Empty, Loaded, Page, revealHidden, Status } from '../ui/index.js';
import { List } from '../ui/list.js';
import { FilterBar, FilterSelect } from './filters.js';
import css from './pages.module.css';

const route = getRouteApi('/catalogue');
/** The server itself waits a while for what it still reads. */
const rereadMs = 1_000;
type MarketQuery = NonNullable<RequestOptions<'GET /api/tools/marketplace'>['query']>;

export function Catalogue(): ReactNode {
  const text = useText();
  const { showNumber, showDistance } = useFormats();
  const search = route.useSearch();
  const navigate = useNavigate();
  const stats = useRead('GET /api/tools/stats').data;
  const filter = (change: typeof search) =>
    void navigate({ to: '/catalogue', search: { ...search, ...change }, replace: true });
  const apps = useApps(search);
  const first = apps.data?.pages[0];
  const listed = (counts: Record<string, number> | undefined) =>
    Object.entries(counts ?? {}).map(([key, count]) => [key, `${key} (${showNumber(count)})`] as const);
  const readMore = useReadMore(apps);
  return (
    <Page
      title={text.nav.catalogue}
      actions={
        <Link to="/catalogue/sync" className="button">
          {text.syncTitle}
        </Link>
      }
    >
      {stats === undefined ? undefined : (
        <p className={css.dim}>
          {text.catalogueFacts(showNumber(stats.apps), showNumber(stats.actions))}
          {stats.lastSync === undefined ? '' : ` ${text.syncedAt(showDistance(stats.lastSync))}`}
        </p>
      )}
      <FilterBar
        value={search.q}
        onChange={(q) => filter({ q })}
        onClear={() => void navigate({ to: '/catalogue', search: {} })}
      >
        <FilterSelect
          label={text.category}
          value={search.category}
          options={listed(first?.counts.categories)}
          onChange={(category) => filter({ category })}
        />
        <FilterSelect
          label={text.provider}
          value={search.provider}
          options={listed(first?.counts.providers)}
          onChange={(provider) => filter({ provider })}
        />
        <FilterSelect
          label={text.status}
          value={search.status}
          options={listed(first?.counts.statuses)}
          onChange={(status) => filter({ status })}
        />
        <span className={css.count} role="status">
          {first === undefined ? '' : text.appCount(first.total)}
          {first?.matched === 'purpose' ? ` ${text.byPurpose}` : ''}
        </span>
      </FilterBar>
      <Loaded query={apps}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.apps);
          if (rows.length === 0)
            return (
              <Empty>
                {stats?.apps === 0 ? text.noApps : text.noAppMatches} <Link to="/catalogue/sync">{text.syncTitle}</Link>
              </Empty>
            );
          return (
            <List
              label={text.nav.catalogue}
              rows={rows}
              keyOf={({ slug }) => slug}
              hrefOf={({ slug }) => `/panel/catalogue/apps/${slug}`}
              onOpen={({ slug }) => void navigate({ to: '/catalogue/apps/$app', params: { app: slug } })}
              columns="minmax(0, 2fr) 112px 136px minmax(0, 4fr)"
              onEnd={readMore}
            >
              {({ name, status, actionCount, description }) => (
                <>
                  <strong>{revealHidden(name)}</strong>
                  <Status kind={status}>{text.appStatuses[status]}</Status>
                  <span className={css.dim}>{actionCount === undefined ? '' : text.toolsOf(actionCount)}</span>
                  <span className={css.peek}>{revealHidden(description)}</span>
                </>
              )}
            </List>
          );
        }}
      </Loaded>
    </Page>
  );
}

type Search = ReturnType<typeof route.useSearch>;

function useApps({ q, category, provider, status, sort }: Search) {
  const query: MarketQuery = {
    search: q,
    category,
    provider: provider as MarketQuery['provider'],
    status: status as MarketQuery['status'],
    sort: sort as MarketQuery['sort'],
    limit: 100,
  };
  return useInfiniteQuery({
    queryKey: ['apps', query],
    queryFn: ({ pageParam }) => send('GET /api/tools/marketplace', { query: { ...query, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.some(({ isIncomplete }) => isIncomplete) ? rereadMs : false),
  });
}
