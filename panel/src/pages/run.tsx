/** One program: what it waits for and the decision, its calls, what it printed and returned, and the program itself. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useAct, useRead } from '../server/use-api.js';
import {
  Actions,
  Button,
  Code,
  Facts,
  Failure,
  Page,
  ProblemBox,
  revealHidden,
  Status,
  Table,
  ToolName,
} from '../ui/index.js';
import { LoadedRun } from './loaded-run.js';
import css from './pages.module.css';
import { Plan, Waits } from './run-decisions.js';
import { RunState } from './run-state.js';
import { Returned, WhatItDoes } from './run-work.js';

const route = getRouteApi('/runs/$id');
type RunData = Reply<'GET /api/runs/:id'>;
const isOver = (status: RunData['status']) => !['queued', 'running', 'waiting', 'in_doubt'].includes(status);

export function Run(): ReactNode {
  const text = useText();
  const { id } = route.useParams();
  const run = useRead(
    'GET /api/runs/:id',
    { params: { id } },
    { refetchInterval: (data) => (data !== undefined && isOver(data.status) ? false : 1_000) },
  );
  return (
    <Page title={text.runTitle} back="/runs">
      <LoadedRun query={run} rows={10}>
        {(data) => <RunFacts run={data} />}
      </LoadedRun>
    </Page>
  );
}

function RunFacts({ run }: { run: RunData }) {
  const text = useText();
  const { showTime } = useFormats();
  const stop = useAct('POST /api/runs/:id/cancel');
  const { error } = run;
  return (
    <>
      <p className={css.lead}>
        <RunState run={run} />
        <span>{text.runKinds[run.mode]}</span>
        <span>{run.principal.name}</span>
      </p>
      <Facts
        rows={[
          [text.when, showTime(run.startedAt)],
          [text.ended, run.finishedAt === undefined ? undefined : showTime(run.finishedAt)],
          [
            run.issueId === undefined ? text.intent : text.tasks.issue,
            run.issueId === undefined ? (
              run.intent && revealHidden(run.intent)
            ) : (
              <Link key="issue" to="/tasks/issues/$id" params={{ id: run.issueId }}>
                {run.intent === undefined ? text.toIssue : revealHidden(run.intent)}
              </Link>
            ),
          ],
          [text.takeovers, run.takeovers === undefined ? undefined : `${run.takeovers.length}`],
        ]}
      />
      {error === undefined ? undefined : (
        <Failure
          code={error.code ?? error.name}
          message={error.message}
          hint={error.hint}
          place={error.line === undefined ? undefined : text.line(error.line)}
        />
      )}
      {run.issues === undefined || run.issues.length === 0 ? undefined : <Issues issues={run.issues} />}
      <Waits run={run} />
      <Plan run={run} />
      {isOver(run.status) ? undefined : (
        <Actions>
          <Button needs="tools:call" disabled={stop.isPending} onClick={() => stop.mutate({ params: { id: run.id } })}>
            {text.stop}
          </Button>
        </Actions>
      )}
      <ProblemBox error={stop.error} />
      {run.calls.length === 0 ? undefined : <Calls run={run} />}
      <Returned run={run} />
      {run.logs.length === 0 ? undefined : (
        <section>
          <h2>{text.printed}</h2>
          <Code label={text.printed} text={run.logs.map((line) => `${line.level}: ${line.text}`).join('\n')} />
        </section>
      )}
      <WhatItDoes run={run} />
    </>
  );
}

/** Why the program was refused before it ran. */
function Issues({ issues }: { issues: NonNullable<RunData['issues']> }) {
  const text = useText();
  return (
    <section>
      <h2>{text.issues}</h2>
      <ul className={css.rows}>
        {issues.map((issue) => (
          <li key={`${issue.line}:${issue.column} ${issue.message}`}>
            <span className={css.dim}>{text.line(issue.line)}</span>
            <span className={css.fill} lang="en">
              {issue.message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Calls({ run }: { run: RunData }) {
  const text = useText();
  const { showTime } = useFormats();
  return (
    <section>
      <h2>{text.nav.calls}</h2>
      <Table
        label={text.nav.calls}
        head={['#', text.status, text.tool, text.when, text.why]}
        rows={run.calls.map((call) => ({
          key: `${call.number}`,
          cells: [
            `${call.number}`,
            <Status key="status" kind={call.status}>
              {text.runCallStatuses[call.status]}
            </Status>,
            call.executionId === undefined ? (
              <ToolName key="tool" name={call.tool} />
            ) : (
              <Link key="tool" to="/calls/$id" params={{ id: call.executionId }}>
                <ToolName name={call.tool} />
              </Link>
            ),
            call.startedAt === undefined ? '' : showTime(call.startedAt),
            <span key="why" lang="en">
              {call.error?.message ?? (call.attempts === undefined ? '' : text.attempts(call.attempts))}
            </span>,
          ],
        }))}
      />
    </section>
  );
}
