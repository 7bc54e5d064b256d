/** One issue: what blocks it and the remedy, what was asked for, its attempts, how they were checked, and what happened. */
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { useFollow } from '../server/use-follow.js';
import { useMay } from '../shell/session.js';
import { Facts, Json, Loaded, Page, revealHidden } from '../ui/index.js';
import { IssueActions } from './issue-actions.js';
import { WhatBlocks } from './issue-blocks.js';
import { type IssueData, IssueState } from './issue-state.js';
import { IssueTimeline } from './issue-timeline.js';
import { Attempts, Verification } from './issue-work.js';
import { Machine, useMachine } from './machine.js';
import css from './pages.module.css';

const route = getRouteApi('/tasks/issues/$id');

export function Issue(): ReactNode {
  const text = useText();
  const { id } = route.useParams();
  const issue = useRead('GET /api/issues/:id', { params: { id } });
  useFollow(`/api/issues/${encodeURIComponent(id)}/events`, 'issue', [
    'GET /api/issues/:id',
    'GET /api/issues/:id/timeline',
    'GET /api/runs/:id',
  ]);
  return (
    <Page title={issue.data === undefined ? text.tasks.issue : revealHidden(issue.data.title)} back="/tasks">
      <Loaded query={issue} rows={10}>
        {(data) => <IssueParts key={id} issue={data} />}
      </Loaded>
    </Page>
  );
}

function IssueParts({ issue }: { issue: IssueData }) {
  const text = useText();
  const machine = useMachine('issue');
  const timeline = useRead('GET /api/issues/:id/timeline', { params: { id: issue.id } });
  const state = issue.phase === undefined ? issue.state : `${issue.state}.${issue.phase}`;
  return (
    <>
      <p className={css.lead}>
        <IssueState issue={issue} />
        {issue.agent === undefined ? undefined : (
          <span>
            {issue.agent} {issue.onBehalfOf === undefined ? '' : text.onBehalf(issue.onBehalfOf.name)}
          </span>
        )}
      </p>
      <WhatBlocks issue={issue} />
      {machine === undefined ? undefined : <IssueActions issue={issue} machine={machine} state={state} />}
      <div className={css.split}>
        <div>
          {issue.body === undefined ? undefined : (
            <section>
              <h2>{text.tasks.body}</h2>
              <p className={css.written}>{revealHidden(issue.body)}</p>
            </section>
          )}
          {issue.delivered === undefined ? undefined : (
            <section>
              <h2>{text.tasks.delivered}</h2>
              <Delivered delivered={issue.delivered} />
            </section>
          )}
          <Verification issue={issue} />
          <Loaded query={timeline} rows={4}>
            {({ entries }) => (
              <>
                <Attempts issue={issue} entries={entries} />
                <IssueTimeline issue={issue} entries={entries} />
              </>
            )}
          </Loaded>
        </div>
        <div>
          <IssueFacts issue={issue} />
          {machine === undefined ? undefined : <Machine machine={machine} state={state} />}
        </div>
      </div>
    </>
  );
}

/** The text of an agent as text; anything else as JSON. */
function Delivered({ delivered }: { delivered: unknown }) {
  const text = useText();
  const { output, ...others } = (delivered ?? {}) as { readonly output?: { readonly text?: unknown } };
  const { text: written, ...more } = output ?? {};
  const isText = typeof written === 'string' && Object.keys({ ...others, ...more }).length === 0;
  return isText ? (
    <p className={css.written}>{revealHidden(written)}</p>
  ) : (
    <Json label={text.tasks.delivered} value={delivered} />
  );
}

function IssueFacts({ issue }: { issue: IssueData }) {
  const text = useText();
  const { showTime, showNumber, showDistance } = useFormats();
  const { usage, lastHeartbeat, agent } = issue;
  const mayInspect = useMay('audit:read');
  const work = text.tasks.used(showNumber(usage.steps), showNumber(usage.tokens));
  // The cost is unknown if the model has no price.
  const used = usage.cents === 0 ? work : text.tasks.usedMoney(work, showNumber(usage.cents));
  return (
    <section>
      <h2>{text.tasks.facts}</h2>
      <Facts
        rows={[
          [text.tasks.filedBy, issue.createdBy.name],
          [text.tasks.filedAt, showTime(issue.createdAt)],
          [
            text.agent,
            agent === undefined ? undefined : (
              <Link key="agent" to="/agents/$slug/tools" params={{ slug: agent }}>
                {agent}
              </Link>
            ),
          ],
          [text.tasks.worksFor, issue.onBehalfOf?.name],
          [text.tasks.org, issue.org],
          [text.tasks.repoName, issue.repo],
          [text.tasks.project, issue.project],
          [text.tasks.recipe, issue.recipe],
          [text.tasks.labels, issue.labels.join(', ')],
          [text.tasks.attempts, issue.attempts === 0 ? undefined : showNumber(issue.attempts)],
          [text.tasks.usage, usage.steps === 0 ? undefined : used],
          [text.tasks.heartbeat, lastHeartbeat === undefined ? undefined : showDistance(lastHeartbeat)],
        ]}
      />
      <p>
        <Link to="/tasks/tools" search={{ level: 'issue', id: issue.id }}>
          {text.tasks.itsTools}
        </Link>
      </p>
      {mayInspect ? (
        <p>
          <Link to="/tasks/actors/$kind/$id" params={{ kind: 'issue', id: issue.id }}>
            {text.tasks.toActor}
          </Link>
        </p>
      ) : undefined}
    </section>
  );
}
