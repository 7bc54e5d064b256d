/** The issues as a board: a column for each state. A column shows its newest issues. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { Loaded, Status } from '../ui/index.js';
import { IssueState, issueStates } from './issue-state.js';
import { lookAgainMs, NoIssues, sayWhy } from './issues.js';
import css from './tasks.module.css';

type State = (typeof issueStates)[number];
const columnSize = 20;

export function IssueBoard() {
  const newest = useRead('GET /api/issues', { query: { limit: 1 } }, { refetchInterval: lookAgainMs });
  return (
    <Loaded query={newest}>
      {({ issues }) =>
        issues.length === 0 ? (
          <NoIssues />
        ) : (
          <div className={css.board}>
            {issueStates.map((state) => (
              <Column key={state} state={state} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function Column({ state }: { state: State }) {
  const text = useText();
  const { data } = useRead(
    'GET /api/issues',
    { query: { state, limit: columnSize } },
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
        <Link to="/tasks" search={{ state }}>
          {text.tasks.moreInState}
        </Link>
      )}
    </section>
  );
}
