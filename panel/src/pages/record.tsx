/** The record: everything that happened, newest first, in a chain that can be verified. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { type RequestOptions, send, writeAddress } from '../server/request.js';
import { useMay } from '../shell/session.js';
import { Empty, Json, Loaded, MayNote, Page } from '../ui/index.js';
import { FilterBar, FilterChips, FilterSelect } from './filters.js';
import css from './pages.module.css';
import { RecordCheck } from './record-check.js';

const route = getRouteApi('/record');
type AuditQuery = NonNullable<RequestOptions<'GET /api/audit'>['query']>;
const pageSize = 100;
const topics = [
  'execution',
  'run',
  'approval',
  'grants',
  'policies',
  'connection',
  'agent',
  'user',
  'credential',
] as const;

export function RecordPage(): ReactNode {
  const text = useText();
  const search = route.useSearch();
  const navigate = useNavigate();
  const mayRead = useMay('audit:read');
  const filter = (change: typeof search) =>
    void navigate({ to: '/record', search: { ...search, ...change }, replace: true });
  if (!mayRead)
    return (
      <Page title={text.nav.record}>
        <MayNote needs="audit:read" />
      </Page>
    );
  return (
    <Page
      title={text.nav.record}
      actions={
        <a className="button" href={writeAddress('GET /api/audit/export', { query: filterOf(search) })} download>
          {Object.values(search).some((each) => each !== undefined) ? text.exportFiltered : text.exportAll}
        </a>
      }
    >
      <RecordCheck />
      <FilterBar
        value={search.q}
        onChange={(q) => filter({ q })}
        onClear={() => void navigate({ to: '/record', search: {} })}
      >
        <FilterSelect
          label={text.kind}
          value={search.type}
          options={topics.map((topic) => [topic, text.topics[topic]])}
          onChange={(type) => filter({ type })}
        />
      </FilterBar>
      <FilterChips chips={[[text.tool, search.tool, () => filter({ tool: undefined })]]} />
      <Events search={search} />
    </Page>
  );
}

/** Every event of a topic, such as all that begin with `execution.`. */
const topicTypes: Record<(typeof topics)[number], string> = {
  execution: 'execution.started,execution.finished,execution.refused,execution.interrupted,execution.stop_requested',
  run: 'run.started,run.refused,run.waiting,run.resumed,run.decided,run.finished',
  approval: 'approval.requested,approval.decided,approval.withdrawn',
  grants: 'grants.replaced',
  policies: 'policies.replaced,toolkit.changed,definition.pinned,definition.decided',
  connection:
    'connection.added,connection.changed,connection.started,connection.connected,connection.failed,connection.disconnected,connection.removed',
  agent: 'agent.created,agent.changed,agent.removed',
  user: 'user.created,user.changed,user.removed',
  credential:
    'credential.created,credential.used,credential.revoked,authorization.granted,authorization.refused,authorization.ended',
};

/** What the list shows and the export has. */
function filterOf({ q, tool, type }: ReturnType<typeof route.useSearch>): AuditQuery {
  return { text: q, tool, types: topicTypes[type as keyof typeof topicTypes] as AuditQuery['types'] };
}

function Events({ search }: { search: ReturnType<typeof route.useSearch> }) {
  const text = useText();
  const { showTime } = useFormats();
  const query = useMemo<AuditQuery>(() => ({ ...filterOf(search), limit: pageSize }), [search]);
  const events = useInfiniteQuery({
    queryKey: ['record', query],
    queryFn: ({ pageParam }) => send('GET /api/audit', { query: { ...query, before: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.events.length < pageSize ? undefined : last.events.at(-1)?.seq),
  });
  return (
    <Loaded query={events}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.events);
        if (rows.length === 0) return <Empty>{text.noEvents}</Empty>;
        return (
          <>
            <ul className={css.rows}>
              {rows.map(({ seq, at, type, actor, tool, executionId, body }) => (
                <li key={seq}>
                  <details className={css.fill}>
                    <summary className={css.event}>
                      <span className={css.dim}>{seq}</span>
                      <time className={css.dim} dateTime={at}>
                        {showTime(at)}
                      </time>
                      <strong title={type}>{text.events[type]}</strong>
                      <span>{actor.name}</span>
                      <code>{tool}</code>
                    </summary>
                    <Json label={`${type} ${seq}`} value={body} />
                    {executionId === undefined ? undefined : (
                      <Link to="/calls/$id" params={{ id: executionId }}>
                        {text.toCall}
                      </Link>
                    )}
                  </details>
                </li>
              ))}
            </ul>
            {events.hasNextPage ? (
              <button type="button" disabled={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
                {text.more}
              </button>
            ) : undefined}
          </>
        );
      }}
    </Loaded>
  );
}
