/** Calls that wait for a person, and one of them with its exact arguments and the two buttons. */
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useFormats, usePreferences, useText } from '../messages/index.js';
import { useAct, useRead } from '../server/use-api.js';
import { useMay } from '../shell/session.js';
import { isPlainKey } from '../shell/use-keys.js';
import {
  Actions,
  Ago,
  Button,
  Empty,
  Facts,
  Json,
  Loaded,
  MayNote,
  Note,
  Page,
  ProblemBox,
  RuleName,
  revealHidden,
  Status,
  Table,
  ToolName,
  useIsPast,
} from '../ui/index.js';
import { List } from '../ui/list.js';
import { ApprovalRows, type Asked, readName } from './approval-rows.js';
import css from './pages.module.css';

const approvalRoute = getRouteApi('/approvals/$id');

export function Approvals(): ReactNode {
  const text = useText();
  const pending = useRead('GET /api/approvals', { query: { status: 'pending', limit: 500 } });
  const decided = useRead('GET /api/approvals', { query: { status: 'decided', limit: 500 } });
  return (
    <Page title={text.nav.approvals}>
      <h2>{text.waiting}</h2>
      <Loaded query={pending} rows={2}>
        {({ approvals }) =>
          approvals.length === 0 ? <Empty>{text.nothingWaits}</Empty> : <WaitingRows rows={approvals} />
        }
      </Loaded>
      <h2>{text.decided}</h2>
      <Loaded query={decided}>{({ approvals }) => <DecidedList rows={approvals} />}</Loaded>
    </Page>
  );
}

/** What waits; several of one agent and one tool can be decided together. */
function WaitingRows({ rows }: { rows: readonly Asked[] }) {
  const text = useText();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { mutate, data, error, isPending } = useAct('POST /api/approvals/decide', () => setChosen(new Set()));
  const selected = rows.filter(({ id }) => chosen.has(id));
  const kinds = new Set(selected.map(({ toolkit, tool, principal }) => `${toolkit} ${tool} ${principal.id}`));
  const blocked = kinds.size > 1 ? text.oneKind : undefined;
  const decide = (decision: 'approved' | 'rejected') =>
    mutate({ body: { ids: selected.map(({ id }) => id), decision, through: 'panel' } });
  const failed = data?.decided.flatMap((outcome) => ('error' in outcome ? [outcome] : [])) ?? [];
  return (
    <>
      <ApprovalRows rows={rows} chosen={chosen} onChoose={setChosen} />
      {selected.length === 0 ? undefined : (
        <Actions>
          <Button needs="approvals:decide" blocked={blocked} disabled={isPending} onClick={() => decide('approved')}>
            {text.approveMany(selected.length)}
          </Button>
          <Button needs="approvals:decide" blocked={blocked} disabled={isPending} onClick={() => decide('rejected')}>
            {text.rejectMany(selected.length)}
          </Button>
          {blocked === undefined ? undefined : <span className={css.dim}>{blocked}</span>}
        </Actions>
      )}
      <ProblemBox error={error} />
      {failed.map(({ id, error: problem }) => (
        <Note key={id} lang="en">
          {problem.message}
        </Note>
      ))}
    </>
  );
}

