/** What waits for the person, what happened last, and on the first day what to do next. */
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/index.js';
import { useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { Empty, Loaded, Page, Status } from '../ui/index.js';
import { ApprovalRows } from './approval-rows.js';
import { CallList } from './call-list.js';
import { OtherWaitRows, useOtherWaits } from './other-waits.js';
import css from './pages.module.css';
import { Plots } from './plots.js';

export function Overview() {
  const text = useText();
  const mayDecide = useMay('approvals:read');
  return (
    <Page title={text.nav.overview}>
      <FirstSteps />
      {mayDecide ? <Waiting /> : undefined}
      <Trouble />
      <Plots />
      <Latest />
    </Page>
  );
}

function Waiting() {
  const text = useText();
  const pending = useRead('GET /api/approvals', { query: { status: 'pending', limit: 50 } });
  const others = useOtherWaits();
  const count = others.plans.length + others.runs.length + others.issues.length;
  return (
    <section>
      <h2>{text.waiting}</h2>
      <Loaded query={pending} rows={2}>
        {({ approvals }) => (
          <>
            {approvals.length + count === 0 ? <Empty>{text.nothingWaits}</Empty> : undefined}
            {approvals.length === 0 ? undefined : <ApprovalRows rows={approvals} />}
            {count === 0 ? undefined : <OtherWaitRows {...others} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Latest() {
  const text = useText();
  const calls = useRead('GET /api/executions', { query: { limit: 25 } });
  return (
    <section>
      <h2>{text.latest}</h2>
      <Loaded query={calls}>
        {({ executions }) =>
          executions.length === 0 ? (
            <Empty>{text.noCalls}</Empty>
          ) : (
            <>
              <CallList rows={executions} />
              <p>
                <Link to="/calls">{text.allCalls}</Link>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** Accounts that no longer work: the one kind of trouble that only a person can mend. */
function Trouble() {
  const text = useText();
  const { data } = useRead('GET /api/tools/connected');
  const broken = (data?.connections ?? []).filter(({ status }) => status === 'expired' || status === 'error');
  if (broken.length === 0) return undefined;
  return (
    <section>
      <h2>{text.needsYou}</h2>
      <ul className={css.rows}>
        {broken.map(({ id, name, status, reason }) => (
          <li key={id}>
            <Status kind={status}>{text.connectionStatuses[status]}</Status>
            <Link to="/connections/$id" params={{ id }}>
              {name}
            </Link>
            <span lang="en">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Four steps to a first call. They tick themselves off, and disappear when all are done. */
function FirstSteps() {
  const text = useText();
  const connections = useRead('GET /api/tools/connected').data?.connections;
  const agents = useRead('GET /api/agents', { query: { limit: 500 } }).data?.agents;
  const first = agents?.[0];
  const calls = useRead('GET /api/executions', { query: { limit: 25 } }).data?.executions;
  if (connections === undefined || agents === undefined || calls === undefined) return undefined;
  const steps = [
    { key: 'agent', isDone: agents.length > 0, link: <Link to="/agents">{text.steps.agent}</Link> },
    {
      key: 'connect',
      isDone: connections.length > 0,
      link: <Link to="/connections/connect">{text.steps.connect}</Link>,
    },
    {
      key: 'grant',
      isDone: agents.some(({ usage }) => (usage?.granted ?? 0) > 0),
      link:
        first === undefined ? (
          text.steps.grant
        ) : (
          <Link to="/agents/$slug/tools" params={{ slug: first.slug }}>
            {text.steps.grant}
          </Link>
        ),
    },
    { key: 'call', isDone: calls.length > 0, link: text.steps.call },
  ];
  if (steps.every(({ isDone }) => isDone)) return undefined;
  return (
    <section>
      <h2>{text.firstSteps}</h2>
      <ol className={css.steps}>
        {steps.map(({ key, isDone, link }) => (
          <li key={key} data-mark={isDone ? '✓' : '○'}>
            {link}
            <span className={css.hidden}>{isDone ? ` (${text.done})` : ''}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
