/** The agents of the workspace, and adding one. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { type Reply, send } from '../server/request.js';
import { useAct, useReadMore } from '../server/use-api.js';
import { useMay, useSession } from '../shell/session.js';
import { Button, Empty, Form, Loaded, MayNote, Page, ProblemBox, Slug } from '../ui/index.js';
import { List } from '../ui/list.js';
import { FilterBar } from './filters.js';
import css from './pages.module.css';

const route = getRouteApi('/agents');
const pageSize = 100;

type Row = Reply<'GET /api/agents'>['agents'][number];

export function Agents(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const { q } = route.useSearch();
  const session = useSession();
  const may = useMay('agents:read');
  const pages = useInfiniteQuery({
    // Asked again with everything else about agents.
    queryKey: ['GET /api/agents', 'pages', q],
    queryFn: ({ pageParam }) => send('GET /api/agents', { query: { limit: pageSize, search: q, after: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: session !== undefined && may,
    placeholderData: keepPreviousData,
  });
  const readMore = useReadMore(pages);
  return (
    <Page title={text.nav.agents}>
      <FilterBar value={q} onChange={(words) => void navigate({ to: '/agents', search: { q: words }, replace: true })}>
        <span className={css.count} role="status">
          {pages.data === undefined ? '' : text.agentCount(pages.data.pages[0]?.total ?? 0)}
        </span>
      </FilterBar>
      <Loaded query={{ ...pages, missing: may ? undefined : 'agents:read' }}>
        {(data) => {
          const rows = data.pages.flatMap(({ agents }) => agents);
          return rows.length === 0 ? (
            <Empty>{q === undefined ? text.noAgents : text.noMatch}</Empty>
          ) : (
            <AgentList rows={rows} onEnd={readMore} />
          );
        }}
      </Loaded>
      <AddAgent />
    </Page>
  );
}

function AgentList({ rows, onEnd }: { rows: readonly Row[]; onEnd: () => void }) {
  const text = useText();
  const { showDistance } = useFormats();
  const navigate = useNavigate();
  return (
    <List
      label={text.nav.agents}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={({ slug }) => `/panel/agents/${slug}/tools`}
      onOpen={({ slug }) => void navigate({ to: '/agents/$slug/tools', params: { slug } })}
      onEnd={onEnd}
      columns="minmax(0, 1fr) minmax(0, 1fr) 80px 196px 120px 156px"
    >
      {({
        slug,
        name,
        toolMode = 'auto',
        managedBy,
        createdAt,
        usage: { granted, offered, callsLastDay, lastSeenAt } = {},
      }) => (
        <>
          <strong className={css.cut}>{name}</strong>
          <span>
            <Slug slug={slug} />
          </span>
          <span>{text.toolModes[toolMode]}</span>
          <span>
            {granted === undefined
              ? ''
              : offered === undefined
                ? text.grantedTools(granted)
                : text.offeredTools(offered, granted)}
          </span>
          <span>{callsLastDay === undefined ? '' : text.callsToday(callsLastDay)}</span>
          <span className={css.dim}>
            {lastSeenAt !== undefined
              ? text.seen(showDistance(lastSeenAt))
              : managedBy === 'file'
                ? text.inFile
                : text.addedAt(showDistance(createdAt))}
          </span>
        </>
      )}
    </List>
  );
}

function AddAgent() {
  const text = useText();
  const navigate = useNavigate();
  const [slug, setSlug] = useState('');
  const { mutate, error, isPending } = useAct('POST /api/agents', ({ slug: added }) =>
    navigate({ to: '/agents/$slug/tools', params: { slug: added } }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ body: { slug } });
  };
  return (
    <section>
      <h2>{text.addAgent}</h2>
      <MayNote needs="agents:write" />
      <Form needs="agents:write" className={css.bar} onSubmit={submit}>
        <label>
          {text.slug}
          <input required value={slug} onChange={(event) => setSlug(event.target.value)} />
        </label>
        <Button type="submit" needs="agents:write" disabled={isPending}>
          {text.add}
        </Button>
      </Form>
      <ProblemBox error={error} />
    </section>
  );
}