function DecidedList({ rows }: { rows: readonly Asked[] }) {
  const text = useText();
  const { showDistance } = useFormats();
  const navigate = useNavigate();
  if (rows.length === 0) return <Empty>{text.noApprovals}</Empty>;
  return (
    <List
      label={text.decided}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/panel/approvals/${encodeURIComponent(id)}`}
      onOpen={({ id }) => void navigate({ to: '/approvals/$id', params: { id } })}
      columns="104px 120px minmax(96px, 1fr) minmax(0, 3fr)"
    >
      {(asked) => (
        <>
          <time className={css.dim} dateTime={asked.requestedAt}>
            {showDistance(asked.decidedAt ?? asked.requestedAt)}
          </time>
          <Status kind={asked.status}>{text.approvalStatuses[asked.status]}</Status>
          <span>{asked.principal.name}</span>
          <ToolName name={readName(asked)} />
        </>
      )}
    </List>
  );
}

export function Approval(): ReactNode {
  const text = useText();
  const { id } = approvalRoute.useParams();
  const approval = useRead('GET /api/approvals/:id', { params: { id } });
  return (
    <Page title={text.approvalTitle} back="/approvals">
      <Loaded query={approval}>{(asked) => <ApprovalFacts asked={asked} />}</Loaded>
    </Page>
  );
}

function ApprovalFacts({ asked }: { asked: Asked }) {
  const text = useText();
  const { showDistance, showTime } = useFormats();
  const { account } = asked;
  const mayRule = useMay('policies:write');
  const isPending = asked.status === 'pending';
  const isPast = useIsPast(asked.expiresAt);
  const isExpired = isPending && isPast;
  return (
    <>
      <p className={css.lead}>
        <Status kind={isExpired ? 'expired' : asked.status}>
          {isExpired ? text.approvalExpired : text.approvalStatuses[asked.status]}
        </Status>
        <ToolName name={readName(asked)} />
      </p>
      <Facts
        rows={[
          [
            text.askedBy,
            `${asked.principal.name}${asked.onBehalfOf ? ` ${text.onBehalf(asked.onBehalfOf.name)}` : ''}`,
          ],
          [text.actsAs, account === undefined ? undefined : `${account.name} (${account.account ?? account.owner})`],
          [
            text.rule,
            <>
              <RuleName rule={asked.rule} /> <span lang="en">{asked.reason}</span>
            </>,
          ],
          [text.when, showTime(asked.requestedAt)],
          [text.expiry, isPending ? showDistance(asked.expiresAt) : undefined],
          [text.decidedBy, asked.decidedBy?.name],
          [text.note, asked.note === undefined ? undefined : revealHidden(asked.note)],
        ]}
      />
      {isPending ? <AskingRuns id={asked.id} /> : undefined}
      <h2>{text.args}</h2>
      <p className={css.dim}>{asked.exact ? text.exact : text.redacted}</p>
      <Json label={text.args} value={asked.arguments} />
      <Difference asked={asked} />
      {isPending ? <Decide id={asked.id} isExpired={isExpired} /> : undefined}
      {mayRule ? (
        <p>
          <Link
            to="/settings/policies"
            search={{
              tool: `${asked.toolkit}.${asked.tool}`,
              ...(asked.principal.kind === 'agent' ? { agent: asked.principal.name } : {}),
            }}
          >
            {text.makeRule}
          </Link>
        </p>
      ) : undefined}
      {asked.executionId === undefined ? undefined : (
        <p>
          <Link to="/calls/$id" params={{ id: asked.executionId }}>
            {text.toCall}
          </Link>
        </p>
      )}
    </>
  );
}

/** The programs that go on once it is decided, and the issues that they work on. */
function AskingRuns({ id }: { id: string }) {
  const text = useText();
  const runs = useRead('GET /api/runs', { query: { approval: id } }).data?.runs ?? [];
  if (runs.length === 0) return undefined;
  return (
    <section>
      <h2>{text.askedByRun}</h2>
      <ul className={css.rows}>
        {runs.map(({ id: run, mode, intent, startedAt, issueId, waits }) => (
          <li key={run}>
            <Link to="/runs/$id" params={{ id: run }}>
              {text.runKinds[mode]}
            </Link>
            <span className={css.dim}>
              {text.callNumber(waits.find((wait) => wait.for === 'approval' && wait.approvalId === id)?.number ?? 1)}
            </span>
            {issueId === undefined ? undefined : (
              <Link to="/tasks/issues/$id" params={{ id: issueId }}>
                {text.toIssue}
              </Link>
            )}
            <span className={css.peek}>{revealHidden(intent ?? '')}</span>
            <Ago at={startedAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The differences from the last approved call of the same kind. */
function Difference({ asked }: { asked: Asked }) {
  const text = useText();
  const { showDistance } = useFormats();
  const last = asked.lastApproved;
  if (last === undefined) return undefined;
  const names = [...new Set([...Object.keys(last.arguments), ...Object.keys(asked.arguments)])];
  const show = (value: unknown) => revealHidden(JSON.stringify(value) ?? text.absent);
  const changed = names.filter((name) => show(last.arguments[name]) !== show(asked.arguments[name]));
  return (
    <section>
      <h2>{text.difference}</h2>
      <p className={css.dim}>
        <Link to="/approvals/$id" params={{ id: last.id }}>
          {text.lastApproved(showDistance(last.decidedAt ?? last.requestedAt))}
        </Link>
      </p>
      {changed.length === 0 ? (
        <p>{text.noDifference}</p>
      ) : (
        <Table
          label={text.difference}
          head={[text.args, text.before, text.now]}
          rows={changed.map((name) => ({
            key: name,
            cells: [revealHidden(name), show(last.arguments[name]), show(asked.arguments[name])],
          }))}
        />
      )}
    </section>
  );
}

/** `a` and `r` only move to the button, so that no single key decides. */
function Decide({ id, isExpired }: { id: string; isExpired: boolean }) {
  const text = useText();
  const { keys } = usePreferences();
  const buttons = useRef<HTMLDivElement>(null);
  const [note, setNote] = useState('');
  const { mutate, isPending, error } = useAct('POST /api/approvals/:id/decision');
  useEffect(() => {
    if (keys === 'off') return;
    const press = (event: KeyboardEvent) => {
      const at = { a: 0, r: 1 }[event.key];
      if (at === undefined || !isPlainKey(event)) return;
      event.preventDefault();
      buttons.current?.querySelectorAll('button')[at]?.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [keys]);
  const approve = () => mutate({ params: { id }, body: { decision: 'approved', through: 'panel' } });
  const reject = () =>
    mutate({ params: { id }, body: { decision: 'rejected', through: 'panel', ...(note === '' ? {} : { note }) } });
  const blocked = isExpired ? text.approvalExpired : undefined;
  return (
    <>
      <ProblemBox error={error} />
      <div ref={buttons}>
        <Actions>
          <Button needs="approvals:decide" blocked={blocked} className="primary" disabled={isPending} onClick={approve}>
            {text.approve}
          </Button>
          <Button needs="approvals:decide" blocked={blocked} disabled={isPending} onClick={reject}>
            {text.reject}
          </Button>
        </Actions>
      </div>
      <div className={css.form}>
        <label>
          {text.note}
          <input maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
          <span>{text.noteHow}</span>
        </label>
      </div>
      <MayNote needs="approvals:decide" />
    </>
  );
}
