/** The issues as a board: a column for each state. A column shows its newest issues. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Loaded, Status } from '../ui/index.js';
import { type IssueFilter, isFiltered, readIssueFilter } from './issue-filter.js';
import { IssueState, issueStates } from './issue-state.js';
import { lookAgainMs, NoIssues, NoneFits, sayWhy } from './issues.js';
import css from './tasks.module.css';

type State = (typeof issueStates)[number];
const columnSize = 20;

export function IssueBoard({ filter: { state: _, ...filter } }: { filter: IssueFilter }) {
  const query = { ...readIssueFilter(filter), limit: 1 };
  const newest = useRead('GET /api/issues', { query }, { refetchInterval: lookAgainMs });
  return (
    <Loaded query={newest}>
      {({ issues }) => {
        if (issues.length === 0) return isFiltered(filter) ? <NoneFits /> : <NoIssues />;
        return (
          <div className={css.board}>
            {issueStates.map((state) => (
              <Column key={state} state={state} filter={filter} />
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

function Column({ state, filter }: { state: State; filter: IssueFilter }) {
  const text = useText();
  const { data } = useRead(
    'GET /api/issues',
    { query: { ...readIssueFilter(filter), state, limit: columnSize } },
    { refetchInterval: lookAgainMs },
  );
  const { issues = [], next }: Partial<Reply<'GET /api/issues'>> = data ?? {};
  return (
    <section className={css.column}>
      <h2>
        <Status kind={state}>{text.tasks.states[state]}</Status>
        <span className={css.number}>{next === undefined ? issues.length : `${issues.length}+`}</span>
      </h2>
      {issues.length === 0 ? undefined : (
        <ul>
          {issues.map((issue) => (
            <li key={issue.id}>
              <Link to="/tasks/issues/$id" params={{ id: issue.id }}>
                {issue.title}
              </Link>
              {issue.phase === undefined || issue.phase === 'working' ? undefined : <IssueState issue={issue} />}
              {issue.agent === undefined ? undefined : <span>{issue.agent}</span>}
              <span className={css.why}>{sayWhy(issue)}</span>
            </li>
          ))}
        </ul>
      )}
      {next === undefined ? undefined : (
        <Link to="/tasks" search={{ ...filter, state }}>
          {text.tasks.moreInState}
        </Link>
      )}
    </section>
  );
}
