/** What an issue waits for, each with its remedy next to it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { Actions, Button, Failure, MayLink, Note, ProblemBox } from '../ui/index.js';
import { useAppTitle } from './app-title.js';
import { AskedChecks, readAsks } from './issue-checks-asked.js';
import type { IssueData } from './issue-state.js';
import { LoadedRun } from './loaded-run.js';
import css from './pages.module.css';
import { Waits } from './run-decisions.js';

type Blocker = IssueData['blockedBy'][number];

export function WhatBlocks({ issue }: { issue: IssueData }): ReactNode {
  const text = useText();
  const { state, phase, lastError, checks } = issue;
  if (state === 'idle') return <Note>{text.tasks.nobodyHasIt}</Note>;
  if (state === 'blocked') return <Blockers issue={issue} />;
  if (state === 'failed') return <Failed issue={issue} />;
  if (phase === 'waiting_for_approval' || phase === 'waiting_for_answer') return <Decision issue={issue} />;
  if (phase === 'backing_off' && lastError !== undefined)
    return (
      <>
        <Failure code={lastError.code} message={lastError.message} hint={undefined} />
        <p>{text.tasks.triesAgain}</p>
      </>
    );
  const asks = readAsks(issue);
  if (asks.length > 0) return <AskedChecks issue={issue} asks={asks} />;
  if (state === 'verifying' && checks.some(({ kind }) => kind === 'pull_request'))
    return <Note>{text.tasks.waitsForPullRequest}</Note>;
  return undefined;
}

function Blockers({ issue }: { issue: IssueData }) {
  const text = useText();
  return (
    <section>
      <h2>{text.tasks.blockedBy}</h2>
      <ul className={css.rows}>
        {issue.blockedBy.map((blocker) => (
          <li key={`${blocker.app} ${blocker.message}`}>
            <span className={css.fill} lang="en">
              {blocker.message}
            </span>
            <span className={css.end}>
              <Remedy blocker={blocker} issue={issue} />
            </span>
          </li>
        ))}
      </ul>
      <p className={css.dim}>{text.tasks.looksAgain}</p>
    </section>
  );
}

/** The page on which a person can solve it. If only another agent would help, the form for that is below. */
function Remedy({ blocker: { reason, app, connectUrl }, issue }: { blocker: Blocker; issue: IssueData }) {
  const text = useText();
  const toolkit = connectUrl === undefined ? app : decodeURIComponent(connectUrl.split('/').at(-1) ?? '');
  const title = useAppTitle(toolkit ?? '');
  if ((reason === 'account' || connectUrl !== undefined) && toolkit !== undefined)
    return (
      <MayLink needs="connections:write">
        <Link className="button primary" to="/connections/connect/$toolkit" params={{ toolkit }}>
          {text.connectTo(title)}
        </Link>
      </MayLink>
    );
  if (reason === 'excluded')
    return (
      <MayLink needs="grants:write">
        <Link className="button primary" to="/tasks/tools" search={{ level: 'issue', id: issue.id }}>
          {text.tasks.itsTools}
        </Link>
      </MayLink>
    );
  if (reason === 'grant' && issue.agent !== undefined)
    return (
      <MayLink needs="grants:write">
        <Link className="button primary" to="/agents/$slug/tools" params={{ slug: issue.agent }}>
          {text.tasks.giveTools(issue.agent)}
        </Link>
      </MayLink>
    );
  const { org } = issue;
  if (reason === 'limit' && org !== undefined)
    return (
      <Link className="button" to="/tasks/actors/$kind/$id" params={{ kind: 'org', id: org }}>
        {text.tasks.seeLimits}
      </Link>
    );
  if (reason === 'model')
    return (
      <Link className="button" to="/settings">
        {text.tasks.seeSettings}
      </Link>
    );
  return undefined;
}

/** An approval or a question of the agent: decided here, as on the page of its run. */
function Decision({ issue }: { issue: IssueData }) {
  const text = useText();
  const run = useRead('GET /api/runs/:id', { params: { id: issue.run ?? '' } }, { enabled: issue.run !== undefined });
  return (
    <LoadedRun query={run} rows={2}>
      {(data) => {
        const approval = data.waits.find((wait) => wait.for === 'approval');
        return (
          <>
            <Waits run={data} />
            {approval === undefined ? undefined : (
              <Actions>
                <Link className="button primary" to="/approvals/$id" params={{ id: approval.approvalId }}>
                  {text.tasks.decide}
                </Link>
              </Actions>
            )}
          </>
        );
      }}
    </LoadedRun>
  );
}

function Failed({ issue }: { issue: IssueData }) {
  const text = useText();
  const retry = useAct('POST /api/issues/:id/retry');
  return (
    <>
      {issue.lastError === undefined ? undefined : (
        <Failure code={issue.lastError.code} message={issue.lastError.message} hint={undefined} />
      )}
      <Actions>
        <Button
          className="primary"
          needs="agents:act"
          disabled={retry.isPending}
          onClick={() => retry.mutate({ params: { id: issue.id } })}
        >
          {text.tasks.retry}
        </Button>
      </Actions>
      <ProblemBox error={retry.error} />
    </>
  );
}
