/**
 * The issues of the workspace as a list, as a board with a column for each state, or as the board of a project. The filter is in the
 * address, so that a link shows the same issues.
 */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useReadMore } from '../server/use-api.js';
import { Ago, Empty, Loaded, MayLink, Page } from '../ui/index.js';
import { List } from '../ui/list.js';
import { type IssueFilter, isFiltered, readIssueFilter } from './issue-filter.js';
import { IssueFilters } from './issue-filters.js';
import { type IssueData, IssueState } from './issue-state.js';
import css from './pages.module.css';
import { TaskTabs } from './task-tabs.js';

const route = getRouteApi('/tasks');
const pageSize = 100;
const IssueBoard = lazy(async () => ({ default: (await import('./issue-board.js')).IssueBoard }));
const ProjectBoard = lazy(async () => ({ default: (await import('./project-board.js')).ProjectBoard }));
/** States change without a row in the record, so the stream of the record does not report them. */
export const lookAgainMs = 2_000;

export function Issues(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const { view: chosen, ...filter } = route.useSearch();
  const isBoard = chosen === 'board';
  const show = (change: IssueFilter & { readonly view?: string | undefined }) =>
    void navigate({ to: '/tasks', search: { view: chosen, ...filter, ...change }, replace: true });
  return (
    <Page
      title={text.nav.tasks}
      actions={
        <MayLink needs="tools:call">
          <Link className="button primary" to="/tasks/new">
            {text.tasks.newIssue}
          </Link>
        </MayLink>
      }
    >
      <TaskTabs />
      <div className={css.bar}>
        <fieldset className={css.toggles}>
          <legend className={css.hidden}>{text.tasks.view}</legend>
          {(['list', 'board'] as const).map((view) => (
            <button
              key={view}
              type="button"
              aria-pressed={isBoard === (view === 'board')}
              onClick={() => show({ view: view === 'board' ? view : undefined })}
            >
              {text.tasks.views[view]}
            </button>
          ))}
        </fieldset>
      </div>
      <IssueFilters
        filter={filter}
        isBoard={isBoard}
        onChange={show}
        onClear={() => void navigate({ to: '/tasks', search: { view: chosen }, replace: true })}
      />
      {isBoard ? <Board filter={filter} /> : <IssueList filter={filter} />}
    </Page>
  );
}

function Board({ filter }: { filter: IssueFilter }) {
  return (
    <Suspense>
      {filter.project === undefined ? (
        <IssueBoard filter={filter} />
      ) : (
        <ProjectBoard id={filter.project} filter={filter} />
      )}
    </Suspense>
  );
}

function IssueList({ filter }: { filter: IssueFilter }) {
  const text = useText();
  const navigate = useNavigate();
  const query = readIssueFilter(filter);
  const issues = useInfiniteQuery({
    queryKey: ['GET /api/issues', 'pages', query],
    queryFn: ({ pageParam }) => send('GET /api/issues', { query: { ...query, after: pageParam, limit: pageSize } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
  });
  const readMore = useReadMore(issues);
  return (
    <Loaded query={issues}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.issues);
        if (rows.length === 0) return isFiltered(filter) ? <NoneFits /> : <NoIssues />;
        return (
          <List
            label={text.tasks.tabs.issues}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/panel/tasks/issues/${encodeURIComponent(id)}`}
            onOpen={({ id }) => void navigate({ to: '/tasks/issues/$id', params: { id } })}
            columns="96px 176px minmax(0, 2fr) minmax(0, 1fr) minmax(0, 2fr)"
            onEnd={readMore}
          >
            {(issue) => <IssueRow issue={issue} />}
          </List>
        );
      }}
    </Loaded>
  );
}

function IssueRow({ issue }: { issue: IssueData }) {
  return (
    <>
      <Ago at={issue.updatedAt} />
      <IssueState issue={issue} />
      <strong className={css.cut}>{issue.title}</strong>
      <span className={css.cut}>{issue.agent ?? ''}</span>
      <span className={css.peek}>{sayWhy(issue)}</span>
    </>
  );
}

/** The reason for its state, in one line. */
export function sayWhy({ state, blockedBy, lastError, phase }: IssueData): string {
  if (state === 'blocked') return blockedBy.map(({ message }) => message).join('; ');
  if (state === 'failed' || phase === 'backing_off') return lastError?.message ?? '';
  return '';
}

/** What issues are, where the first one will be. */
export function NoIssues() {
  const text = useText();
  return (
    <Empty>
      <p>{text.tasks.noIssues}</p>
      <p>{text.tasks.how}</p>
    </Empty>
  );
}

/** There are issues, or were, but none matches the filter. */
export function NoneFits() {
  const text = useText();
  return <Empty>{text.tasks.noneFits}</Empty>;
}
