/** The issues of the workspace: as a list by state, or as a board with a column for each state. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { send } from '../server/request.js';
import { useReadMore } from '../server/use-api.js';
import { Empty, Loaded, Page } from '../ui/index.js';
import { List } from '../ui/list.js';
import { FilterSelect } from './filters.js';
import { IssueBoard } from './issue-board.js';
import { type IssueData, IssueState, issueStates } from './issue-state.js';
import css from './pages.module.css';
import { TaskTabs } from './task-tabs.js';

const route = getRouteApi('/tasks');
const pageSize = 100;
/** The states change without a row in the record, so the stream of the record does not tell. */
export const lookAgainMs = 2_000;

export function Issues(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const search = route.useSearch();
  const state = issueStates.find((each) => each === search.state);
  const isBoard = search.view === 'board';
  return (
    <Page
      title={text.nav.tasks}
      actions={
        <Link className="button primary" to="/tasks/new">
          {text.tasks.newIssue}
        </Link>
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
              onClick={() => void navigate({ to: '/tasks', search: view === 'board' ? { view } : {}, replace: true })}
            >
              {text.tasks.views[view]}
            </button>
          ))}
        </fieldset>
        {isBoard ? undefined : (
          <FilterSelect
            label={text.status}
            value={state}
            options={issueStates.map((each) => [each, text.tasks.states[each]])}
            onChange={(chosen) => void navigate({ to: '/tasks', search: { state: chosen }, replace: true })}
          />
        )}
      </div>
      {isBoard ? <IssueBoard /> : <IssueList state={state} />}
    </Page>
  );
}

function IssueList({ state }: { state: IssueData['state'] | undefined }) {
  const text = useText();
  const navigate = useNavigate();
  const issues = useInfiniteQuery({
    queryKey: ['GET /api/issues', 'pages', state],
    queryFn: ({ pageParam }) => send('GET /api/issues', { query: { state, after: pageParam, limit: pageSize } }),
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
        if (rows.length === 0) return state === undefined ? <NoIssues /> : <Empty>{text.tasks.noneInState}</Empty>;
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
  const { showDistance, showTime } = useFormats();
  return (
    <>
      <time className={css.dim} dateTime={issue.updatedAt} title={showTime(issue.updatedAt)}>
        {showDistance(issue.updatedAt)}
      </time>
      <IssueState issue={issue} />
      <strong className={css.cut}>{issue.title}</strong>
      <span className={css.cut}>{issue.agent ?? ''}</span>
      <span className={css.peek}>{sayWhy(issue)}</span>
    </>
  );
}

/** Why it is where it is, in a line. */
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
