/** The tools of an app in few words. The whole definition of one is asked for when the person opens it. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { useSession } from '../shell/session.js';
import { Actions, Code, Dialog, Empty, Json, Loaded, revealHidden, Table } from '../ui/index.js';
import { FilterBar } from './filters.js';
import css from './pages.module.css';

const pageSize = 100;

export function AppTools({ app }: { app: string }): ReactNode {
  const text = useText();
  const session = useSession();
  const [words, setWords] = useState<string | undefined>();
  const [opened, setOpened] = useState<string | undefined>();
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
  return (
    <>
      <FilterBar value={words} onChange={setWords}>
        <span className={css.count} role="status">
          {pages.data === undefined ? '' : text.toolsOf(pages.data.pages[0]?.total ?? 0)}
        </span>
      </FilterBar>
      <Loaded query={pages} rows={10}>
        {(data) => {
          const tools = data.pages.flatMap((page) => page.tools);
          if (tools.length === 0) return <Empty>{words === undefined ? text.noTools : text.noMatch}</Empty>;
          return (
            <Table
              label={text.tools}
              head={[text.tool, text.risk, text.toolEffect, text.what]}
              rows={tools.map(({ name, risk, effect, summary }) => ({
                key: name,
                cells: [
                  <button key="name" type="button" className="plain" onClick={() => setOpened(name)}>
                    <code>{revealHidden(name)}</code>
                  </button>,
                  text.risks[risk],
                  text.toolEffects[effect],
                  <span key="what" lang="en">
                    {revealHidden(summary)}
                  </span>,
                ],
              }))}
            />
          );
        }}
      </Loaded>
      {pages.hasNextPage ? (
        <Actions>
          <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {text.more}
          </button>
        </Actions>
      ) : undefined}
      {opened === undefined ? undefined : <Definition app={app} tool={opened} onClose={() => setOpened(undefined)} />}
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
