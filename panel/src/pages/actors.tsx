/** The actors of tasks: organisations, repositories, projects, pull requests and issues, by state, and whose work is silent. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { type Reply, send } from '../server/request.js';
import { useRead, useReadMore } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Ago, Empty, Loaded, Page, Status } from '../ui/index.js';
import { List } from '../ui/list.js';
import { FilterSelect } from './filters.js';
import { lookAgainMs } from './issues.js';
import { readState, useMachineWords } from './machine.js';
import css from './pages.module.css';
import { TaskTabs } from './task-tabs.js';

const route = getRouteApi('/tasks/actors');
export type ActorRow = Reply<'GET /api/actors'>['actors'][number];
const kinds = ['issue', 'pr', 'project', 'repo', 'org'] as const satisfies readonly ActorRow['actor']['kind'][];
/** How long work has not reported anything, in milliseconds. */
const silences = { minute: 60_000, tenMinutes: 600_000, hour: 3_600_000 } as const;
const spans = Object.keys(silences) as (keyof typeof silences)[];
const pageSize = 100;

export function Actors(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const search = route.useSearch();
  const kind = kinds.find((each) => each === search.kind);
  const silent = spans.find((each) => each === search.silent);
  const { sayState } = useMachineWords();
  const machines = useRead('GET /api/actor-machines').data?.machines ?? [];
  const ofKind = machines.filter((machine) => kind === undefined || machine.kind === kind);
  const states = new Set(
    ofKind.flatMap((machine) => machine.states.flatMap(({ id, within }) => (within === undefined ? [id] : []))),
  );
  const state = search.state !== undefined && states.has(search.state) ? search.state : undefined;
  const filter = { kind, state, silent };
  const choose = (part: Partial<Record<'kind' | 'state' | 'silent', string | undefined>>) =>
    void navigate({ to: '/tasks/actors', search: { ...filter, ...part }, replace: true });
  return (
    <Page title={text.tasks.tabs.actors}>
      <TaskTabs />
      <p className={`${css.dim} ${css.measure}`}>{text.tasks.actorsHow}</p>
      <div className={css.bar}>
        <FilterSelect
          label={text.kind}
          value={kind}
          options={kinds.map((each) => [each, text.tasks.actorKinds[each]])}
          onChange={(chosen) => choose({ kind: chosen, state: undefined })}
        />
        <FilterSelect
          label={text.status}
          value={state}
          options={[...states].map((each) => [each, sayState(each)])}
          onChange={(chosen) => choose({ state: chosen })}
        />
        <FilterSelect
          label={text.tasks.silentFor}
          value={silent}
          options={spans.map((each) => [each, text.tasks.silences[each]])}
          onChange={(chosen) => choose({ silent: chosen })}
        />
      </div>
      <ActorList kind={kind} state={state} silent={silent} />
    </Page>
  );
}

interface ActorListProps {
  readonly kind: (typeof kinds)[number] | undefined;
  readonly state: string | undefined;
  readonly silent: keyof typeof silences | undefined;
}

function ActorList({ kind, state, silent }: ActorListProps) {
  const text = useText();
  const navigate = useNavigate();
  const may = useMay('audit:read');
  const actors = useInfiniteQuery({
    queryKey: ['GET /api/actors', 'pages', kind, state, silent],
    queryFn: ({ pageParam }) => {
      const silentSince = silent === undefined ? undefined : new Date(Date.now() - silences[silent]).toISOString();
      return send('GET /api/actors', { query: { kind, state, silentSince, after: pageParam, limit: pageSize } });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
    enabled: may,
  });
  const readMore = useReadMore(actors);
  const isFiltered = kind !== undefined || state !== undefined || silent !== undefined;
  return (
    <Loaded query={{ ...actors, missing: may ? undefined : 'audit:read' }}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.actors);
        if (rows.length === 0) return <Empty>{isFiltered ? text.tasks.noActorMatches : text.tasks.noActors}</Empty>;
        return (
          <List
            label={text.tasks.tabs.actors}
            rows={rows}
            keyOf={({ actor }) => `${actor.kind} ${actor.id}`}
            hrefOf={({ actor }) => `/panel/tasks/actors/${actor.kind}/${encodeURIComponent(actor.id)}`}
            onOpen={({ actor: { kind, id } }) => void navigate({ to: '/tasks/actors/$kind/$id', params: { kind, id } })}
            columns="96px 136px 160px minmax(0, 2fr) 112px minmax(0, 1fr)"
            onEnd={readMore}
          >
            {(row) => <ActorCells row={row} />}
          </List>
        );
      }}
    </Loaded>
  );
}

function ActorCells({ row: { actor, snapshot, updatedAt, version, lastHeartbeat } }: { row: ActorRow }) {
  const text = useText();
  const { sayState } = useMachineWords();
  const { showDistance } = useFormats();
  const state = readState(snapshot.value);
  return (
    <>
      <Ago at={updatedAt} />
      <span>{text.tasks.actorKinds[actor.kind]}</span>
      <Status kind={markOf(state)}>{sayState(state)}</Status>
      <code className={css.cut}>{actor.id}</code>
      <span className={css.dim}>{text.tasks.eventCount(version)}</span>
      <span className={css.dim}>
        {lastHeartbeat === undefined ? '' : text.tasks.heardOf(showDistance(lastHeartbeat))}
      </span>
    </>
  );
}

/** The mark of a state: waiting for an issue that asks a person, otherwise the mark of the outermost state. */
export function markOf(state: string): string {
  if (/\.waiting_for_/.test(state)) return 'waiting';
  return state.split('.')[0] ?? state;
}
