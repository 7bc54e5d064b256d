/** What waits for a person besides approvals: questions of programs and agents, plans, effects in doubt, and work to be judged. */
import { Link } from '@tanstack/react-router';
import { useFormats, useText } from '../messages/index.js';
import type { Reply } from '../server/request.js';
import { useRead } from '../server/use-api.js';
import { revealHidden, Status, ToolName } from '../ui/index.js';
import { readAsks } from './issue-checks-asked.js';
import css from './pages.module.css';

type ListedRun = Reply<'GET /api/runs'>['runs'][number];
type ListedIssue = Reply<'GET /api/issues'>['issues'][number];

export interface OtherWaits {
  readonly plans: readonly ListedRun[];
  readonly runs: readonly ListedRun[];
  readonly issues: readonly ListedIssue[];
}

const lookAgainMs = 5_000;
const limit = 50;

/** Runs that wait for an approval are not among them: the approval is. */
export function useOtherWaits(): OtherWaits {
  const again = { refetchInterval: lookAgainMs };
  const waiting = useRead('GET /api/runs', { query: { status: 'waiting', limit } }, again);
  const doubtful = useRead('GET /api/runs', { query: { status: 'in_doubt', limit } }, again);
  const plans = useRead('GET /api/runs', { query: { plan: 'pending', limit } }, again);
  const verified = useRead('GET /api/issues', { query: { state: 'verifying', limit } }, again);
  const runs = [...(doubtful.data?.runs ?? []), ...(waiting.data?.runs ?? [])];
  return {
    plans: plans.data?.runs ?? [],
    runs: runs.filter(({ waits }) => findAsked(waits) !== undefined),
    issues: (verified.data?.issues ?? []).filter((issue) => readAsks(issue).length > 0),
  };
}

export function OtherWaitRows({ plans, runs, issues }: OtherWaits) {
  const text = useText();
  const { showDistance } = useFormats();
  return (
    <ul className={css.rows}>
      {plans.map(({ id, principal, intent = '', planned }) => (
        <li key={id}>
          <Status kind="waiting">{text.approvalStatuses.pending}</Status>
          <Link to="/runs/$id" params={{ id }}>
            {text.planOf(planned?.effects.length ?? 0)}
          </Link>
          <span>{principal.name}</span>
          <span className={css.peek}>{revealHidden(intent)}</span>
          {planned === undefined ? undefined : (
            <span className={css.dim}>{text.expires(showDistance(planned.expiresAt))}</span>
          )}
        </li>
      ))}
      {runs.map((run) => (
        <li key={run.id}>
          <Status kind={run.status}>{text.runStatuses[run.status]}</Status>
          <Link to="/runs/$id" params={{ id: run.id }}>
            <WhatRunAsks waits={run.waits} />
          </Link>
          <span>{run.principal.name}</span>
          <span className={css.peek}>{revealHidden(run.intent ?? '')}</span>
        </li>
      ))}
      {issues.map((issue) => (
        <li key={issue.id}>
          <Status kind="waiting">{text.tasks.states[issue.state]}</Status>
          <Link to="/tasks/issues/$id" params={{ id: issue.id }}>
            {revealHidden(issue.title)}
          </Link>
          <span>{issue.agent}</span>
          <span className={css.peek}>{revealHidden(readAsks(issue)[0]?.question ?? '')}</span>
        </li>
      ))}
    </ul>
  );
}

/** The first thing that the reader may decide. */
const findAsked = (waits: ListedRun['waits']) =>
  waits.find((wait) => wait.for === 'answer' || (wait.for === 'doubt' && !wait.forOthers));

function WhatRunAsks({ waits }: Pick<ListedRun, 'waits'>) {
  const asked = findAsked(waits);
  if (asked?.for === 'answer') return <>{revealHidden(asked.question)}</>;
  return asked?.for === 'doubt' ? <ToolName name={asked.tool} /> : undefined;
}
