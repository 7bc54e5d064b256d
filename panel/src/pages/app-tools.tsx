/** The tools of an app in few words. The whole definition of one is asked for when the person opens it. What is open is in the address. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useRead, useReadMore } from '../server/use-api.js';
import { useSession } from '../shell/session.js';
import { Actions, Code, Dialog, Empty, Json, Loaded, revealHidden } from '../ui/index.js';
import { List } from '../ui/list.js';
import { FilterBar } from './filters.js';
import css from './pages.module.css';

const route = getRouteApi('/catalogue/apps/$app');
const pageSize = 100;

export function AppTools({ app }: { app: string }): ReactNode {
  const text = useText();
  const session = useSession();
  const navigate = useNavigate();
  const search = route.useSearch();
  const { q: words, tool: opened } = search;
  const show = (change: typeof search) =>
    void navigate({ to: '/catalogue/apps/$app', params: { app }, search: { ...search, ...change }, replace: true });
  const pages = useInfiniteQuery({
    queryKey: ['GET /api/tools/:toolkit/summaries', app, words],
    queryFn: ({ pageParam }) =>
      send('GET /api/tools/:toolkit/summaries', {
        params: { toolkit: app },
        query: { search: words, limit: pageSize, after: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: session !== undefined,
    placeholderData: keepPreviousData,
  });
  const readMore = useReadMore(pages);
  return (
    <>
      <FilterBar value={words} onChange={(q) => show({ q })}>
        <span className={css.count} role="status">
          {pages.data === undefined ? '' : text.toolsOf(pages.data.pages[0]?.total ?? 0)}
        </span>
      </FilterBar>
      <Loaded query={pages} rows={10}>
        {(data) => {
          const tools = data.pages.flatMap((page) => page.tools);
          if (tools.length === 0) return <Empty>{words === undefined ? text.noTools : text.noMatch}</Empty>;
          return (
            <List
              label={text.tools}
              rows={tools}
              keyOf={({ name }) => name}
              hrefOf={({ name }) => `/panel/catalogue/apps/${encodeURIComponent(app)}?tool=${encodeURIComponent(name)}`}
              onOpen={({ name }) => show({ tool: name })}
              onEnd={readMore}
              columns="minmax(0, 3fr) 96px 144px minmax(0, 5fr)"
            >
              {({ name, risk, effect, summary }) => (
                <>
                  <code className={css.cut}>{revealHidden(name)}</code>
                  <span>{text.risks[risk]}</span>
                  <span className={css.dim}>{text.toolEffects[effect]}</span>
                  <span className={css.peek} lang="en">
                    {revealHidden(summary)}
                  </span>
                </>
              )}
            </List>
          );
        }}
      </Loaded>
      {opened === undefined ? undefined : (
        <Definition app={app} tool={opened} onClose={() => show({ tool: undefined })} />
      )}
    </>
  );
}

function Definition({ app, tool, onClose }: { app: string; tool: string; onClose: () => void }) {
  const text = useText();
  const params = { toolkit: app, tool };
  const definition = useRead('GET /api/tools/:toolkit/actions/:tool', { params });
  return (
    <Dialog title={revealHidden(tool)} isOpen onClose={onClose}>
      <Loaded query={definition} rows={6}>
        {({ tool: { description, inputSchema, outputSchema } }) => (
          <>
            <Code label={text.what} text={description} />
            <h3>{text.args}</h3>
            <Json label={text.args} value={inputSchema} />
            {outputSchema === undefined ? undefined : (
              <>
                <h3>{text.result}</h3>
                <Json label={text.result} value={outputSchema} />
              </>
            )}
          </>
        )}
      </Loaded>
      <Actions>
        <button type="button" onClick={onClose}>
          {text.close}
        </button>
      </Actions>
    </Dialog>
  );
}
