/** The board of a project: its columns with the cards of its issues. The machine of the project moves them, and so does a person. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Loaded, Note, ProblemBox } from '../ui/index.js';
import { type IssueFilter, isFiltered, readIssueFilter } from './issue-filter.js';
import { type IssueData, IssueState } from './issue-state.js';
import { lookAgainMs, sayWhy } from './issues.js';
import css from './tasks.module.css';

type Project = Reply<'GET /api/projects/:id'>;

/** What is read about the issues besides their titles. */
const detailed = 200;

export function ProjectBoard({ id, filter }: { id: string; filter: IssueFilter }) {
  const { state: _, ...fields } = filter;
  const query = { ...readIssueFilter(fields), limit: detailed };
  const project = useRead('GET /api/projects/:id', { params: { id } }, { refetchInterval: lookAgainMs });
  const found = useRead('GET /api/issues', { query }, { refetchInterval: lookAgainMs });
  const issues = new Map(found.data?.issues.map((issue) => [issue.id, issue]));
  const { project: __, ...others } = fields;
  return (
    <Loaded query={project}>
      {(data) => <Columns project={data} issues={issues} isFiltered={isFiltered(others)} />}
    </Loaded>
  );
}

interface ColumnsProps {
  readonly project: Project;
  /** By id; of a large board, the newest. */
  readonly issues: ReadonlyMap<string, IssueData>;
  /** Only the cards of these issues are shown. */
  readonly isFiltered: boolean;
}

function Columns({ project, issues, isFiltered: isNarrowed }: ColumnsProps) {
  const text = useText();
  const move = useAct('POST /api/projects/:id/cards');
  const names = project.columns.map(({ name }) => name);
  const { id, maxRunning, running, closed } = project;
  const room = maxRunning === undefined ? [] : [text.tasks.roomUsed(running.length, maxRunning)];
  const left = closed === 0 ? [] : [text.tasks.leftBoard(closed)];
  return (
    <>
      {room.length + left.length === 0 ? undefined : <Note>{[...room, ...left].join(' · ')}</Note>}
      <ProblemBox error={move.error} />
      <div className={css.board}>
        {project.columns.map((column) => {
          const shown = isNarrowed ? column.issues.filter((one) => issues.has(one)) : column.issues;
          return (
            <section key={column.name} className={css.column} aria-label={column.name}>
              <h2>
                {column.name}
                <span className={css.number}>{shown.length}</span>
              </h2>
              {shown.length === 0 ? undefined : (
                <ul>
                  {shown.map((one) => (
                    <Card
                      key={one}
                      id={one}
                      title={project.titles?.[one] ?? one}
                      issue={issues.get(one)}
                      column={column.name}
                      columns={names}
                      onMove={(to) => move.mutate({ params: { id }, body: { issue: one, column: to } })}
                    />
                  ))}
                </ul>
              )}
            </section>
          );
        })}
      </div>
    </>
  );
}

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly issue: IssueData | undefined;
  readonly column: string;
  readonly columns: readonly string[];
  readonly onMove: (column: string) => void;
}

function Card({ id, title, issue, column, columns, onMove }: CardProps) {
  const mayMove = useMay('tools:call');
  return (
    <li>
      <Link to="/tasks/issues/$id" params={{ id }}>
        {title}
      </Link>
      {issue === undefined ? undefined : (
        <>
          <IssueState issue={issue} />
          {issue.agent === undefined ? undefined : <span>{issue.agent}</span>}
          <span className={css.why}>{sayWhy(issue)}</span>
        </>
      )}
      {mayMove ? <Move title={title} column={column} columns={columns} onMove={onMove} /> : undefined}
    </li>
  );
}

/**
 * A choice has no effect until it is confirmed; otherwise the card would move away at once and take the focus with it.
 */
function Move({ title, column, columns, onMove }: Omit<CardProps, 'id' | 'issue'>) {
  const text = useText();
  const [chosen, setChosen] = useState(column);
  return (
    <form
      className={css.move}
      onSubmit={(event) => {
        event.preventDefault();
        onMove(chosen);
      }}
    >
      <select
        aria-label={text.tasks.columnOf(title)}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      >
        {columns.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {chosen === column ? undefined : (
        <button type="submit" aria-label={text.tasks.moveCard(title)}>
          {text.tasks.move}
        </button>
      )}
    </form>
  );
}
